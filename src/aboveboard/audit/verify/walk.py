"""One walk: from the first state, arranged, looked at, called once, looked at, called again, looked at."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from time import time
from typing import Any, Final, cast

import anyio

from aboveboard.audit.probe import Unreadable
from aboveboard.audit.verify.noise import noisy_paths
from aboveboard.audit.verify.own_files import SHOWN_FILE
from aboveboard.audit.verify.plan import Case
from aboveboard.audit.verify.seen import SeenRequest
from aboveboard.audit.verify.state import DERIVED, Snapshot, is_covered, keep_paths, moved_paths
from aboveboard.audit.verify.values import fill_values, pick_value
from aboveboard.audit.verify.walk_record import WalkRecord
from aboveboard.audit.verify.workbench import Workbench
from aboveboard.errors import Failure

Measure = Callable[[Mapping[str, Any]], Awaitable[WalkRecord]]
"""Makes the calls that count, once all is arranged, with the values that are known by then."""


class Unproven(Failure):
    """The reset does not bring the state back, so nothing can be said."""


IDLE: Final = 0.3
"""How many seconds a fresh server is watched before any call: what moves now moves by itself."""


async def prove_reset(bench: Workbench) -> None:
    """Reset twice and compare; what moves by itself meanwhile is known from now on."""
    await bench.reset()
    bench.pristine = await bench.look()
    bench.known.first.append(bench.pristine)
    await bench.talk()
    bench.known.add(await watch(bench, min(IDLE, bench.late)), ())
    await bench.reset()
    problem = "Two resets do not lead to the same state"
    try:
        _compare(bench, await bench.look(), bench.known.noise, problem)
    except Unproven:
        bench.known.add(await watch(bench, bench.late), ())
        _compare(bench, await bench.look(), bench.known.noise, problem)


async def watch(bench: Workbench, seconds: float) -> list[str]:
    """Call nothing for a while, and return what moves all the same."""
    before = await bench.everything()
    await anyio.sleep(seconds)
    return moved_paths(before, await bench.everything())


async def begin(bench: Workbench, noise: Sequence[str], *, cold: bool = True) -> None:
    """Bring back the first state, and make sure that it is the first state."""
    await bench.end_used_server(cold=cold)  # before the reset: what it still has to do must not come after it
    if bench.current is None and bench.pristine is not None:
        with suppress(Unreadable):  # a server that was ended may have left a file half written
            await bench.look()
    if not bench.is_pristine:
        await _reset(bench, noise)
    await bench.talk()


async def _reset(bench: Workbench, noise: Sequence[str]) -> None:
    await bench.reset()
    if bench.pristine is not None:
        _compare(bench, await bench.look(), noise, "The reset does not bring the first state back")
    if not bench.proven:
        bench.proven = True  # after the first change, once more: a reset can work by halves
        await bench.reset()
        if bench.pristine is not None:
            _compare(bench, await bench.look(), noise, "A second reset does not lead to the first state")


def _compare(bench: Workbench, now: Snapshot, noise: Sequence[str], problem: str) -> None:
    if bench.pristine is None or now.is_the_same_as(bench.pristine):
        return
    derived = [*bench.plan.bookkeeping, *DERIVED]
    paths = moved_paths(bench.pristine.facts, now.facts)
    masked = set(noisy_paths(paths, noise))
    paths = [path for path in paths if path not in masked and not is_covered(path, derived)]
    if paths:
        rest = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
        advice = "Mend the reset, or list what moves by itself under `bookkeeping`."
        raise Unproven(f"{problem}: {', '.join(sorted(paths)[:3])}{rest} differ.", next_step=advice)


async def walk_case(
    bench: Workbench, case: Case, wait: float, noise: Sequence[str], settle: float = 0.0, *, cold: bool = True
) -> WalkRecord:
    """Go through one case once; one that is given time to settle gets it after its steps as well."""
    strays = [*await bench.stragglers(), *await begin_patiently(bench, noise, cold=cold)]
    one = await arrange_and_measure(bench, case, partial(_measured, bench, case, wait=wait, settle=settle), settle)
    return replace(one, strays=[*strays, *one.strays], settled=settle)


async def begin_patiently(bench: Workbench, noise: Sequence[str], *, cold: bool = True) -> list[SeenRequest]:
    """Begin; where the first state did not come back, late work of an earlier call may be why, and is awaited."""
    try:
        await begin(bench, noise, cold=cold)
    except Unproven:
        strays = await bench.stragglers()
        if not strays and not bench.late:
            raise
        await anyio.sleep(bench.late)
        bench.current = None
        await _begin_or_watch(bench, cold=cold)
        return strays
    return []


async def _begin_or_watch(bench: Workbench, *, cold: bool) -> None:
    """Begin, now that no call can be the reason; what still differs may be something that seldom moves by itself."""
    try:
        await begin(bench, bench.known.noise, cold=cold)
    except Unproven:
        bench.known.add(await watch(bench, bench.late), ())
        bench.current = None
        await begin(bench, bench.known.noise, cold=cold)


async def arrange_and_measure(bench: Workbench, case: Case, measure: Measure, settle: float = 0.0) -> WalkRecord:
    """Make the steps of a case, and then the calls that count."""
    values = dict(bench.values)
    try:
        for index, step in enumerate(case.arrange, 1):
            answer = await bench.take_step(step, values)
            which = f"step {index} ({answer.name})"
            if answer.problem:
                return _unarranged(bench, case, f"{which} failed: {answer.problem}")
            for name, path in step.keep.items():
                try:
                    values[name] = pick_value(answer.content, path)
                except LookupError:
                    return _unarranged(bench, case, f"{which}: {_unkept(path, answer.content)}")
        await anyio.sleep(settle if case.arrange else 0)
        return await measure(values)
    except Unreadable as gone:
        return _unarranged(bench, case, str(gone))


def _unarranged(bench: Workbench, case: Case, problem: str) -> WalkRecord:
    bench.current = None  # the steps that worked have changed the state, and nobody has looked since
    return WalkRecord(case=case, problem=problem)


def _unkept(path: str, answer: Any) -> str:
    """Say where a value was to be kept from, and what is there."""
    if isinstance(answer, Mapping):
        has = f"has {', '.join(cast('Mapping[str, Any]', answer)) or 'nothing in it'}"
    elif isinstance(answer, list):
        has = f"is a list of {len(cast('list[Any]', answer))}"
    else:
        has = "is a text" if isinstance(answer, str) else f"is {answer!r}"
    return f"its answer has no {path}; it {has}"


@dataclass(frozen=True)
class _Look:
    """The state and the server's own files at one moment, and what tells whether either was written since."""

    state: Snapshot
    files: Mapping[str, Any]
    marks: Mapping[str, str]

    @property
    def facts(self) -> dict[str, Any]:
        return {**self.state.facts, **self.files}

    def differs_from(self, other: "_Look") -> list[str]:
        """Return the paths at which two looks differ; of equal states the facts are not even worked out."""
        states = [] if self.state.is_the_same_as(other.state) else moved_paths(self.state.facts, other.state.facts)
        return [*states, *moved_paths(self.files, other.files)]


