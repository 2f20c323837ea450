"""AUT10."""

from collections.abc import Iterator

from aboveboard.audit.evidence import AuthorizationServer, example_sign_in
from aboveboard.audit.rule import Finding, Rule, Severity


class NoWayToRegister(Rule[AuthorizationServer]):
    """An authorization server takes no client that it does not know.

    One that only registers clients (RFC 7591) gets a note: MCP 2026-07-28 calls that deprecated.
    """

    id = "AUT10"
    severity = Severity.WARNING
    why = "Each client must then be entered by hand, and people whose client is not among them cannot sign in."
    fix = "Take Client ID Metadata Documents, and say so: `client_id_metadata_document_supported`."
    bad = example_sign_in(client_id_metadata_document_supported=None)
    good = example_sign_in()

    def check(self, evidence: AuthorizationServer) -> Iterator[Finding]:
        if evidence.metadata.get("client_id_metadata_document_supported") is True:
            return
        if evidence.metadata.get("registration_endpoint"):
            only = "registers clients, and takes no Client ID Metadata Documents"
            yield self.finding(None, f"{evidence.issuer!r} {only}", severity=Severity.INFO)
        else:
            yield self.finding(
                None, f"{evidence.issuer!r} takes no Client ID Metadata Documents and registers no clients"
            )
