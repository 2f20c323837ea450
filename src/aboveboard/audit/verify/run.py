"""Runs a plan: benches side by side, each case walked several times."""

import asyncio
import signal
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import Any, cast

import anyio

from aboveboard.audit.evidence import Server
from aboveboard.audit.verify.forecast import Forecast
from aboveboard.audit.verify.late import TOGETHER, seconds_to_wait
from aboveboard.audit.verify.marathon import is_for, run_marathon
from aboveboard.audit.verify.noise import Known
from aboveboard.audit.verify.plan import Case, Plan, Restart, Step, ToolReads, parts_of
from aboveboard.audit.verify.processes import guardian
from aboveboard.audit.verify.progress import Progress
from aboveboard.audit.verify.proof import Proof, Run
from aboveboard.audit.verify.refusing import refuse_what_cannot_be, refuse_what_cannot_be_shared
from aboveboard.audit.verify.settling import Settling
from aboveboard.audit.verify.setup import ConnectOptions, MakeSetup, ProcessSetup
from aboveboard.audit.verify.state import is_chosen
from aboveboard.audit.verify.walk import prove_reset, walk_case, watch
from aboveboard.audit.verify.walk_record import WalkRecord
from aboveboard.audit.verify.workbench import Workbench
from aboveboard.errors import BadInput, Failure, explain_unknown


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """How much of a plan to run, and how often."""

    repeats: int = 3
    jobs: int = 1
    only: Collection[str] = ()
    late: float = 0.0


def verify(
    plan: Plan,
    *,
    repeats: int = 3,
    jobs: int = 1,
    only: Collection[str] = (),
    late: float | None = None,
    progress: Callable[[Progress], None] = lambda _: None,
    options: ConnectOptions | None = None,
    disposable: bool = False,
    setup: MakeSetup = ProcessSetup,
) -> Proof:
    """Run a plan to its end and judge what was seen; its commands are started, unless another setup is given.

    What comes up to `late` seconds after an answer is still that call's; with 0 nothing is waited for.
    """
    refuse_what_cannot_be(plan, disposable=disposable)
    if jobs > 1:
        refuse_what_cannot_be_shared(plan)
    wanted = RunOptions(repeats=repeats, jobs=jobs, only=only, late=seconds_to_wait() if late is None else late)
    runner = _Runner(plan, wanted, progress, options or ConnectOptions(), setup)
    try:
        return anyio.run(_until_told_to_end, runner.run).proof()
    except* Failure as failures:
        first = _first(failures)
    raise first  # not there: before Python 3.11.4, what is raised in an except* comes out as a group


