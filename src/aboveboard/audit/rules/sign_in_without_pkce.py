"""AUT08."""

from collections.abc import Iterator

from aboveboard.audit.evidence import AuthorizationServer, example_sign_in, texts
from aboveboard.audit.rule import Finding, Rule


class SignInWithoutPkce(Rule[AuthorizationServer]):
    """An authorization server does not announce PKCE with S256."""

    id = "AUT08"
    why = (
        "Without PKCE a stolen code is as good as a token, so clients must refuse to sign in where it is not announced."
    )
    fix = "Require S256, and say so: `code_challenge_methods_supported` holds S256, and not `plain` alone."
    bad = example_sign_in(code_challenge_methods_supported=None)
    good = example_sign_in()

    def check(self, evidence: AuthorizationServer) -> Iterator[Finding]:
        methods = evidence.metadata.get("code_challenge_methods_supported")
        if "S256" not in texts(methods):
            has = "has no `code_challenge_methods_supported`" if methods is None else f"announces {methods!r}, not S256"
            yield self.finding(None, f"{evidence.issuer!r} {has}")
