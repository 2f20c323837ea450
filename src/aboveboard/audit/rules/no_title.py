"""TTL01."""

from collections.abc import Iterator

from aboveboard.audit.evidence import Tool, example
from aboveboard.audit.rule import Finding, Profile, Rule, Severity, weigh


class NoTitle(Rule[Tool]):
    """A tool has no title for people."""

    id = "TTL01"
    severity = Severity.INFO
    by_profile = weigh(anthropic=Severity.ERROR, strict=Severity.ERROR)
    why = "People are asked to approve `nc_webdav_mv` instead of Move File; Anthropic's directory refuses it."
    fix = "Set `title` and `annotations.title` to two to five words: Create Note."
    bad = example(title=None)
    good = example()
    shown_under = Profile.ANTHROPIC

    def check(self, evidence: Tool) -> Iterator[Finding]:
        if not evidence.title.strip():
            yield self.finding(evidence.name, "has no title")
