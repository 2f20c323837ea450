"""What a newcomer finds who drafts a plan and completes only what says TODO.

Of the plans in `liars/watched/` only the server and the backend are taken; the cases come from the draft, and one table
says by the name of a value what stands in the first state.
"""

import re
from contextlib import chdir
from dataclasses import replace
from pathlib import Path
from typing import Final

from tests.audit import watched
from tests.audit.corpus import ROOT, Case
from tests.patience import patience

from aboveboard.audit.verify import ConnectOptions, Plan, load_plan, parse_plan
from aboveboard.audit.verify.draft import draft, read_with_pace
from aboveboard.audit.verify.plan import Launch

KNOWN: Final = (
    (r"refused", "force"),
    (r"another_folder\w*", "b"),
    (r"\w*folder\w*", "a"),
    (r"another_\w+_id", '"2"'),
    (r"\w+_id", '"1"'),
    (r"known_title|known_name", "Reading"),
    (r"known_label", "later"),
    (r"\w+", "book"),
)
"""What stands in the first state, by what a draft calls it, and the words of a refusal: the first that fits."""

MISSED: Final = frozenset[str]()
"""The liars that drafted plans do not find."""
ACCUSED: Final = frozenset[str]()
"""The honest servers that they accuse."""
ONE_OF_THE_LATE: Final = ("beh01_late_by_700_ms_in_a_file", "honest_late_in_a_file")
TOLD_ELSEWHERE: Final = ("beh01_at_the_fifth_call_in_a_file",)
"""What another server of the corpus does in the same way, with its state in another place."""


def plans() -> list[Path]:
    """Return the plans to draft anew.

    What a plan cannot show says nothing of a draft; nor does another SDK, through which the same definitions come, or
    another delay or place of the same work: those are watched with the plans written by hand. And a draft explains
    nothing away and knows nothing of what others wrote, so what BEH08 and BEH09 find is not for it.
    """
    chosen = (file for file in watched.plans() if watched.expected(file).provable and file.parent.name == "plain")
    once = [file for file in chosen if not re.search("_late_", file.stem) or file.stem in ONE_OF_THE_LATE]
    return [file for file in once if not file.stem.startswith(("beh08", "beh09")) and file.stem not in TOLD_ELSEWHERE]


def drafted(file: Path) -> Plan:
    """Draft a plan for a server of the corpus and complete it; what is not a case comes from the plan by hand."""
    own = load_plan(file)
    with chdir(ROOT):
        server, pace = read_with_pace(_alone(watched.startable(own)), ConnectOptions(timeout=patience(15)))
    text = completed(draft(server, own, pace=pace))
    plan = parse_plan(text, here=own.here, source=own.source)
    return replace(own, cases=plan.cases, values=plan.values, marathon=plan.marathon)


def _alone(plan: Plan) -> Plan:
    """Let a server be read as a newcomer has it read, with nothing behind it: that takes half the time."""
    if plan.server.url:
        return plan
    own = {name: value for name, value in plan.server.environment.items() if not re.search("upstream|port", value)}
    return Plan(server=Launch(command=plan.server.command, environment=own), here=plan.here)


def completed(text: str) -> str:
    """Fill in every TODO, by the name that stands before it."""

    def value(match: re.Match[str]) -> str:
        return next(f"{match[1]}: {known}" for pattern, known in KNOWN if re.fullmatch(pattern, match[1]))

    kept = re.sub(r"keep: \{(\w+): TODO\}", r"keep: {\1: id}", text)
    return re.sub(r"(\w+): TODO\b", value, kept)


def case(file: Path) -> Case:
    """Watch a server with a drafted plan; each of its many cases once."""
    return watched.case(file, drafted(file), repeats=1)


def figure() -> str:
    """Say in one sentence how well drafts do beside plans that were written by hand, which find all."""
    liars = [file for file in plans() if watched.expected(file).rule]
    honest = len(plans()) - len(liars)
    return (
        f"With drafted plans {len(liars) - len(MISSED)} of {len(liars)} liars are found, with plans written by hand"
        f" all {len(liars)}; of {honest} honest servers, drafts accuse {len(ACCUSED)}."
    )
