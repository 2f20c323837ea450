"""AUT09."""

from collections.abc import Iterator

from aboveboard.audit.evidence import AuthorizationServer, example_sign_in, texts
from aboveboard.audit.rule import Finding, Rule, Severity


class ClientDocumentsWithoutNone(Rule[AuthorizationServer]):
    """An authorization server takes Client ID Metadata Documents, and no client without a secret.

    Where `token_endpoint_auth_methods_supported` is missing, `client_secret_basic` is meant.
    """

    id = "AUT09"
    severity = Severity.WARNING
    why = "A client that names itself by a public document has no secret. Claude's registers anew, or cannot sign in."
    fix = "Add `none` to `token_endpoint_auth_methods_supported`, or stop announcing the documents."
    bad = example_sign_in(token_endpoint_auth_methods_supported=["client_secret_basic"])
    good = example_sign_in()

    def check(self, evidence: AuthorizationServer) -> Iterator[Finding]:
        methods = texts(evidence.metadata.get("token_endpoint_auth_methods_supported"))
        if evidence.metadata.get("client_id_metadata_document_supported") is True and "none" not in methods:
            takes = ", ".join(methods) or "client_secret_basic, as it names none"
            yield self.finding(None, f"{evidence.issuer!r} takes Client ID Metadata Documents, but only {takes}")
