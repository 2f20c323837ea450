"""PRO02."""

from collections.abc import Iterator

from aboveboard.audit.evidence import ServerSession, example
from aboveboard.audit.rule import Finding, Rule, Severity

_ONE, _TWO = example("get_note"), example("list_notes", "List the notes of one notebook, newest first.")


class UnstableListing(Rule[ServerSession]):
    """Two equal requests for the tools got different answers."""

    id = "PRO02"
    severity = Severity.WARNING
    why = "Providers cache the prompt by its bytes: a list in another order costs its full price every time."
    fix = "List the tools in a fixed order, and keep times, counts and random ids out of the definitions."
    bad = ServerSession("notes", listings=[[_ONE, _TWO], [_TWO, _ONE]])
    good = ServerSession("notes", listings=[[_ONE, _TWO], [_ONE, _TWO]])

    def applies(self, evidence: ServerSession) -> bool:
        return len(evidence.listings) > 1

    def check(self, evidence: ServerSession) -> Iterator[Finding]:
        first = evidence.listings[0]
        for other in evidence.listings[1:]:
            names, others = [tool.name for tool in first], [tool.name for tool in other]
            if sorted(names) != sorted(others):
                differing = sorted(set(names) ^ set(others))
                yield self.finding(None, f"lists other tools when asked again: {', '.join(differing[:5])}")
            elif names != others:
                yield self.finding(None, "lists its tools in another order when asked again")
            else:
                for then, now in zip(first, other, strict=True):
                    if then.definition != now.definition:
                        yield self.finding(now.name, "is defined otherwise when asked again")
