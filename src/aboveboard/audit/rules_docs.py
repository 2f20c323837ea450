"""A rule in words: for `aboveboard rules`, and for the pages in docs/rules."""

import dataclasses
import inspect
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, cast

from aboveboard.audit import raw
from aboveboard.audit.evidence import Tool, example
from aboveboard.audit.facts import Absent
from aboveboard.audit.rule import Profile, Rule
from aboveboard.audit.rules import RULES

FAMILIES: Final = {
    "ANN": "Hints",
    "TTL": "Titles",
    "NAM": "Names",
    "DSC": "Descriptions",
    "SCH": "Schemas",
    "SIZ": "Size",
    "PRO": "Protocol",
    "BEH": "Behaviour",
    "DRF": "Drift from a baseline",
    "AUT": "Authorization over HTTP",
}
MOST_ITEMS: Final = 3
LONGEST: Final = 300
WIDTH: Final = 110


def pages() -> dict[str, str]:
    """Return the generated pages of docs/rules: an index, and one page a rule."""
    return {"README.md": _index(), **{f"{rule.id}.md": page(rule) for rule in RULES}}


def page(rule: type[Rule[Any]]) -> str:
    """Write the page of one rule."""
    bad, good = examples(rule)
    parts = [
        f"# {rule.id}: {rule.title()}",
        *([details(rule)] if details(rule) else []),
        _weights(rule),
        f"**Why it matters.** {rule.why}",
        f"**What to do.** {rule.fix}",
        f"Evidence: {evidence_kind(rule)}. Name: `{rule.name()}`.",
        f"## Found\n\n```json\n{bad}\n```",
        f"## Not found\n\n```json\n{good}\n```",
    ]
    return "\n\n".join(parts) + "\n"


def details(rule: type[Rule[Any]]) -> str:
    """Return what a rule's description says beyond its first sentence."""
    return inspect.cleandoc(rule.__doc__ or "").partition("\n")[2].strip()


def evidence_kind(rule: type[Rule[Any]]) -> str:
    """Say what a rule looks at."""
    return _KINDS[rule.judges().__name__]


_KINDS = {
    "Tool": "a tool's definition",
    "Server": "all definitions of a server",
    "Fleet": "all servers that are audited together",
    "Drift": "a server and its baseline (`--baseline`)",
    "Source": "definitions and source code (`--source`)",
    "ServerSession": "what a server wrote, and what it listed when asked again",
    "Challenge": "what a server over HTTP answers without credentials",
    "ProtectedResource": "a server's public document about itself",
    "AuthorizationServer": "the public document of the place where people sign in",
    "CallResult": "the answer to a call (`aboveboard verify`)",
    "Trial": "the state before and after a call (`aboveboard verify`)",
    "Behaviour": "all calls of a tool (`aboveboard verify`)",
}


def _index() -> str:
    out = [
        "# Rules",
        f"The auditor has {len(RULES)} rules. `aboveboard rules ID` explains one on the terminal.",
        "A profile says whose reading counts: the specification's, Anthropic's directory's, OpenAI's directory's, what "
        "Gemini and Cursor accept, or strict, which wants everything stated. A dash means that the profile does not "
        "ask.",
    ]
    for prefix, title in FAMILIES.items():
        own = [rule for rule in RULES if rule.id.startswith(prefix)]
        rows = [f"| [{rule.id}]({rule.id}.md) | {rule.title()} | {' | '.join(_weight_words(rule))} |" for rule in own]
        out.append(f"## {title}\n\n" + "\n".join([_head("rule", "what is found", *Profile), *rows]))
    return "\n\n".join(out) + "\n"


def _weights(rule: type[Rule[Any]]) -> str:
    return f"{_head(*Profile)}\n| {' | '.join(_weight_words(rule))} |"


def _head(*columns: str) -> str:
    """Write the head of a table; one whose second line has fewer columns is shown as text."""
    return f"| {' | '.join(columns)} |\n|{' --- |' * len(columns)}"


def _weight_words(rule: type[Rule[Any]]) -> list[str]:
    weights = [rule.weight(profile) for profile in Profile]
    return ["-" if weight is None else "note" if weight == "info" else weight.value for weight in weights]


def examples(rule: type[Rule[Any]]) -> tuple[str, str]:
    """Write a rule's bad and its good example as JSON; fields that play no part are left out."""
    bad, good = rule().bad, rule().good
    telling: set[str] = set()
    if isinstance(bad, Tool) and isinstance(good, Tool):
        fields = {**bad.definition, **good.definition}
        telling = {key for key in fields if bad.definition.get(key) != good.definition.get(key)}
    return _json(_shown(bad, telling)), _json(_shown(good, telling))


def _json(value: Any, indent: str = "") -> str:
    """Write JSON with what is short on one line."""
    line = raw.dump(value)
    if len(indent) + len(line) <= WIDTH or not isinstance(value, dict | list) or not value:
        return line
    inner = indent + "  "
    if isinstance(value, dict):
        items = cast("dict[str, Any]", value).items()
        parts = [f"{inner}{raw.dump(key)}: {_json(one, inner)}" for key, one in items]
        return "{\n" + ",\n".join(parts) + f"\n{indent}}}"
    parts = [f"{inner}{_json(one, inner)}" for one in cast("list[Any]", value)]
    return "[\n" + ",\n".join(parts) + f"\n{indent}]"


def _shown(value: Any, telling: Collection[str] = ()) -> Any:
    if isinstance(value, Tool):
        return _tool(value, telling)
    if isinstance(value, Absent):
        return str(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        told = [field.name for field in dataclasses.fields(value) if _told(value, field)]
        return {name: _shown(getattr(value, name)) for name in told}
    if isinstance(value, Mapping):
        return {key: _shown(one) for key, one in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, set | frozenset):
        return _few(sorted(cast("set[Any]", value)))
    if isinstance(value, list | tuple):
        return _few(list(cast("Sequence[Any]", value)))
    return value[:LONGEST] + "…" if isinstance(value, str) and len(value) > LONGEST else value


def _tool(tool: Tool, telling: Collection[str]) -> dict[str, Any]:
    usual = example(tool.name).definition
    return {
        key: _shown(value)
        for key, value in tool.definition.items()
        if key in telling or key not in ("title", "inputSchema", "description") or value != usual[key]
    }


def _few(items: list[Any]) -> list[Any]:
    told = [_shown(one) for one in items[:MOST_ITEMS]]
    return [*told, f"… and {len(items) - MOST_ITEMS} more"] if len(items) > MOST_ITEMS else told


def _told(value: Any, field: dataclasses.Field[Any]) -> bool:
    """Leave out fields that have their default, and the tool's name where it stands beside the tool."""
    own = getattr(value, field.name)
    default = field.default if field.default_factory is dataclasses.MISSING else field.default_factory()
    return own != default and own not in ("", (), None)
