"""BEH05."""

from collections.abc import Iterator

from aboveboard.audit.evidence import DELETES, READS, Behaviour, Tool, Trial, example
from aboveboard.audit.rule import Finding, Profile, Rule, Severity, weigh

_COUNT = example("count_notes", "Count the notes that match.", DELETES)
_HONEST = example("count_notes", "Count the notes that match.", READS)
_STILL = {"notes/1/text": "Milk"}


class HintWorseThanTheTool(Rule[Behaviour]):
    """A tool was never seen to do what its hints warn of: a suggestion.

    Not having seen it is no proof. No milder hint is suggested where a value of an enumeration or a flag was not tried,
    where the tool's own words say that it writes, where a request was sent that writes, or for what may be lost,
    replaces or deletes, by its verb or by review. That nothing gets lost is only suggested where something was there to
    lose and was seen to stay: a list that grew, and not a text, as another text may contain the old one. Anthropic
    wants additive writes declared destructive, so its profile does not suggest otherwise.
    """

    id = "BEH05"
    severity = Severity.INFO
    by_profile = weigh(strict=Severity.WARNING)
    why = "People who are asked too often stop reading what they approve."
    fix = "If it is true for every argument, state the milder hint."
    bad = Behaviour(_COUNT, [Trial(_COUNT, before=_STILL, after=_STILL, again=_STILL)])
    good = Behaviour(_HONEST, [Trial(_HONEST, before=_STILL, after=_STILL, again=_STILL)])

    def check(self, evidence: Behaviour) -> Iterator[Finding]:
        tool, trials = evidence.tool, evidence.trials
        if not trials or evidence.untried or evidence.unreached or evidence.unsettled:
            return
        if not all(trial.succeeded and not trial.vacuous for trial in trials):
            return
        writes = any(trial.all_changes(count_derived=True) for trial in trials)
        for hint, said, seen in self._milder(evidence, writes=writes):
            # Who states no hint at all is taken at the defaults; beside stated ones, an unstated one is no claim.
            value = tool.declared(hint) if tool.hints else tool.effective(hint)
            if value is said and hint not in evidence.unseen:
                better = str(not said).lower()
                yield self.finding(tool.name, f"was never seen to {seen}: {hint} could be {better}", hint=hint)

    def _milder(self, behaviour: Behaviour, *, writes: bool) -> Iterator[tuple[str, bool, str]]:
        trials = behaviour.trials
        sent = [request for trial in trials for request in trial.requests]
        loses = any(trial.losses() for trial in trials) or any(request.may_lose for request in sent)
        kept = any(change.kept for trial in trials for change in trial.all_changes())
        if not writes and not _says_it_writes(behaviour.tool) and not any(request.may_write for request in sent):
            yield "readOnlyHint", False, "change anything"
        elif kept and self.profile is not Profile.ANTHROPIC and not loses:
            yield "destructiveHint", True, "lose anything"
        repeated = [trial for trial in trials if trial.again is not None]
        if writes and repeated and not any(trial.changes_when_repeated() for trial in repeated):
            yield "idempotentHint", False, "do more when repeated"
        watched = [trial for trial in trials if trial.requests and trial.domain is not None]
        if len(watched) == len(trials) and not any(trial.outside() for trial in trials):
            yield "openWorldHint", True, "leave the service"


def _says_it_writes(tool: Tool) -> bool:
    return tool.name_writes or bool(tool.intent.writes or tool.intent.loses)
