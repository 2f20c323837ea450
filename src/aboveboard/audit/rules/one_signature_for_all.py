"""ANN07."""

from collections import Counter
from collections.abc import Iterator

from aboveboard.audit.evidence import ADDS, DELETES, HINTS, READS, Server, Tool, example
from aboveboard.audit.rule import Finding, Rule, Severity

_SHARE = 0.8
_FEWEST = 5


def _signature(tool: Tool) -> tuple[bool, ...]:
    return tuple(tool.effective(hint) for hint in HINTS)


_NAMES = ("list_notes", "get_note", "create_note", "update_note", "delete_note")


class OneSignatureForAll(Rule[Server]):
    """Tools that read and tools that write are published with one and the same set of hints."""

    id = "ANN07"
    severity = Severity.WARNING
    why = "The hints were filled in for all at once, so at least some of them are not true."
    fix = "Give each tool the hints of its own effect."
    bad = Server("notes", [example(name, hints=READS) for name in _NAMES])
    good = Server(
        "notes",
        [
            example(name, hints=hints)
            for name, hints in zip(_NAMES, (READS, READS, ADDS, DELETES, DELETES), strict=True)
        ],
    )

    def check(self, evidence: Server) -> Iterator[Finding]:
        stated = [tool for tool in evidence.tools if tool.hints]
        if len(stated) < _FEWEST:
            return
        signature, count = Counter(map(_signature, stated)).most_common(1)[0]
        same = [tool for tool in stated if _signature(tool) == signature]
        reading, writing = [t for t in same if t.name_reads], [t for t in same if t.name_writes]
        if count / len(stated) >= _SHARE and len(reading) >= 2 and len(writing) >= 2:
            both = f"{reading[0].name} and {writing[0].name} among them"
            yield self.finding(None, f"{count} of {len(stated)} tools have the same hints, {both}")
