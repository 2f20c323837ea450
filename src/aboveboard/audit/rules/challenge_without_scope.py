"""AUT03."""

from collections.abc import Iterator

from aboveboard.audit.evidence import Challenge, example_challenge
from aboveboard.audit.rule import Finding, Rule, Severity

_NAMED = 4


class ChallengeWithoutScope(Rule[Challenge]):
    """A challenge does not say which scope is needed, though there are scopes.

    Where the document about the resource lists one alone, that is a note: clients take it from there.
    """

    id = "AUT03"
    severity = Severity.WARNING
    why = "Clients then ask for every scope there is, so that people agree to more than is needed, or for none at all."
    fix = "Name what the first use needs as `scope` in WWW-Authenticate, and ask for more when it is needed."
    bad = example_challenge(
        parameters={"resource_metadata": "https://notes.example/.well-known/oauth-protected-resource"}
    )
    good = example_challenge()

    def applies(self, evidence: Challenge) -> bool:
        return bool(evidence.scopes)

    def check(self, evidence: Challenge) -> Iterator[Finding]:
        if (evidence.parameters or {}).get("scope", "").strip():
            return
        if len(evidence.own_scopes) == 1:
            said = f"answers 401 without a `scope`; its document lists {evidence.own_scopes[0]} alone"
            yield self.finding(None, said, severity=Severity.INFO)
        else:
            more = f" and {len(evidence.scopes) - _NAMED} more" if len(evidence.scopes) > _NAMED else ""
            known = ", ".join(evidence.scopes[:_NAMED])
            yield self.finding(None, f"answers 401 without a `scope`, and has the scopes {known}{more}")
