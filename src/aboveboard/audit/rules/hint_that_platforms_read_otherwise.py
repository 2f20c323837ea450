"""ANN11."""

from collections.abc import Iterator

from aboveboard.audit.evidence import ADDS, DELETES, Tool, example, words
from aboveboard.audit.rule import Finding, Profile, Rule, Severity, weigh


class HintThatPlatformsReadOtherwise(Rule[Tool]):
    """A hint is true by the specification, and this platform means something else by it.

    Anthropic's reviewers count creating and sending as destructive. OpenAI's call a tool open-world only if it changes
    public or third-party state, and destructive only if it deletes, overwrites or cannot be undone.
    """

    id = "ANN11"
    severity = Severity.INFO
    by_profile = weigh(spec=None, strict=None)
    why = "The platforms contradict each other, so no value satisfies all of them; a reviewer may ask."
    fix = "Keep what the specification says unless you publish on this platform alone; have the reason ready."
    bad = example("add_note", "Add a note and return its id.", ADDS)
    good = example("delete_note", "Delete a note for good.", DELETES)
    shown_under = Profile.ANTHROPIC

    def check(self, evidence: Tool) -> Iterator[Finding]:
        reads, destroys = evidence.declared("readOnlyHint"), evidence.declared("destructiveHint")
        if self.profile is Profile.ANTHROPIC and reads is False and destroys is False:
            yield self.finding(
                evidence.name,
                "is declared to write without losing anything; Anthropic counts any write as destructive",
                hint="destructiveHint",
            )
        if self.profile is not Profile.OPENAI:
            return
        if reads and evidence.declared("openWorldHint"):
            yield self.finding(
                evidence.name,
                "only reads; OpenAI calls open-world only what changes things outside",
                hint="openWorldHint",
            )
        if destroys and not {"create", "add", "append"}.isdisjoint(words(evidence.name)[:3]):
            yield self.finding(
                evidence.name,
                "seems to add; OpenAI calls destructive only what deletes, overwrites or cannot be undone",
                hint="destructiveHint",
            )
