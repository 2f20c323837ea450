"""DSC02."""

from collections.abc import Iterator

from aboveboard.audit.evidence import Tool, example, singular, words
from aboveboard.audit.rule import Finding, Rule, Severity

_FEWEST = 3
_FILLERS = frozenset(
    {
        *("a", "all", "an", "and", "by", "for", "from", "in", "is", "it", "of", "on", "or", "some", "that", "the"),
        *("this", "to", "tool", "used", "use", "will", "with", "you", "function", "api", "call", "calls"),
    }
)


class DescriptionThatSaysNothing(Rule[Tool]):
    """A description is a word or two, or only repeats the name."""

    id = "DSC02"
    severity = Severity.WARNING
    why = "A model that cannot tell two tools apart calls the wrong one."
    fix = "Add what the name does not say: what comes back, what the limits are, what is lost."
    bad = example("get_note", "Gets the note.")
    good = example("get_note", "Return one note by its id, with its text and labels.")

    def check(self, evidence: Tool) -> Iterator[Finding]:
        text = evidence.description.strip()
        if not text or not text.isascii():  # words of another script cannot be counted this way
            return
        said = {singular(word) for word in words(text)}
        if len(words(text)) < _FEWEST:
            yield self.finding(evidence.name, "has a description of a word or two")
        elif said <= _FILLERS | {singular(word) for word in words(evidence.name)}:
            yield self.finding(evidence.name, "has a description that only repeats its name")
