"""DSC03."""

from collections.abc import Iterator

from aboveboard.audit.evidence import Tool, example
from aboveboard.audit.rule import Finding, Profile, Rule, Severity, weigh

_CAPS = {
    Profile.SPEC: ((2048, Severity.INFO, "Claude Code cuts it there"),),
    Profile.ANTHROPIC: ((2048, Severity.WARNING, "Claude Code cuts it there, and says so nowhere"),),
    Profile.OPENAI: (
        (1024, Severity.ERROR, "some of OpenAI's models refuse the request"),
        (200, Severity.INFO, "submitters report this cap in OpenAI's directory"),
    ),
    Profile.STRICT: ((1024, Severity.WARNING, "some model providers refuse more"),),
}


class DescriptionTooLong(Rule[Tool]):
    """A description is longer than the platform takes.

    There is no cap in the specification. Claude Code cuts at 2,048 characters; OpenAI's API has refused more than
    1,024. A cap of 200 in OpenAI's directory is reported by submitters only, so it is a note and no more.
    """

    id = "DSC03"
    severity = Severity.WARNING
    by_profile = weigh(spec=Severity.INFO, openai=Severity.ERROR)
    why = "What stands beyond the cap is not read, or the whole request is refused."
    fix = "Put what matters first; move details to the parameters' descriptions."
    bad = example(description="Return one note by its id. " + "It has text and labels. " * 100)
    good = example()

    def check(self, evidence: Tool) -> Iterator[Finding]:
        length = len(evidence.description)
        for cap, severity, reason in _CAPS.get(self.profile, ()):
            if length > cap:
                yield self.finding(
                    evidence.name, f"has a description of more than {cap:,} characters: {reason}", severity=severity
                )
                return
