"""NAM07."""

from collections.abc import Iterator

from aboveboard.audit.evidence import Fleet, Server, example
from aboveboard.audit.rule import Finding, Rule, Severity


class NameOfAnotherServer(Rule[Fleet]):
    """Two servers that are configured together have a tool of the same name."""

    id = "NAM07"
    severity = Severity.WARNING
    why = "A client that adds no prefix keeps one of them, and a call meant for one server reaches the other."
    fix = "Prefix the tools with what the server is for: `notes_search`, `mail_search`."
    bad = Fleet([Server("notes", [example("search_all")]), Server("mail", [example("search_all")])])
    good = Fleet([Server("notes", [example("notes_search")]), Server("mail", [example("mail_search")])])

    def applies(self, evidence: Fleet) -> bool:
        return len(evidence.servers) > 1

    def check(self, evidence: Fleet) -> Iterator[Finding]:
        owner: dict[str, str] = {}
        for server in evidence.servers:
            for name in dict.fromkeys(tool.name for tool in server.tools if tool.name):
                first = owner.setdefault(name, server.name)
                if first != server.name:
                    yield self.finding(name, f"is also a tool of {first}", server=server.name)
