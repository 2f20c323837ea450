"""NAM02."""

import re
from collections.abc import Iterator

from aboveboard.audit.evidence import Tool, example
from aboveboard.audit.rule import Finding, Profile, Rule, Severity, weigh

_BARE = 64
_CLIENTS = (("Claude Code", "mcp__{server}__{tool}", 64), ("Cursor", "{server}:{tool}", 60))


class NameTooLongWithPrefix(Rule[Tool]):
    """A name is longer than clients allow, or will be once a client has put the server's name before it.

    The server's name is the one in the configuration or, where that is not known, the one the server gives itself, so
    the second case is a warning; a name that is too long alone is an error on both platforms. Cursor leaves out a tool
    whose name is too long with the server's, so for it both are errors.
    """

    id = "NAM02"
    severity = Severity.ERROR
    by_profile = weigh(spec=Severity.WARNING, gemini=Severity.ERROR, cursor=Severity.ERROR)
    why = "Model providers refuse names over 64 characters, often with all other tools of the request."
    fix = "Shorten the tool's name, or the server's name in the client's configuration."
    bad = example("search_all_notes_in_every_notebook_and_every_archive_of_this_workspace")
    good = example("search_notes")

    def check(self, evidence: Tool) -> Iterator[Finding]:
        name = evidence.name
        if _BARE < len(name) <= 128:
            yield self.finding(name, f"has a name of {len(name)} characters; model providers take {_BARE}")
            return
        server = re.sub(r"[^A-Za-z0-9_-]", "_", evidence.server)
        for client, template, most in _CLIENTS:
            if self.profile is Profile.CURSOR and client != "Cursor":
                continue
            full = template.format(server=server, tool=name)
            if server and len(full) > most >= len(name):
                yield self.finding(
                    name,
                    f"becomes {len(full)} characters long in {client}, which takes {most}: {full}",
                    severity=Severity.ERROR if self.profile is Profile.CURSOR else Severity.WARNING,
                )
                return
