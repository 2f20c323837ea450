"""ANN03."""

from collections.abc import Iterator
from typing import Any

from aboveboard.audit.evidence import HINTS, READS, Tool, example
from aboveboard.audit.rule import Finding, Rule


def _bare(key: str) -> str:
    return key.replace("_", "").replace("-", "").lower().removesuffix("hint")


_SPELLINGS = {_bare(hint): hint for hint in HINTS}


class UnreadableHint(Rule[Tool]):
    """A hint is not a JSON boolean, is written twice, or stands where no client looks."""

    id = "ANN03"
    why = (
        'One client reads "false" as false, the next as true, a third drops it: the same tool is safe here and '
        "dangerous there."
    )
    fix = "Write each hint once, inside `annotations`, spelled as the specification spells it, as true or false."
    bad = example(hints={**READS, "readOnlyHint": "true"})
    good = example()

    def check(self, evidence: Tool) -> Iterator[Finding]:
        for hint, problem in self._problems(evidence):
            yield self.finding(evidence.name, problem, hint=hint)

    def _problems(self, tool: Tool) -> Iterator[tuple[str | None, str]]:
        annotations = tool.definition.get("annotations")
        if annotations is not None and annotations != tool.annotations:
            yield None, f"has annotations that are {_kind(annotations)}, not an object"
        for hint, value in tool.hints.items():
            if not isinstance(value, bool):
                yield hint, f"{hint} is {_kind(value)}, not true or false"
        for key, values in tool.repeated.items():
            said = ", ".join(_kind(value) for value in values)
            yield (key if key in HINTS else None), f"{key} is written {len(values)} times: {said}"
        yield from self._elsewhere(tool)

    def _elsewhere(self, tool: Tool) -> Iterator[tuple[str | None, str]]:
        for hint in HINTS:
            if hint in tool.definition:
                yield hint, f"{hint} stands beside `annotations`, where no client looks"
        for key in tool.annotations:
            meant = _SPELLINGS.get(_bare(key))
            if meant and key not in HINTS:
                yield meant, f"{key} is not read by any client: it is spelled {meant}"


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'the text "{value[:20]}"'
    if isinstance(value, int | float):
        return f"the number {value}"
    return "a list" if isinstance(value, list) else "an object"
