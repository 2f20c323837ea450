"""NAM01."""

import re
from collections.abc import Iterator

from aboveboard.audit.evidence import Tool, example
from aboveboard.audit.rule import Finding, Rule

_ALLOWED = re.compile(r"[A-Za-z0-9_.-]{1,128}")


class InvalidName(Rule[Tool]):
    """A name is missing, longer than 128 characters, or has characters outside A-Z a-z 0-9 _ - and the dot."""

    id = "NAM01"
    why = "Clients and model providers refuse the tool, and some refuse all tools with it."
    fix = "Name it `verb_noun` with letters, digits and underscores."
    bad = example("get note!")
    good = example("get_note")

    def check(self, evidence: Tool) -> Iterator[Finding]:
        name = evidence.name
        if not name:
            yield self.finding(None, "a tool has no name")
        elif len(name) > 128:
            yield self.finding(name, f"has a name of {len(name)} characters; 128 are allowed")
        elif not _ALLOWED.fullmatch(name):
            odd = "".join(sorted(set(re.sub(r"[A-Za-z0-9_.-]", "", name))))
            yield self.finding(name, f"has characters in its name that are not allowed: {odd!r}")
