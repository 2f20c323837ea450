"""BEH04."""

from collections.abc import Iterator

from aboveboard.audit.evidence import Request, Trial, example
from aboveboard.audit.rule import Finding, Profile, Rule

_GET = example("get_preview", "Return a note as a picture.")
_HOME = {"notes.example.com"}


class ClosedToolThatReachesOut(Rule[Trial]):
    """A tool declared closed talked to a host that is not the service.

    OpenAI calls a tool open-world only if it changes something out there, so its profile lets reading pass.
    """

    id = "BEH04"
    why = "Data can leave by a tool that says it stays inside, and clients that fence the open world let it through."
    fix = "Declare `openWorldHint: true`, or name the host as part of the service."
    bad = Trial(_GET, requests=[Request("POST", "render.example.net", "/pictures", writes=True)], domain=_HOME)
    good = Trial(_GET, requests=[Request("POST", "notes.example.com", "/pictures")], domain=_HOME)

    def check(self, evidence: Trial) -> Iterator[Finding]:
        if evidence.tool.effective("openWorldHint"):
            return
        outside = evidence.outside()
        if self.profile is Profile.OPENAI:
            outside = [request for request in outside if request.writes]
        if outside:
            told = ", ".join(dict.fromkeys(map(str, outside[:3])))
            yield self.finding(evidence.tool.name, f"is declared closed and sent {told}", hint="openWorldHint")
