"""ANN05."""

from collections.abc import Iterator

from aboveboard.audit.evidence import Server, example
from aboveboard.audit.rule import Finding, Rule, Severity, weigh

_MOOT = ("destructiveHint", "idempotentHint")


class HintWithoutMeaning(Rule[Server]):
    """Read-only tools also state hints that mean something only for tools that write.

    The specification gives `destructiveHint` and `idempotentHint` no meaning on a read-only tool. OpenAI's directory
    wants `destructiveHint` all the same, and strict wants all four, so those two profiles do not ask for this.
    """

    id = "ANN05"
    severity = Severity.INFO
    by_profile = weigh(openai=None, strict=None)
    why = "It costs nothing and misleads nobody, but a reader may wonder what it means."
    fix = "Leave them, if a directory you submit to wants them; otherwise leave them out."
    bad = Server("notes", [example()])
    good = Server("notes", [example(hints={"readOnlyHint": True, "openWorldHint": False})])

    def check(self, evidence: Server) -> Iterator[Finding]:
        reading = [tool for tool in evidence.tools if tool.declared("readOnlyHint")]
        stated = [tool for tool in reading if any(hint in tool.annotations for hint in _MOOT)]
        if stated:
            tools = "1 read-only tool states" if len(stated) == 1 else f"{len(stated)} read-only tools state"
            yield self.finding(None, f"{tools} {' or '.join(_MOOT)}, which mean nothing on a read-only tool")
