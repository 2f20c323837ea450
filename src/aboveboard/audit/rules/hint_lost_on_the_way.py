"""ANN09."""

from collections.abc import Iterator

from aboveboard.audit.evidence import Mention, Source, example
from aboveboard.audit.rule import Finding, Rule, Severity

_SOURCE = {"readOnlyHint": Mention(value=True, place="server.ts:12")}


class HintLostOnTheWay(Rule[Source]):
    """The source code gives a tool a hint that the client never sees.

    Asked only with `--source DIR`; the search is by text, so it is a suspicion.
    """

    id = "ANN09"
    severity = Severity.WARNING
    why = "A wrapper, a gateway or an older SDK dropped it, so the author believes in a hint that no client knows of."
    fix = "Look at what `tools/list` really answers, and pass the annotations through."
    bad = Source(example(hints={"title": "Get Note"}), _SOURCE)
    good = Source(example(), _SOURCE)

    def check(self, evidence: Source) -> Iterator[Finding]:
        tool = evidence.tool
        for hint, mention in evidence.mentions.items():
            if hint not in tool.annotations:
                said = str(mention.value).lower()
                yield self.finding(
                    tool.name, f"{hint} seems to be {said} at {mention.place}, and is not on the wire", hint=hint
                )
