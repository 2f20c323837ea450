"""Late work led back to its cases: they are walked again with time for it, and so is whatever it disturbed."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from time import perf_counter
from typing import Final

from aboveboard.audit.verify.ending import walk_to_the_end
from aboveboard.audit.verify.late import LateWatch, Numbered, Watched, leaves_changes, seconds_needed
from aboveboard.audit.verify.plan import Case
from aboveboard.audit.verify.state import without_ids
from aboveboard.audit.verify.walk_record import WalkRecord
from aboveboard.audit.verify.workbench import Workbench

MARGIN: Final = 0.2
"""Seconds on top of the time by which late work was seen to be done."""


class Settling:
    """What one bench does when it has walked all its cases."""

    def __init__(
        self,
        bench: Workbench,
        own: Mapping[int, Case],
        walks: Mapping[int, list[WalkRecord]],
        afresh: Callable[[int, Case, float], Awaitable[None]],
        tell: Callable[[Sequence[int], float], None],
    ) -> None:
        """Take the bench, its cases, what was seen of them, and how one is walked anew with seconds to settle.

        Who listens is told which cases were looked at now, and about how many seconds the others will take.
        """
        self._bench, self._own, self._walks, self._afresh, self._tell = bench, own, walks, afresh, tell
        self._unsettled: dict[int, list[str]] = {}
        self.unawaited: Mapping[int, str] = {}
        """Why it is not known of a case whether it has late work."""
        self._began = perf_counter()
        self._needs = {index: seconds_needed(case, walks[index], bench.late) for index, case in own.items()}
        self._needed = bench.late
        """What was thought to be needed for what is done; those that change nothing share the one wait."""

    async def settle(self) -> dict[int, list[str]]:
        """Do all of it, and return for each case what moved where it could not be found out whose doing that was."""
        own = self._own
        working = {index for index in own if any(not one.failure for one in self._walks[index])}
        watch_for = LateWatch(self._bench, self._bench.known, self._bench.late, working)
        moving = {index for index in own if leaves_changes(own[index], self._walks[index])}
        found: list[Watched] = []
        self._tell((), self._bench.late + sum(self._needs.values()))
        for still in (True, False):
            groups = await watch_for.groups(
                [(i, case) for i, case in own.items() if (i not in moving) is still], still=still, tell=self._looked_at
            )
            if groups:
                await watch_for.idle()
            for group in filter(watch_for.still_unknown, groups):
                guilty = await watch_for.narrowed(group, still=still)
                found += guilty
                await self._together(watch_for, group, guilty, still=still)
        if any(map(self._in_doubt, own)):
            await watch_for.idle()
        await self._walk_again({one.cases[0][0]: one for one in found if one.seconds})
        await self._walk_to_the_end({one.cases[0][0]: one for one in found if one.at_end})
        self.unawaited = watch_for.unawaited
        return self._unsettled | {index: paths for index in own if (paths := self._unexplained(index))}

    async def _together(self, watch_for: LateWatch, group: Watched, guilty: Sequence[Watched], *, still: bool) -> None:
        """Settle what a group moved and none of its cases does alone: one may write what another one left to it."""
        alone = {without_ids(path) for one in guilty for path in (*one.paths, *one.at_end)}
        rest = [path for path in (*group.paths, *group.at_end) if without_ids(path) not in alone]
        pair = await watch_for.together(group, rest) if still and rest else []
        named = ", then ".join(self._own[index].tool for index in pair)
        if pair:
            self._unsettled |= {index: [f"{path} (by {named})" for path in sorted({*rest})] for index in pair}
        elif not guilty:
            self._unsettled |= {index: sorted({*group.paths, *group.at_end}) for index, _ in group.cases}

    def _looked_at(self, cases: Sequence[Numbered]) -> None:
        """Tell how far it is; what is left takes as much longer than was thought as what is done did."""
        self._needed += sum(self._needs.pop(index) for index, _ in cases)
        pace = (perf_counter() - self._began) / self._needed
        self._tell([index for index, _ in cases], pace * sum(self._needs.values()))

    async def _walk_again(self, guilty: Mapping[int, Watched]) -> None:
        """Walk the guilty with time to settle, and whatever moved where they wrote, on a server that owes nothing."""
        late = {without_ids(path) for one in guilty.values() for path in one.paths}
        longest = max((one.seconds for one in guilty.values()), default=0.0)
        tools = {self._own[index].tool for index in guilty}
        for index, case in self._own.items():
            disturbed = any(not late.isdisjoint(one.restless) or one.strays for one in self._walks[index])
            if index not in guilty and not (guilty and disturbed):
                continue
            needs = guilty[index].seconds if index in guilty else 0.0
            if any(step.call in tools for step in case.steps):
                needs = longest
            await self._afresh(index, case, needs + MARGIN if needs else 0.0)
            if index in guilty and not self._shows(index, guilty[index]):
                await self._afresh(index, case, self._bench.late + MARGIN)
            if index in guilty and not self._shows(index, guilty[index]):
                self._unsettled[index] = sorted(guilty[index].paths)

    async def _walk_to_the_end(self, guilty: Mapping[int, Watched]) -> None:
        """Walk those once more after which a server wrote something as it ended."""
        for index, late in guilty.items():
            walk = await walk_to_the_end(self._bench, self._own[index])
            self._walks[index].append(walk)
            if not walk.changed:
                self._unsettled[index] = sorted(late.at_end)

    def _shows(self, index: int, late: Watched) -> bool:
        """Tell whether walks of a case show where its late work went; a request alone leaves no trace."""
        # A record that is made has another id each time, so only the collection can be compared.
        places = {path.partition("/")[0] for path in late.paths}
        moved = {path.partition("/")[0] for one in self._walks[index] for path in one.restless}
        return not places or not places.isdisjoint(moved)

    def _in_doubt(self, index: int) -> bool:
        """Tell whether walks of a case saw what nobody accounts for, or did not see the same."""
        walks = self._walks[index]
        return _disagree(walks) or bool(self._unexplained(index)) or any(one.strays for one in walks)

    def _unexplained(self, index: int) -> list[str]:
        """Return what moved in walks of a case while nothing was called, and does not move by itself."""
        return sorted({path for one in self._walks[index] for path in self._bench.known.fresh(one.quiet)})


def _disagree(walks: Sequence[WalkRecord]) -> bool:
    """Tell whether equal walks changed different things, which could be something that moves by itself."""
    return len({frozenset(map(without_ids, one.touched)) for one in walks}) > 1
