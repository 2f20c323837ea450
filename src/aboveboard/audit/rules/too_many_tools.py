"""SIZ02."""

from collections.abc import Iterator

from aboveboard.audit.evidence import Fleet, Server, example
from aboveboard.audit.rule import Finding, Profile, Rule, Severity, weigh

_MOST = 128
_CROWDED = 40


class TooManyTools(Rule[Fleet]):
    """There are more tools than clients take at once.

    Over 128, which several clients and providers refuse, it is a warning; over 40, where some begin to leave tools
    out, a note. Cursor is one of them: for it, more than 40 is an error.
    """

    id = "SIZ02"
    severity = Severity.WARNING
    by_profile = weigh(cursor=Severity.ERROR)
    why = "What is over the limit is left out without a word, and never called."
    fix = "Split the server, or let operators choose groups of tools."
    bad = Fleet([Server("notes", [example(f"get_note_{n}") for n in range(130)])], token_budget=100_000)
    good = Fleet([Server("notes", [example()])])

    def check(self, evidence: Fleet) -> Iterator[Finding]:
        count = sum(len(server.tools) for server in evidence.servers)
        server = evidence.servers[0].name if len(evidence.servers) == 1 else ""
        if self.profile is Profile.CURSOR:
            if count > _CROWDED:
                yield self.finding(None, f"{count} tools; Cursor takes {_CROWDED} of all servers", server=server)
        elif count > _MOST:
            yield self.finding(None, f"{count} tools; several clients take {_MOST} in all", server=server)
        elif count > _CROWDED:
            message = f"{count} tools; some clients load {_CROWDED} at once, and models choose worse among many"
            yield self.finding(None, message, severity=Severity.INFO, server=server)