async def _until_told_to_end(run: Callable[[], Awaitable[Run]]) -> Run:
    """Let SIGTERM end a run as Ctrl-C does: everything is undone, and then it is over."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    told: list[int] = []

    def end() -> None:
        told.append(signal.SIGTERM)
        cast("asyncio.Task[Any]", task).cancel()

    try:
        loop.add_signal_handler(signal.SIGTERM, end)
    except (NotImplementedError, RuntimeError, ValueError):
        return await run()  # not the main thread, or a system without it: whoever called handles signals
    try:
        return await run()
    except asyncio.CancelledError:
        if told:
            raise SystemExit(128 + signal.SIGTERM) from None
        raise
    finally:
        loop.remove_signal_handler(signal.SIGTERM)


def _first(group: BaseExceptionGroup[Failure]) -> Failure:
    """Return what went wrong first: one sentence is enough."""
    one = group.exceptions[0]
    return _first(one) if isinstance(one, BaseExceptionGroup) else one


class _Runner:
    """One run."""

    def __init__(
        self,
        plan: Plan,
        wanted: RunOptions,
        progress: Callable[[Progress], None],
        options: ConnectOptions,
        setup: MakeSetup,
    ) -> None:
        self.plan, self.wanted, self.progress, self.options, self.setup = plan, wanted, progress, options, setup
        self.known = Known()
        self.unsettled: dict[int, list[str]] = {}
        """What moved after the calls of a case, where it could not be found out whose doing it was."""
        self.unawaited: dict[int, str] = {}
        """Why it is not known what came after the answers of a case."""
        self.walks: dict[int, list[WalkRecord]] = defaultdict(list)
        self.stray: list[str] = []
        self.left_behind: list[str] = []
        self.marathons: dict[str, int] = {}
        """For each tool that had its marathon, the case it had it with."""
        self.finished: set[int] = set()
        self.looked: set[int] = set()
        self.forecast = Forecast((), (), 0.0)
        self.settled: set[int] = set()
        """The cases of which it is known what came after their answers; without that, none has kept a promise."""
        self.ended = ""
        self.start = self.began = perf_counter()
        self.first = 0.0
        """When the first case began: that its reset works was proven before, once for all of them."""

    async def run(self) -> Run:
        async with Workbench(self.plan, guardian(), self.options, self.setup) as first:
            server = await self._survey(first)
            unsealed, watched, unwatched = first.unsealed, first.watched, first.unwatched
            await self._share_until_it_fails(first, server)
        cases = self._cases()
        return Run(
            plan=self.plan,
            server=server,
            tools=[tool for tool in server.tools if is_chosen(tool.name, self.wanted.only)],
            walks=[one for index in sorted(self.walks) for one in self.walks[index]],
            noise=self.known.noise,
            standing=self.known.standing,
            unsettled={id(cases[index]): paths for index, paths in self.unsettled.items()},
            unawaited={id(cases[index]): why for index, why in self.unawaited.items()},
            late=self.wanted.late,
            unsealed=unsealed,
            watched=watched,
            unwatched=unwatched,
            stray=self.stray,
            left_behind=self.left_behind,
            seconds=perf_counter() - self.start,
            walking=perf_counter() - self.began,
            ended=f"The run ended after {len(self.finished)} of {len(cases)} cases: {self.ended}" if self.ended else "",
            unreached=[case for index, case in enumerate(cases) if index not in self.settled],
        )

    def _cases(self) -> list[Case]:
        return [case for case in self.plan.cases if is_chosen(case.tool, self.wanted.only)]

    async def _share_until_it_fails(self, first: Workbench, server: Server) -> None:
        """Walk the cases; what ends a run late does not take with it what was seen before."""
        try:  # two, as one cannot have both except and except*
            try:
                await self._share(first, server)
            except* Failure as failures:
                if not self.finished:
                    raise
                self.ended = str(_first(failures))
        except asyncio.CancelledError:
            if not self.finished:
                raise
            # Taken back: the benches must still be put away in order, and what was seen be judged.
            cast("asyncio.Task[Any]", asyncio.current_task()).uncancel()
            self.ended = "it was told to end."

    async def _survey(self, bench: Workbench) -> Server:
        if self.plan.backend.reset is not None:
            await bench.reset()
        server = await (await bench.talk()).survey(listings=2)
        known = list(server.by_name())
        parts = parts_of(self.plan.backend.state)
        asked = [step for one in parts if isinstance(one, ToolReads) for step in one.steps]
        steps: list[Step | Case] = [*asked, *(step for case in self.plan.cases for step in case.steps)]
        for one in [*self.plan.cases, *steps]:
            name = one.tool if isinstance(one, Case) else one.call
            if name not in known:
                raise BadInput(
                    f"{one.place or self.plan.source}: {explain_unknown('tool', name, known, of='The server')}"
                )
        for wanted in self.wanted.only:
            if not any(is_chosen(name, [wanted]) for name in known):
                raise BadInput(explain_unknown("tool", wanted, known, of="The server"))
        return server

    async def _share(self, first: Workbench, server: Server) -> None:
        """Let the benches take case after case, each beginning with a proof that its reset works."""
        cases = self._cases()
        reading = {tool.name for tool in server.tools if tool.declared("readOnlyHint") is True}
        self.forecast = Forecast(cases, reading, self.wanted.late, self.wanted.jobs)
        # All benches take from the end of one list; the numbers put what they saw back in the plan's order.
        waiting = list(enumerate(cases))[::-1]

        async def work(bench: Workbench | None) -> None:
            async with AsyncExitStack() as stack:
                bench = bench or await stack.enter_async_context(
                    Workbench(self.plan, guardian(), self.options, self.setup)
                )
                bench.late, bench.known = self.wanted.late, self.known
                bench.tools = {tool.name: replace(tool, server=server.name) for tool in server.tools}
                if self.plan.backend.state is not None and waiting:
                    await prove_reset(bench)
                await self._work(bench, waiting)
                await self._last_reset(bench)
                self.stray += bench.stray
                self.left_behind += await bench.left_behind()

        self.began = perf_counter()
        async with anyio.create_task_group() as group:
            group.start_soon(work, first)
            for _ in range(min(self.wanted.jobs, len(cases)) - 1):
                group.start_soon(work, None)

    async def _last_reset(self, bench: Workbench) -> None:
        """Leave a backend that is not ours as it was found."""
        if self.plan.backend.reset is not None and not self.plan.backend.command:
            await bench.reset()

    async def _work(self, bench: Workbench, waiting: list[tuple[int, Case]]) -> None:
        """Take case after case; then see what any of them did after its answer."""
        own: dict[int, Case] = {}
        self.first = self.first or perf_counter()
        while waiting:
            index, case = waiting.pop()
            await self._case(bench, index, case)
            own[index] = case
            self.finished.add(index)
            self.forecast.note(index, self.walks[index])
            self._tell(case.tool, self.forecast.seconds)
        if self.wanted.late and own:
            afresh = partial(self._afresh, bench)
            settling = Settling(bench, own, self.walks, afresh, self._tell_of_late)
            self.unsettled |= await settling.settle()
            self.unawaited |= settling.unawaited
        self.settled |= own.keys()

    def _tell_of_late(self, looked: Sequence[int], left: float) -> None:
        self.looked.update(looked)
        self._tell("", left)

    def _tell(self, tool: str, late: float) -> None:
        seconds = perf_counter() - self.first
        self.progress(Progress(len(self.finished), len(self._cases()), tool, seconds, len(self.looked), late))

    async def _afresh(self, bench: Workbench, index: int, case: Case, settle: float) -> None:
        """Forget what was seen of a case, and walk it again."""
        self.walks[index].clear()
        self.finished.discard(index)
        await bench.retire_server()
        await self._case(bench, index, case, settle=settle)
        self.finished.add(index)
        self._tell(case.tool, 0.0)

    async def _case(self, bench: Workbench, index: int, case: Case, *, settle: float = 0.0) -> None:
        """Walk a case several times; before its server is ended, wait and look once more."""
        wait = 0.0
        own = self.walks[index]
        # With time to settle after every call, two walks have to do.
        for cold in [True] * min(2, self.wanted.repeats) if settle else self._walks():
            if cold and own:
                await self._last_look(bench, own)
            one = await walk_case(bench, case, wait, self.known.noise, settle, cold=cold)
            own.append(one)
            wait = max(wait, one.seconds)
            if one.problem:
                break
        await self._marathon(bench, index, case)

    async def _last_look(self, bench: Workbench, own: list[WalkRecord]) -> None:
        """See what comes within a moment of the last call; it is what that call left, and not noise."""
        if not self.wanted.late or own[-1].problem or own[-1].settled:
            return
        moved = await watch(bench, min(TOGETHER, self.wanted.late))
        own[-1] = replace(own[-1], quiet=[*own[-1].quiet, *moved])

    def _walks(self) -> list[bool]:
        """Say of each walk of a case whether it begins with a fresh server, where the plan wants one for each case."""
        server = self.plan.server
        once_more = [True] if server.restart is Restart.CASE and server.command else []
        return [True, *[False] * (self.wanted.repeats - 1), *once_more]

    async def _marathon(self, bench: Workbench, index: int, case: Case) -> None:
        """Let a tool that claims to read run far, with the first of its cases that works."""
        own = self.walks[index]
        wanted = is_for(self.plan, bench.tools[case.tool], own)
        if wanted and self.marathons.setdefault(case.tool, index) == index:
            own.append(await run_marathon(bench, case, self.known.noise))
