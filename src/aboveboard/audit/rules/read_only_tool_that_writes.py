"""BEH01."""

from collections.abc import Iterator

from aboveboard.audit.evidence import Trial, example
from aboveboard.audit.rule import Finding, Profile, Rule

_PEEK = example("peek_at_mail", "Return one mail without opening it.")


class ReadOnlyToolThatWrites(Rule[Trial]):
    """A tool declared read-only changes the service.

    Bookkeeping (a counter, a log line, a modification time) counts for OpenAI and strict, and not for the others.
    """

    id = "BEH01"
    why = "Clients run read-only tools without asking, so nobody gets to refuse the write."
    fix = "Declare the true effect, or move the write into a tool of its own."
    bad = Trial(_PEEK, before={"inbox/1": "unread"}, after={"inbox/1": "read"})
    good = Trial(_PEEK, before={"inbox/1": "unread"}, after={"inbox/1": "unread"})

    def check(self, evidence: Trial) -> Iterator[Finding]:
        if not evidence.tool.declared("readOnlyHint"):
            return
        counted = self.profile in (Profile.OPENAI, Profile.STRICT)
        if changes := evidence.all_changes(count_derived=counted):
            message = f"is declared read-only and wrote: {evidence.describe(changes)}"
            yield self.finding(evidence.tool.name, message, hint="readOnlyHint")
