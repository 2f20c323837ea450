"""AUT06."""

from collections.abc import Iterator

from aboveboard.audit.evidence import Document, ProtectedResource, example_resource, texts
from aboveboard.audit.rule import Finding, Rule

_GONE = Document("https://notes.example/.well-known/oauth-authorization-server", problem="answers with HTTP status 404")


class SignInThatIsNotThere(Rule[ProtectedResource]):
    """A resource names no authorization server, or one that has no document at its well-known places."""

    id = "AUT06"
    why = "Without it a client does not know where to send its user, nor what the place can do, and gives up."
    fix = "Name the issuer in `authorization_servers`, and publish its document; a path in it goes behind .well-known."
    bad = ProtectedResource(example_resource().url, example_resource().metadata, {"https://notes.example": _GONE})
    good = example_resource()

    def check(self, evidence: ProtectedResource) -> Iterator[Finding]:
        if not texts(evidence.metadata.get("authorization_servers")):
            yield self.finding(None, "names no `authorization_servers`")
        for issuer, document in evidence.sign_ins.items():
            if document.missing:
                yield self.finding(
                    None, f"sends people to {issuer!r}, whose document {document.problem}: {document.url!r}"
                )
