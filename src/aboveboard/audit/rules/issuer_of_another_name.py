"""AUT07."""

from collections.abc import Iterator

from aboveboard.audit.evidence import AuthorizationServer, example_sign_in
from aboveboard.audit.rule import Finding, Rule


class IssuerOfAnotherName(Rule[AuthorizationServer]):
    """An authorization server calls itself otherwise than the resource does."""

    id = "AUT07"
    why = "Clients compare the two letter by letter, and refuse: it is how one server would pose as another."
    fix = "Let `issuer` be exactly what `authorization_servers` of the resource says, closing slash included."
    bad = example_sign_in(issuer="https://accounts.example")
    good = example_sign_in()

    def check(self, evidence: AuthorizationServer) -> Iterator[Finding]:
        said = evidence.metadata.get("issuer")
        if said != evidence.issuer:
            yield self.finding(None, f"the issuer {evidence.issuer!r} calls itself {said!r}")
