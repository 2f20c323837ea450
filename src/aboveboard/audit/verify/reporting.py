"""From what was seen to a report: rules applied, one finding each, verdicts beside them."""

from collections.abc import Iterable, Sequence
from typing import Any

from aboveboard.audit.evidence import Evidence
from aboveboard.audit.judge import applied_rules, by_weight, judge
from aboveboard.audit.report import Report
from aboveboard.audit.rule import Finding, Profile, Rule
from aboveboard.audit.settings import Settings
from aboveboard.audit.verdict import Verdict
from aboveboard.audit.verify.proof import Proof
from aboveboard.audit.words import plural


def report_of(proof: Proof, settings: Settings, *, anchor: str = "plan.yaml", read: Sequence[Evidence] = ()) -> Report:
    """Judge what was seen, and what was read beside it; only a strict profile counts bookkeeping."""
    rules = settings.rules()
    by_reading = judge(read, settings.profiles, rules)
    kept_before = [one for one in proof.found if one.profile in settings.profiles and _asked(one, rules)]
    found = without_repeats(sorted([*judge(proof.evidence, settings.profiles, rules), *kept_before], key=by_weight))
    kept, ignored = settings.split_ignored(sorted([*found, *by_reading], key=by_weight))
    return Report(
        servers=proof.servers,
        findings=kept,
        profiles=settings.profiles,
        ignored=ignored,
        verdicts=proof.judged(count_derived=Profile.STRICT in settings.profiles),
        anchor=anchor,
        applied=applied_rules([*proof.evidence, *read], settings.profiles, rules)
        | {(one.server, one.rule) for one in found},
        noise=proof.noise,
        remarks=[*([f"This report is partial. {proof.ended}"] if proof.ended else []), *proof.remarks],
        pace=_pace(proof),
    )


def _asked(finding: Finding, rules: Sequence[type[Rule[Any]]]) -> bool:
    """Tell whether a rule is asked for; one that a profile leaves out made no finding for it."""
    return any(rule.id == finding.rule for rule in rules)


def _pace(proof: Proof) -> str:
    """Say how long it took."""
    if not proof.walks:
        return ""
    return f"{plural(proof.walks, 'walk')} in {proof.seconds:.1f} s, {proof.walking / proof.walks:.3f} s each"


def without_repeats(findings: Iterable[Finding]) -> list[Finding]:
    """Keep the first of what several walks of one tool found alike: their ids differ, what is wrong does not."""
    first: dict[tuple[str, ...], Finding] = {}
    for one in findings:
        first.setdefault((one.rule, one.server, one.tool or one.message, one.hint or "", one.case, one.profile), one)
    return list(first.values())


def unsettled_verdicts(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Return the verdicts that leave something to explain."""
    return [one for one in verdicts if not one.settled]
