"""The half of the corpus that is watched: every plan in `liars/watched/` run by the engine, and its outcome judged.

The folder tells what a server stands on, its plan the transport and where its state is.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Final

from tests.audit.corpus import AT_ONCE, FOLDER, ROOT, UNPROVEN, Case, Sort, alarms, rule_of
from tests.forked import forked
from tests.patience import patience

from aboveboard.audit.judge import judge
from aboveboard.audit.rule import Profile
from aboveboard.audit.verdict import Ruling
from aboveboard.audit.verify import ConnectOptions, Plan, Proof, load_plan, verify
from aboveboard.audit.verify.late import LATE
from aboveboard.audit.verify.sealing import forbidden

WATCHED: Final = FOLDER / "watched"
HINT: Final = {
    "BEH01": "readOnlyHint",
    "BEH02": "destructiveHint",
    "BEH03": "idempotentHint",
    "BEH04": "openWorldHint",
}
"""The hint that a liar's rule is about: its verdict must be `violated` as well."""
SHORT: Final = 0.4
"""Seconds that are waited for the late work of servers that do nothing late, or nearly nothing."""
FAST: Final = 0.25
"""The clock of servers that are late on purpose: seconds are this long."""
SLACK: Final = 0.5
"""Seconds that a busy machine may keep such a server from its work; on a faster clock they would decide."""
REAL_TIME: Final = tuple(
    f"beh01_late_by_{how}.yaml" for how in ("300_ms_in_a_file", "700_ms_over_rest", "5_s_in_redis")
)
"""Those that are watched on a true clock."""
TOGETHER: Final = 6
"""How many servers are watched side by side: most of the time nothing is done but wait for what may come late."""
INSTALLED: Final = {
    "mcp1": ROOT / ".venv-mcp1" / "ready",
    "typescript": WATCHED / "typescript" / "node_modules" / ".package-lock.json",
}


def plans() -> list[Path]:
    """Return the plan of every server that is watched."""
    return sorted(WATCHED.glob("*/*.yaml"))


def name(file: Path) -> str:
    """Name a server by what it stands on and what it does: `mcp1/beh03_appends`."""
    return f"{file.parent.name}/{file.stem}"


def missing(file: Path) -> str:
    """Say what is not installed and this server needs; empty where nothing is missing."""
    if _needs_a_network(file) and forbidden():
        return f"{file.stem} needs a network of its own: {forbidden()}."
    needs = INSTALLED.get(file.parent.name)
    if needs is None or needs.exists():
        return ""
    return f"{file.parent.name} is not installed: `make test` installs it, which needs a network the first time."


def _needs_a_network(file: Path) -> bool:
    return file.stem.endswith("past_the_proxy")


def left_out() -> list[str]:
    """Say what was not watched, and why."""
    return sorted({f"LEFT OUT: {why}" for file in plans() if (why := missing(file))})


def cases() -> Iterator[Case]:
    """Watch every server that can be started here."""
    for batch in batches([file for file in plans() if not missing(file)]):
        yield from side_by_side(case, batch).values()


def batches(files: Sequence[Path]) -> list[list[Path]]:
    """Part plans into those to be watched side by side: all of a batch need the same, and wait about as long."""

    def kind(file: Path) -> tuple[float, str, bool]:
        return -_waits(load_plan(file)), file.parent.name, _needs_a_network(file)

    alike = [list(those) for _, those in groupby(sorted(files, key=kind), kind)]
    return [those[start : start + TOGETHER] for those in alike for start in range(0, len(those), TOGETHER)]


def batch_name(files: Sequence[Path]) -> str:
    """Name all that are in a batch, so that `-k` finds each."""
    return ",".join(map(name, files))


def side_by_side(act: Callable[[Path], Case], files: Sequence[Path]) -> Mapping[str, Case]:
    """Watch servers at the same time; what goes wrong with one takes nothing away from the others."""
    with chdir(ROOT), ThreadPoolExecutor(len(files)) as threads:
        started = {name(file): threads.submit(act, file) for file in files}
    wrong = {one: error for one, done in started.items() if (error := done.exception())}
    if wrong:
        raise BaseExceptionGroup(f"{', '.join(wrong)} could not be watched", list(wrong.values()))
    return {one: done.result() for one, done in started.items()}


def _waits(plan: Plan) -> float:
    """Return for how long late work of a server is looked for; 0 where it does none on purpose."""
    return clock(plan) * LATE + SLACK if "LATER" in plan.server.environment else 0.0


