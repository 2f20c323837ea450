"""NAM04."""

import re
from collections.abc import Iterator

from aboveboard.audit.evidence import Server, Tool, example
from aboveboard.audit.rule import Finding, Rule, Severity


class DuplicateName(Rule[Server]):
    """Two tools have the same name, or get it once a client replaces dots, dashes and spaces.

    The same name twice is an error; a name that only becomes the same in some clients is a warning.
    """

    id = "NAM04"
    why = "Only one of them can be called, and which one depends on the client."
    fix = "Give every tool a name of its own that differs in more than punctuation."
    bad = Server("notes", [example("get_note"), example("get_note", "Return a note as HTML.", title="Note as HTML")])
    good = Server("notes", [example("get_note"), example("get_note_as_html", "Return a note as HTML.")])

    def check(self, evidence: Server) -> Iterator[Finding]:
        seen: dict[str, Tool] = {}
        for tool in evidence.tools:
            key = re.sub(r"[^A-Za-z0-9_]", "_", tool.name)
            if tool.name and (first := seen.setdefault(key, tool)) is not tool:
                if first.name == tool.name:
                    yield self.finding(tool.name, "is listed more than once")
                else:
                    yield self.finding(
                        tool.name,
                        f"becomes {key} in some clients, and so does {first.name}",
                        severity=Severity.WARNING,
                    )
