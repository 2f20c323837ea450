"""TTL02."""

from collections import Counter
from collections.abc import Iterator

from aboveboard.audit.evidence import READS, Server, example
from aboveboard.audit.rule import Finding, Rule, Severity, weigh


class ConfusingTitle(Rule[Server]):
    """A title repeats the name, is used twice, or is another one in the annotations."""

    id = "TTL02"
    severity = Severity.INFO
    by_profile = weigh(strict=Severity.WARNING)
    why = "The title is what a person reads before approving a call: two tools that look the same get one answer."
    fix = "Give each tool a title of its own, in words, and the same one in `title` and `annotations.title`."
    bad = Server("notes", [example("get_note", title="Note"), example("delete_note", title="Note")])
    good = Server("notes", [example("get_note"), example("delete_note", hints={**READS, "title": "Delete Note"})])

    def check(self, evidence: Server) -> Iterator[Finding]:
        used = Counter(tool.title.casefold() for tool in evidence.tools if tool.title)
        for tool in evidence.tools:
            own, other = tool.definition.get("title"), tool.annotations.get("title")
            if tool.title and tool.title == tool.name:
                yield self.finding(tool.name, "has its name for a title")
            elif used[tool.title.casefold()] > 1:
                yield self.finding(tool.name, f"shares the title {tool.title!r} with another tool")
            if isinstance(own, str) and isinstance(other, str) and own != other:
                yield self.finding(tool.name, f"is called {own!r} in title and {other!r} in annotations.title")