def clock(plan: Plan) -> float:
    """Return how long a second of a server is that is late on purpose."""
    return 1.0 if plan.source in REAL_TIME else FAST


def expected(file: Path) -> Case:
    """Return how a server should be judged."""
    rule = rule_of(file.stem)
    provable = not file.stem.startswith(UNPROVEN)
    return Case(
        name(file), rule, found=rule is not None and provable, sort=sort(file, load_plan(file)), provable=provable
    )


def case(file: Path, plan: Plan | None = None, *, repeats: int = 3) -> Case:
    """Watch one server, with its own plan or another one, and judge what was seen."""
    plan, rule = plan or load_plan(file), rule_of(file.stem)
    proof = watch(plan, repeats=repeats)
    # Profiles disagree on whether bookkeeping counts; a plan that declares some speaks to those that do not count it.
    everyone = [Profile.SPEC, Profile.ANTHROPIC] if plan.bookkeeping else list(Profile)
    findings = judge(proof.evidence, [Profile.SPEC] if rule else everyone)
    violated = {one.hint for one in proof.verdicts if one.verdict is Ruling.VIOLATED and one.cause}
    hint = HINT.get(rule or "")
    return Case(
        name(file),
        rule,
        found=any(one.rule == rule for one in findings) and (hint is None or hint in violated),
        alarms=(*alarms(findings, rule), *_accused(proof, rule)),
        sort=sort(file, plan),
        unsure=_unsure(proof, rule, sort(file, plan)),
        certified=_certified(proof, hint, every=not file.stem.startswith(UNPROVEN)),
        provable=not file.stem.startswith(UNPROVEN),
    )


def watch(plan: Plan, *, repeats: int = 3) -> Proof:
    """Run a plan."""
    late = max(_waits(plan), SHORT)
    environment = {**plan.server.environment, "LATER_CLOCK": str(clock(plan))}
    faster = replace(plan, server=replace(plan.server, environment=environment))
    with chdir(ROOT):
        return verify(startable(faster), repeats=repeats, late=late, options=ConnectOptions(timeout=patience(15)))


def startable(plan: Plan) -> Plan:
    """Let a server on our own SDK be forked from a process that has imported it, and what has none start at once."""
    server = _at_once(plan.server.command)
    if plan.here.name == "mcp2":
        server = forked(*plan.server.command[2:])  # for ${python} -m
    backend = _at_once(plan.backend.command)
    return replace(plan, server=replace(plan.server, command=server), backend=replace(plan.backend, command=backend))


def _at_once(command: Sequence[str]) -> tuple[str, ...]:
    """Let a command for a module of the tests import only what the module does."""
    own = tuple(command[:2]) == ("${python}", "-m") and command[2].startswith("tests.")
    return ("${python}", *AT_ONCE, *command[2:]) if own else tuple(command)


def sort(file: Path, plan: Plan) -> Sort:
    """Tell what kind of server a plan is for."""
    return Sort(
        watched=True,
        sdk="none" if file.parent.name == "plain" else file.parent.name,
        transport="http" if plan.server.url else "stdio",
        state="redis" if any(one.kind == "redis" for one in plan.stores) else "rest" if plan.backend.url else "local",
    )


def _certified(proof: Proof, hint: str | None, *, every: bool) -> bool:
    """Tell whether the hint that is a lie was said to hold: of every tool, or, where all of them lie, of any."""
    held = [one.verdict is Ruling.HOLDS for one in proof.verdicts if one.hint == hint]
    return hint is not None and (all(held) if every else any(held))


def _accused(proof: Proof, rule: str | None) -> Iterator[str]:
    """Go through verdicts against hints that are true; what a lying read does breaks its other promises as well."""
    own = {"readOnlyHint", "destructiveHint", "idempotentHint"} if rule == "BEH01" else {HINT.get(rule or "")}
    for one in proof.verdicts:
        if one.verdict is Ruling.VIOLATED and one.hint not in own:
            yield f"{one.tool}: {one.hint} violated: {one.cause}"


def _unsure(proof: Proof, rule: str | None, kind: Sort) -> tuple[str, ...]:
    """Return the hints of an honest server that were not seen to be true; hosts are only seen by a recording."""
    if rule is not None:
        return ()
    hints = HINT.values() if kind.state == "rest" else [one for one in HINT.values() if one != "openWorldHint"]
    told = [one for one in proof.verdicts if one.hint in hints and one.verdict is not Ruling.HOLDS]
    return tuple(f"{one.tool}: {one.hint} {one.verdict}: {one.cause}" for one in told)
