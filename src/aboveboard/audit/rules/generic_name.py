"""NAM05."""

from collections.abc import Iterator

from aboveboard.audit.evidence import Tool, example
from aboveboard.audit.rule import Finding, Profile, Rule, Severity

_GENERIC = frozenset(
    {
        *("add", "call", "create", "delete", "do", "execute", "fetch", "find", "get", "help", "info", "list"),
        *("process", "query", "read", "remove", "run", "search", "send", "set", "start", "status", "stop", "submit"),
        *("test", "update", "write"),
    }
)
_WANTED_BY_OPENAI = {"search", "fetch"}


class GenericName(Rule[Tool]):
    """A name is one everyday verb, which says nothing of the server it belongs to.

    OpenAI's connectors must have tools called `search` and `fetch`, so its profile lets those two pass.
    """

    id = "NAM05"
    severity = Severity.WARNING
    why = "Another server will have a `search` too: clients without prefixes drop one, and models pick the wrong one."
    fix = "Say what it acts on: `search_notes`."
    bad = example("search", "Return the notes that contain a text.")
    good = example("search_notes", "Return the notes that contain a text.")

    def check(self, evidence: Tool) -> Iterator[Finding]:
        name = evidence.name.lower()
        if self.profile is Profile.OPENAI and name in _WANTED_BY_OPENAI:
            return
        if name in _GENERIC:
            yield self.finding(evidence.name, "has a name that any server could have")
