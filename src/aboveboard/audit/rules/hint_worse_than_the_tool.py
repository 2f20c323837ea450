"""BEH05."""

from collections.abc import Iterator

from aboveboard.audit.evidence import DELETES, READS, Behaviour, Tool, Trial, example
from aboveboard.audit.rule import Finding, Profile, Rule, Severity, weigh

_COUNT = example("count_notes", "Count the notes that match.", DELETES)
_HONEST = example("count_notes", "Count the notes that match.", READS)
_STILL = {"notes/1/text": "Milk"}


class HintWorseThanTheTool(Rule[Behaviour]):
    """A tool was never seen to do what its hints warn of: a suggestion.

    Not having seen it proves nothing. No milder hint is suggested where a value of an enumeration or a flag was not
    tried, where a call failed of which the plan does not say that it may (`may_fail`), where the tool's own words say
    that it writes, where a request was sent that writes, or for what may be lost, replaces or deletes, by its verb or
    by review. That nothing gets lost is only suggested where something was there to lose and was seen to stay: a list
    that grew, and not a text, as another text may contain the old one. Anthropic wants additive writes declared
    destructive, so its profile does not suggest otherwise.
    """

    id = "BEH05"
    severity = Severity.INFO
    by_profile = weigh(strict=Severity.WARNING)
    why = "People who are asked too often stop reading what they approve."
    fix = "If it is true for every argument, state the milder hint."
    bad = Behaviour(_COUNT, [Trial(_COUNT, before=_STILL, after=_STILL, again=_STILL)])
    good = Behaviour(_HONEST, [Trial(_HONEST, before=_STILL, after=_STILL, again=_STILL)])

    def check(self, evidence: Behaviour) -> Iterator[Finding]:
        tool = evidence.tool
        if evidence.problem or evidence.untried or evidence.unreached or evidence.unsettled or evidence.unawaited:
            return
        if any(trial.came_to_nothing for trial in evidence.trials):
            return
        for hint, said, seen in self._milder(evidence):
            # Who states no hint at all is taken at the defaults; beside stated ones, an unstated one is no claim.
            value = tool.declared(hint) if tool.hints else tool.effective(hint)
            if value is said and hint not in evidence.unseen:
                better = str(not said).lower()
                yield self.finding(tool.name, f"was never seen to {seen}: {hint} could be {better}", hint=hint)

    def _milder(self, behaviour: Behaviour) -> Iterator[tuple[str, bool, str]]:
        """Go through the hints that could be milder: for them speaks what worked, against them all that was done."""
        worked = [trial for trial in behaviour.trials if trial.succeeded and not trial.vacuous]
        every = [*behaviour.trials, *behaviour.refusals]
        if not worked:
            return
        sent = [request for trial in every for request in trial.requests]
        writes = any(trial.all_changes(count_derived=True) for trial in every)
        loses = any(trial.losses() for trial in every) or any(request.may_lose for request in sent)
        kept = any(change.kept for trial in worked for change in trial.all_changes())
        if not writes and not _says_it_writes(behaviour.tool) and not any(request.may_write for request in sent):
            yield "readOnlyHint", False, "change anything"
        elif kept and self.profile is not Profile.ANTHROPIC and not loses:
            yield "destructiveHint", True, "lose anything"
        repeated = [trial for trial in every if trial.again is not None]
        if writes and repeated and not any(trial.changes_when_repeated() for trial in repeated):
            yield "idempotentHint", False, "do more when repeated"
        watched = all(trial.requests and trial.domain is not None for trial in worked)
        if watched and not any(trial.outside() for trial in every):
            yield "openWorldHint", True, "leave the service"


def _says_it_writes(tool: Tool) -> bool:
    return tool.name_writes or bool(tool.intent.writes or tool.intent.loses)
