"""PRO03."""

from collections.abc import Iterator

from aboveboard.audit.evidence import DELETES, ServerSession, example
from aboveboard.audit.rule import Finding, Rule


class WriteInReadOnlyMode(Rule[ServerSession]):
    """A server that was started read-only lists a tool that writes, or writes."""

    id = "PRO03"
    why = "Operators switch this on to be safe, and stop watching."
    fix = "Leave writing tools out of the list in this mode, and refuse their calls as well."
    bad = ServerSession("notes", listings=[[example("delete_note", hints=DELETES)]], read_only_mode=True)
    good = ServerSession("notes", listings=[[example()]], read_only_mode=True)

    def applies(self, evidence: ServerSession) -> bool:
        return evidence.read_only_mode

    def check(self, evidence: ServerSession) -> Iterator[Finding]:
        for tool in evidence.listings[0] if evidence.listings else ():
            if not tool.effective("readOnlyHint"):
                yield self.finding(tool.name, "is listed in read-only mode and is not read-only", hint="readOnlyHint")
        for write in evidence.writes:
            yield self.finding(None, f"wrote in read-only mode: {write}", hint="readOnlyHint")
