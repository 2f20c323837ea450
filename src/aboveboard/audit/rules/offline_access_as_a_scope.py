"""AUT05."""

from collections.abc import Iterator

from aboveboard.audit.evidence import ProtectedResource, example_resource, texts
from aboveboard.audit.rule import Finding, Rule, Severity


class OfflineAccessAsAScope(Rule[ProtectedResource]):
    """A resource lists `offline_access` among its scopes.

    It belongs to the authorization server, which may list it: a client asks for it if it wants to be renewed.
    """

    id = "AUT05"
    severity = Severity.WARNING
    why = "No tool needs it. Clients that ask for all scopes of the resource get lasting access nobody asked for."
    fix = "Leave it out of the resource's `scopes_supported`; name it in the authorization server's, if at all."
    bad = example_resource(scopes_supported=["read", "offline_access"])
    good = example_resource()

    def check(self, evidence: ProtectedResource) -> Iterator[Finding]:
        if "offline_access" in texts(evidence.metadata.get("scopes_supported")):
            yield self.finding(None, "lists `offline_access` in its `scopes_supported`")