async def _measured(
    bench: Workbench, case: Case, values: Mapping[str, Any], *, wait: float, settle: float
) -> WalkRecord:
    arguments = fill_values(dict(case.arguments), values)
    reads = bench.tools[case.tool].declared("readOnlyHint") is True

    async def look(known: Snapshot | None = None) -> _Look:
        return _Look(known or await bench.look(), await bench.files(), await bench.marks() if reads else {})

    # Where nothing was arranged and no server was started, the look that followed the reset still holds.
    known = bench.current if not case.arrange else None
    if known is None:
        await bench.sent()  # what starting and arranging sent is theirs
    before = await look(known)
    # The control arm: as much time as an earlier call took, and no call. What moves now moves by itself.
    await anyio.sleep(wait)
    control = await look()
    background = await bench.sent()
    answer, sent, seconds = await bench.timed(case.tool, arguments, settle)
    after = await look()
    second, resent, _ = await bench.timed(case.tool, arguments, settle)
    again = await look()
    # Of the whole states only what moved is kept: three states of thousands of facts for each walk would not fit.
    quiet = before.differs_from(control)
    paths = {*quiet, *control.differs_from(after), *after.differs_from(again)}
    return WalkRecord(
        case=case,
        refused=fill_values(list(case.refused), values),
        changes=None if case.changes is None else fill_values(list(case.changes), values),
        arguments=arguments,
        before=keep_paths(control.facts, paths) if paths else {},
        after=keep_paths(after.facts, paths) if paths else {},
        again=keep_paths(again.facts, paths) if paths else {},
        quiet=quiet,
        rewritten=_rewritten(before, control, again, paths),
        answer=answer,
        second=second,
        sent=[*sent, *resent],
        background=background,
        seconds=seconds,
        at=time(),
        strays=bench.writing(background),
    )


def _rewritten(before: _Look, control: _Look, again: _Look, changed: Collection[str]) -> list[str]:
    """Return where something was written during the calls, not before them, and nothing is another than it was."""
    restless = moved_paths(before.marks, control.marks)
    found = [path for path in moved_paths(control.marks, again.marks) if path not in restless]
    if changed:  # which facts stand in a file that a command reads is not known
        found = [path for path in found if not path.startswith(f"{SHOWN_FILE}/")]
    return [path for path in found if not any(one == path or one.startswith(f"{path}/") for one in changed)]
