"""AUT11."""

from collections.abc import Iterator

from aboveboard.audit.evidence import AuthorizationServer, example_sign_in
from aboveboard.audit.rule import Finding, Rule, Severity, weigh


class AnswersWithoutIssuer(Rule[AuthorizationServer]):
    """An authorization server does not announce that its answers name it (RFC 9207)."""

    id = "AUT11"
    severity = Severity.WARNING
    by_profile = weigh(anthropic=Severity.INFO, openai=Severity.INFO)
    why = "A client that knows many such servers cannot tell whose answer it got, and may send a code to the wrong one."
    fix = "Put `iss` into every answer, errors too, and set `authorization_response_iss_parameter_supported` to true."
    bad = example_sign_in(authorization_response_iss_parameter_supported=None)
    good = example_sign_in()

    def check(self, evidence: AuthorizationServer) -> Iterator[Finding]:
        if evidence.metadata.get("authorization_response_iss_parameter_supported") is not True:
            yield self.finding(None, f"{evidence.issuer!r} does not announce `iss` in its answers")
