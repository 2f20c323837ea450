"""Work that is done after the answer: looked for when all cases were walked, and led back to the call that left it.

Waiting after every call would make every run slow. So many cases are called one after another, and then nothing is
called for some seconds: what moves now is late work of one of them, unless it moves by itself as well, which an idle
watch of a fresh server tells. Only then the group is halved until single cases remain. What a server keeps to itself
until it ends is late work too, so each group is ended before it is looked for the last time.
"""

import os
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any, Final

import anyio

from aboveboard.audit.facts import Facts
from aboveboard.audit.probe import Unreadable
from aboveboard.audit.verify.noise import Known
from aboveboard.audit.verify.plan import Case, ToolReads, parts_of
from aboveboard.audit.verify.seen import SeenRequest
from aboveboard.audit.verify.state import DERIVED, is_covered, moved_paths, without_ids
from aboveboard.audit.verify.values import fill_values
from aboveboard.audit.verify.walk import arrange_and_measure, begin_patiently
from aboveboard.audit.verify.walk_record import WalkRecord
from aboveboard.audit.verify.workbench import Workbench
from aboveboard.errors import BadInput

LATE: Final = 6.0
"""How many seconds after a call its work may come, and is still looked for."""
SETTING: Final = "ABOVEBOARD_LATE"
"""The variable that says another number of seconds."""
TOGETHER: Final = 0.4
"""How many seconds the calls of a group may take, where they change things; what is late by less, walks show."""
TURN: Final = 1.5
"""About how many seconds it takes to start a server anew for a group, and to end it."""
ALONE: Final = 2
"""How often the call of a case may fail after those of others; then it is called alone, on a fresh server."""
LOOKS: Final = (0.07, 0.14, 0.25, 0.5, 1.0)
"""When, as parts of the whole time, it is looked whether something has moved."""

Numbered = tuple[int, Case]


@dataclass(frozen=True)
class Watched:
    """A group of cases that were called, and what came after their answers."""

    cases: Sequence[Numbered]
    left: Sequence[Numbered]
    """Those that were not called yet."""
    paths: Sequence[str] = ()
    sent: Sequence[SeenRequest] = ()
    seconds: float = 0.0
    """By when the first of it had come."""
    at_end: Sequence[str] = ()
    """What was written as the server ended."""


def seconds_to_wait() -> float:
    """Return how long late work is looked for, where nobody says otherwise."""
    try:
        return max(0.0, float(os.environ.get(SETTING, LATE)))
    except ValueError:
        raise BadInput(f"{SETTING} takes a number of seconds.") from None


def leaves_changes(case: Case, walks: Sequence[WalkRecord]) -> bool:
    """Tell whether calling a case once more changes something, so that what was before cannot be compared."""
    return bool(case.arrange) or any(one.changed for one in walks)


def seconds_needed(case: Case, walks: Sequence[WalkRecord], late: float) -> float:
    """Return about how long late work of a case that was walked will be looked for."""
    call = max((one.seconds for one in walks), default=0.0)
    return seconds_of_looking(case, call, late, changes=leaves_changes(case, walks))


def seconds_of_looking(case: Case, call: float, late: float, *, changes: bool) -> float:
    """Return about how long late work of a case will be looked for: its calls, and its part in a group's wait."""
    calls = (len(case.arrange) + 1) * call
    return calls + ((late + TURN) * min(1.0, calls / TOGETHER) if changes else 0.0)


