"""AUT04."""

from collections.abc import Iterator

from aboveboard.audit.evidence import ProtectedResource, covers, example_resource, is_here
from aboveboard.audit.rule import Finding, Rule, Severity


class ResourceOfAnotherName(Rule[ProtectedResource]):
    """A server's document is about another resource, or does not say about which.

    A server on this machine that speaks of its public address gets a note: it can only be judged there.
    """

    id = "AUT04"
    why = "Clients must drop a document that is not about the address they asked, so that no server poses as another."
    fix = "Let `resource` be the address that people configure, or an origin or path above it."
    bad = example_resource(resource="https://mail.example/mcp")
    good = example_resource()

    def check(self, evidence: ProtectedResource) -> Iterator[Finding]:
        resource = evidence.metadata.get("resource")
        if not isinstance(resource, str):
            yield self.finding(None, "its document about the resource has no `resource`")
        elif not covers(resource, evidence.url):
            light = Severity.INFO if is_here(evidence.url) and not is_here(resource) else None
            yield self.finding(None, f"was asked at {evidence.url}, and calls itself {resource!r}", severity=light)
