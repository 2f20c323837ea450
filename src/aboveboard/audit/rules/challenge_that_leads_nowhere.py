"""AUT02."""

from collections.abc import Iterator

from aboveboard.audit.evidence import Challenge, Document, example_challenge
from aboveboard.audit.rule import Finding, Rule, Severity

_PLACE = "https://notes.example/.well-known/oauth-protected-resource"


class ChallengeThatLeadsNowhere(Rule[Challenge]):
    """A challenge names a document that is not there.

    One that names none is a note where the document is at its well-known place, since clients look there next.
    """

    id = "AUT02"
    why = "Clients go where the challenge sends them, and many look nowhere else: the sign-in ends before it begins."
    fix = "Let `resource_metadata` in WWW-Authenticate be the address at which the document answers."
    bad = example_challenge(named=Document(_PLACE, problem="answers with HTTP status 404"))
    good = example_challenge()

    def check(self, evidence: Challenge) -> Iterator[Finding]:
        named, usual = evidence.named, evidence.usual
        if named is not None and named.missing:
            yield self.finding(None, f"sends clients to {named.url!r}, which {named.problem}")
        elif named is None and usual is not None and usual.content is not None:
            said = "has no Bearer challenge" if evidence.parameters is None else "names no `resource_metadata`"
            yield self.finding(None, f"its 401 {said}; the document is at {usual.url!r}", severity=Severity.INFO)
