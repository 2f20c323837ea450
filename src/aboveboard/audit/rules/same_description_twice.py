"""DSC04."""

from collections.abc import Iterator

from aboveboard.audit.evidence import Server, example, singular, words
from aboveboard.audit.rule import Finding, Rule, Severity

_FILLERS = {"a", "an", "the", "this", "that", "of", "to", "for", "and", "or", "by", "in", "it", "is"}
_TEXT = "Search notes and return the ones that match."


class SameDescriptionTwice(Rule[Server]):
    """Two tools are described in the same words, but for punctuation, order and plurals."""

    id = "DSC04"
    severity = Severity.WARNING
    why = "A model cannot choose between them, and picks by chance."
    fix = "Say in each what sets it apart from the other."
    bad = Server("notes", [example("search_notes", _TEXT), example("find_notes", _TEXT)])
    good = Server("notes", [example("search_notes", _TEXT), example("find_notes", "Find notes by label.")])

    def check(self, evidence: Server) -> Iterator[Finding]:
        seen: dict[tuple[str, ...], str] = {}
        for tool in evidence.tools:
            summary = tool.description.partition("Example response:")[0]
            said = tuple(sorted({singular(word) for word in words(summary)} - _FILLERS))
            if len(said) < 3:
                continue
            first = seen.setdefault(said, tool.name)
            if first != tool.name:
                yield self.finding(tool.name, f"is described in the same words as {first}")
