"""AUT01."""

from collections.abc import Iterator

from aboveboard.audit.evidence import Challenge, Document, example_challenge
from aboveboard.audit.rule import Finding, Rule, Severity, weigh

_PLACE = "https://notes.example/.well-known/oauth-protected-resource/mcp"


class SignInThatCannotBeFound(Rule[Challenge]):
    """A server wants credentials, and says nowhere how to get them.

    The specification wants a document about the resource (RFC 9728), named in the challenge or at its well-known place.
    A server for people who are given a key by hand can live without; the directories take none such. One that follows
    MCP 2025-03-26 has the document of its authorization server at its origin, where later clients need not look.
    """

    id = "AUT01"
    severity = Severity.WARNING
    by_profile = weigh(anthropic=Severity.ERROR, openai=Severity.ERROR, strict=Severity.ERROR)
    why = "A client that is turned away has nowhere to send its user, so only those who were given a key can connect."
    fix = "Publish /.well-known/oauth-protected-resource, and name it as `resource_metadata` in the 401."
    bad = example_challenge(
        parameters={}, named=None, usual=Document(_PLACE, problem="answers with HTTP status 404"), scopes=()
    )
    good = example_challenge()

    def check(self, evidence: Challenge) -> Iterator[Finding]:
        if evidence.named is None and evidence.usual is not None and evidence.usual.missing:
            older = evidence.older
            instead = f"; there is {older.url!r} alone, as MCP 2025-03-26 had it" if older is not None else ""
            yield self.finding(
                None,
                "answers 401 without `resource_metadata`, and its well-known document"
                f" {evidence.usual.problem}: {evidence.usual.url!r}{instead}",
            )
