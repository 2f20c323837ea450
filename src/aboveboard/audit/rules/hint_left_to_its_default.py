"""ANN02."""

from collections.abc import Iterator

from aboveboard.audit.evidence import DEFAULTS, HINTS, Tool, example
from aboveboard.audit.rule import Finding, Profile, Rule, Severity, weigh


class HintLeftToItsDefault(Rule[Tool]):
    """A hint that the platform wants to see is not stated.

    The specification gives every hint a default, so there this is a note. Anthropic's directory wants the hint that
    applies: `readOnlyHint: true`, or `destructiveHint` on a tool that writes. OpenAI's wants three, strict all four.
    """

    id = "ANN02"
    severity = Severity.ERROR
    by_profile = weigh(spec=Severity.INFO)
    why = (
        "An unset hint means its default, which is the worst case: destructive and open to the world. Clients differ "
        "in how they read it, and directories send the submission back."
    )
    fix = "State the hint, true or false, also where the default would be right."
    bad = example("add_note", "Add a note and return its id.", {"readOnlyHint": False, "openWorldHint": False})
    good = example()
    shown_under = Profile.ANTHROPIC

    def check(self, evidence: Tool) -> Iterator[Finding]:
        if not evidence.annotations:
            return
        for hint in self._required(evidence):
            if hint not in evidence.annotations:
                assumed = str(DEFAULTS[hint]).lower()
                yield self.finding(evidence.name, f"does not state {hint}: the default is {assumed}", hint=hint)

    def _required(self, tool: Tool) -> tuple[str, ...]:
        reads = tool.declared("readOnlyHint") is True
        match self.profile:
            case Profile.ANTHROPIC:
                return () if reads else ("destructiveHint",)
            case Profile.OPENAI:
                return ("readOnlyHint", "destructiveHint", "openWorldHint")
            case Profile.SPEC | Profile.GEMINI | Profile.CURSOR:
                return ("readOnlyHint", "openWorldHint") if reads else HINTS
            case Profile.STRICT:
                return HINTS