class LateWatch:
    """Looks on one bench for what comes late."""

    def __init__(self, bench: Workbench, known: Known, seconds: float, working: Collection[int]) -> None:
        """Take the bench, what moves there by itself, how long to look, and the cases whose walks came to something."""
        self._bench, self._known, self._seconds, self._working = bench, known, seconds, working
        self._idle = False
        self._failed = Counter[int]()
        """How often the call of a case failed after those of others, or ended the server."""
        self.unawaited: dict[int, str] = {}
        """Why late work of a case could not be looked for: its call failed there, where it had worked before."""

    async def idle(self) -> None:
        """Watch a fresh server without a call, once: what moves now moves by itself."""
        if self._idle:
            return
        self._idle = True
        await anyio.sleep(self._seconds)  # what earlier calls still do must be done by then
        await self._begin()
        await self._bench.sent()
        before = await self._bench.everything()
        await anyio.sleep(self._seconds)
        after = await self._bench.everything()
        self._known.add(moved_paths(before, after), self._bench.writing(await self._bench.sent()))
        self._known.at_end += await self._ended(after)

    async def groups(
        self, cases: Sequence[Numbered], *, still: bool, tell: Callable[[Sequence[Numbered]], None] = lambda _: None
    ) -> list[Watched]:
        """Call all cases in groups, and return those after which something came that nobody knows; tell of each."""
        found: list[Watched] = []
        left = cases
        while left:
            one = await self._watched(left, still=still)
            found += [one] if one.seconds or one.at_end else []
            left = one.left
            tell(one.cases)
        return found

    def still_unknown(self, group: Watched) -> bool:
        """Tell whether anything of what came is not known to come by itself, now that more is known."""
        told = self._known.fresh(group.paths), self._known.unheard(group.sent), self._known.unended(group.at_end)
        return any(told)

    async def narrowed(self, group: Watched, *, still: bool) -> list[Watched]:
        """Halve a group until each that is left is one case, after which something came late."""
        if len(group.cases) == 1:
            return [group]
        middle = len(group.cases) // 2
        found: list[Watched] = []
        for half in (group.cases[:middle], group.cases[middle:]):
            for one in await self.groups(half, still=still):
                found += await self.narrowed(one, still=still)
        return found

    async def together(self, group: Watched, paths: Sequence[str]) -> list[int]:
        """Return the first and the last of the cases that it takes to move some paths; none where it is not repeated.

        One may only note down what another one writes: alone, neither of them does anything.
        """
        wanted, cases = {without_ids(path) for path in paths}, group.cases
        low, high = 1, len(cases)
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if await self._move(cases[:middle], wanted) else (middle + 1, high)
        end = high
        low, high = 0, end - 1
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if await self._move(cases[middle:end], wanted) else (low, middle - 1)
        repeated = await self._move(cases[low:end], wanted)
        return list(dict.fromkeys([cases[low][0], cases[end - 1][0]])) if repeated else []

    async def _move(self, cases: Sequence[Numbered], wanted: Collection[str]) -> bool:
        one = await self._watched(cases, still=True)
        return any(without_ids(path) in wanted for path in (*one.paths, *one.at_end))

    async def _begin(self) -> None:
        await self._bench.retire_server()
        await begin_patiently(self._bench, self._known.noise, cold=False)

    async def _watched(self, cases: Sequence[Numbered], *, still: bool) -> Watched:
        """Call some cases one after another, then nothing, and look; where none changes anything, also at what was."""
        await self._begin()
        first = await self._bench.everything()
        done, left = await self._call(cases, still=still)
        if not done:
            return Watched((), left)
        await self._bench.sent()
        before = first if still else await self._bench.everything()
        return await self._after(done, left, before)

    async def _call(self, cases: Sequence[Numbered], *, still: bool) -> tuple[Sequence[Numbered], Sequence[Numbered]]:
        """Call cases until their time is over; return those of which something can be seen, and those that are left.

        One that fails where it had worked may lack what another has taken away, and leaves no late work: it is called
        after all others, and at last alone. One that ends the server is called alone, and all before it anew: nobody
        does any more what they left.
        """
        started = perf_counter()
        done: list[Numbered] = []
        for index, case in cases:
            alone = self._failed[index] >= ALONE
            if done and (alone or (not still and perf_counter() - started > TOGETHER)):
                break
            one = await arrange_and_measure(self._bench, case, partial(self._called, case))
            failure, ended = one.failure if index in self._working else "", self._bench.server_ended
            if (failure or ended) and not alone:
                self._failed[index] += ALONE if ended else 1
                left = [*cases[len(done) + 1 :], (index, case)]
                return ([], [*done, *left]) if ended else (done, left)
            done.append((index, case))
            if failure:
                self.unawaited[index] = failure
            if ended:
                break
        return done, cases[len(done) :]

    async def _called(self, case: Case, values: Mapping[str, Any]) -> WalkRecord:
        answer = await self._bench.call(case.tool, fill_values(dict(case.arguments), values))
        return WalkRecord(case=case, answer=answer)

    async def _after(self, done: Sequence[Numbered], left: Sequence[Numbered], before: Facts) -> Watched:
        """Look until the time is over: what comes later than the first must not come to the next group."""
        started = perf_counter()
        seconds, paths, sent, now = 0.0, list[str](), list[SeenRequest](), before
        for part in LOOKS:
            moment = part * self._seconds
            await anyio.sleep(max(0.0, moment - (perf_counter() - started)))
            now = await self._bench.everything()
            paths = self._counted(moved_paths(before, now))
            sent += self._known.unheard(self._bench.writing(await self._bench.sent()))
            if (paths or sent) and not seconds:
                seconds = moment
        at_end = self._counted(self._known.unended(await self._ended(now)))
        return Watched(done, left, paths, sent, seconds, at_end)

    async def _ended(self, before: Facts) -> list[str]:
        """End the server, and return what that moved; where it tells the state itself, there is nobody to ask."""
        if any(isinstance(one, ToolReads) for one in parts_of(self._bench.plan.backend.state)):
            return []
        await self._bench.retire_server()
        try:
            return moved_paths(before, await self._bench.everything())
        except Unreadable:
            self._bench.current = None
            return []

    def _counted(self, paths: Sequence[str]) -> list[str]:
        derived = [*self._bench.plan.bookkeeping, *DERIVED]
        return [path for path in self._known.fresh(paths) if not is_covered(path, derived)]
