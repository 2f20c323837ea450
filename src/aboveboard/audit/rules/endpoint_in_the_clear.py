"""AUT12."""

from collections.abc import Iterator

from aboveboard.audit.evidence import AuthorizationServer, example_sign_in, in_the_clear
from aboveboard.audit.rule import Finding, Rule

_NEEDED = ("authorization_endpoint", "token_endpoint")
_ENDPOINTS = (*_NEEDED, "registration_endpoint", "revocation_endpoint", "introspection_endpoint", "jwks_uri")


class EndpointInTheClear(Rule[AuthorizationServer]):
    """An endpoint where people sign in is missing, or is not https.

    On this machine, plain http is all right.
    """

    id = "AUT12"
    why = "Codes and tokens go there: what is not https can be read on the way, and what is missing, clients guess."
    fix = "Name `authorization_endpoint` and `token_endpoint`, and let every address begin with https://."
    bad = example_sign_in(registration_endpoint="http://notes.example/register")
    good = example_sign_in()

    def check(self, evidence: AuthorizationServer) -> Iterator[Finding]:
        for name in _ENDPOINTS:
            where = evidence.metadata.get(name)
            if isinstance(where, str) and in_the_clear(where):
                yield self.finding(None, f"the `{name}` of {evidence.issuer!r} is {where!r}")
            elif not isinstance(where, str) and name in _NEEDED:
                yield self.finding(None, f"{evidence.issuer!r} has no `{name}`")
