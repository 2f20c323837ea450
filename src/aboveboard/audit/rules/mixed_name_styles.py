"""NAM06."""

import re
from collections import Counter
from collections.abc import Iterator

from aboveboard.audit.evidence import Server, example
from aboveboard.audit.rule import Finding, Rule, Severity

_STYLES = {
    "snake_case": re.compile(r"[a-z0-9]+(_+[a-z0-9]+)+"),
    "kebab-case": re.compile(r"[a-z0-9]+(-[a-z0-9]+)+"),
    "camelCase": re.compile(r"[a-z]+[a-z0-9]*([A-Z][a-z0-9]*)+"),
    "PascalCase": re.compile(r"([A-Z][a-z0-9]*){2,}"),
}


def _style(name: str) -> str:
    last = name.rpartition(".")[2]
    return next((style for style, pattern in _STYLES.items() if pattern.fullmatch(last)), "")


class MixedNameStyles(Rule[Server]):
    """One server's names are written in more than one style."""

    id = "NAM06"
    severity = Severity.INFO
    why = "A model that has seen `get_note` guesses `list_notes`, not `listNotes`."
    fix = "Write all names in one style; snake_case is the commonest."
    bad = Server("notes", [example("get_note"), example("add_note"), example("listNotes")])
    good = Server("notes", [example("get_note"), example("add_note"), example("list_notes")])

    def check(self, evidence: Server) -> Iterator[Finding]:
        styles = {tool.name: style for tool in evidence.tools if (style := _style(tool.name))}
        used = Counter(styles.values())
        if len(used) < 2:
            return
        usual = used.most_common(1)[0][0]
        for name, style in styles.items():
            if style != usual:
                yield self.finding(name, f"is written in {style}, most others in {usual}")
