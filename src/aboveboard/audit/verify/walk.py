"""One walk: from the first state, arranged, looked at, called once, looked at, called again, looked at."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import anyio

from aboveboard.audit.evidence import Answer
from aboveboard.audit.facts import Facts
from aboveboard.audit.probe import Unreadable
from aboveboard.audit.verify.lane import Lane
from aboveboard.audit.verify.noise import mask, noisy
from aboveboard.audit.verify.plan import Case, Restart, Step
from aboveboard.audit.verify.seen import Seen
from aboveboard.audit.verify.state import DERIVED, Snapshot, covered, moved, narrowed
from aboveboard.audit.verify.values import filled, picked
from aboveboard.errors import Failure


class Unproven(Failure):
    """The reset does not bring the state back, so nothing can be said."""


@dataclass(frozen=True, kw_only=True)
class Walk:
    """What one walk saw; of the states, only what moved."""

    case: Case
    refused: Sequence[str] = ()
    """The case's words, with its values filled in."""
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    before: Facts = field(default_factory=dict[str, Any])
    after: Facts = field(default_factory=dict[str, Any])
    again: Facts = field(default_factory=dict[str, Any])
    quiet: Sequence[str] = ()
    """What moved while nothing was called."""
    answer: Answer | None = None
    second: Answer | None = None
    sent: Sequence[Seen] = ()
    background: Sequence[Seen] = ()
    """What the server sent while nothing was called."""
    seconds: float = 0.0
    problem: str = ""
    """Why the call could not be made, or the state not be read."""
    strays: Sequence[Seen] = ()
    """Writing requests that came while nothing was called: of an earlier call, most likely."""

    @property
    def touched(self) -> list[str]:
        """What moved while something was called."""
        return [*moved(self.before, self.after), *moved(self.after, self.again)]

    @property
    def changed(self) -> bool:
        """Tell whether the calls left another state than they found."""
        return bool(self.touched)


async def prove_reset(lane: Lane) -> list[str]:
    """Reset twice and compare; return what moves by itself meanwhile."""
    await lane.reset()
    lane.pristine = await lane.look()
    noise = await watch(lane, 0)
    await lane.reset()
    _compare(lane, await lane.look(), mask(noise), "Two resets do not lead to the same state")
    return noise


async def watch(lane: Lane, seconds: float) -> list[str]:
    """Call nothing for a while, and return what moves all the same."""
    before = await lane.look()
    await anyio.sleep(seconds)
    return _moved(before, await lane.look())


async def begin(lane: Lane, noise: Sequence[str]) -> None:
    """Bring back the first state, and make sure that it is the first state."""
    pristine = lane.pristine
    if lane.current is None or pristine is None or not lane.current.is_the_same_as(pristine):
        await lane.reset()
        if pristine is not None:
            _compare(lane, await lane.look(), noise, "The reset does not bring the first state back")
        if not lane.proven:
            lane.proven = True  # after the first change, once more: a reset can work by halves
            await lane.reset()
            if pristine is not None:
                _compare(lane, await lane.look(), noise, "A second reset does not lead to the first state")
    await lane.fresh_server()


def _compare(lane: Lane, now: Snapshot, noise: Sequence[str], problem: str) -> None:
    if lane.pristine is None or now.is_the_same_as(lane.pristine):
        return
    derived = [*lane.plan.bookkeeping, DERIVED]
    paths = moved(lane.pristine.facts, now.facts)
    masked = set(noisy(paths, noise))
    paths = [path for path in paths if path not in masked and not covered(path, derived)]
    if paths:
        rest = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
        advice = "Mend the reset, or list what moves by itself under `bookkeeping`."
        raise Unproven(f"{problem}: {', '.join(sorted(paths)[:3])}{rest} differ.", next_step=advice)


async def walk(lane: Lane, case: Case, wait: float, noise: Sequence[str], settle: float = 0.0) -> Walk:
    """Go through one case once."""
    strays = await lane.stragglers()
    try:
        await begin(lane, noise)
    except Unproven:
        strays += await lane.stragglers()
        if not strays:
            raise
        lane.current = None  # not the reset's fault: something was written after it
        await begin(lane, noise)
    one = await _arranged(lane, case, wait, settle)
    return replace(one, strays=[*strays, *one.strays])


async def _arranged(lane: Lane, case: Case, wait: float, settle: float) -> Walk:
    values = dict(lane.values)
    try:
        for index, step in enumerate(case.arrange, 1):
            answer = await lane.call(step.call, filled(dict(step.arguments), values))
            if answer.failed:
                return Walk(case=case, problem=f"step {index} ({step.call}) failed: {answer.complaint}")
            for name, path in step.keep.items():
                try:
                    values[name] = picked(answer.content, path)
                except LookupError:
                    return Walk(case=case, problem=_unkept(index, step, path, answer.content))
        return await _measured(lane, case, values, wait, settle)
    except Unreadable as gone:
        lane.current = None
        return Walk(case=case, problem=str(gone))


def _unkept(index: int, step: Step, path: str, answer: Any) -> str:
    """Say where a value was to be kept from, and what is there."""
    if isinstance(answer, Mapping):
        has = f"has {', '.join(cast('Mapping[str, Any]', answer)) or 'nothing in it'}"
    elif isinstance(answer, list):
        has = f"is a list of {len(cast('list[Any]', answer))}"
    else:
        has = "is a text" if isinstance(answer, str) else f"is {answer!r}"
    return f"step {index} ({step.call}): its answer has no {path}; it {has}"


async def _measured(lane: Lane, case: Case, values: Mapping[str, Any], wait: float, settle: float) -> Walk:
    arguments = filled(dict(case.arguments), values)
    before = lane.current if not case.arrange and lane.plan.server.restart is Restart.NEVER else None
    if before is None:
        await lane.sent()  # what starting and arranging sent is theirs
        before = await lane.look()
    await anyio.sleep(wait)
    control = await lane.look()
    background = await lane.sent()
    answer, sent, seconds = await lane.timed(case.tool, arguments, settle)
    after = await lane.look()
    second, resent, _ = await lane.timed(case.tool, arguments, settle)
    again = await lane.look()
    quiet = _moved(before, control)
    paths = {*quiet, *_moved(control, after), *_moved(after, again)}
    return Walk(
        case=case,
        refused=filled(list(case.refused), values),
        arguments=arguments,
        before=narrowed(control.facts, paths) if paths else {},
        after=narrowed(after.facts, paths) if paths else {},
        again=narrowed(again.facts, paths) if paths else {},
        quiet=quiet,
        answer=answer,
        second=second,
        sent=[*sent, *resent],
        background=background,
        seconds=seconds,
        strays=lane.writing(background),
    )


def _moved(one: Snapshot, other: Snapshot) -> list[str]:
    return [] if one.is_the_same_as(other) else moved(one.facts, other.facts)
