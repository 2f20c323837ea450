"""Runs a plan: benches side by side, each case walked several times."""

import asyncio
import re
import signal
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, Final, cast
from urllib.parse import urlsplit

import anyio

from aboveboard.audit.evidence import Server
from aboveboard.audit.verify.late import TOGETHER, LateWatch, Watched, seconds_to_wait
from aboveboard.audit.verify.marathon import is_for, run_marathon
from aboveboard.audit.verify.noise import Known
from aboveboard.audit.verify.plan import Case, Fetch, Plan, Rereads, Restart, Step, ToolReads, on_loopback, parts_of
from aboveboard.audit.verify.processes import Guardian
from aboveboard.audit.verify.proof import Proof, Run
from aboveboard.audit.verify.setup import ConnectOptions, MakeSetup, ProcessSetup
from aboveboard.audit.verify.state import chosen, without_ids
from aboveboard.audit.verify.walk import prove_reset, walk_case, watch
from aboveboard.audit.verify.walk_record import WalkRecord
from aboveboard.audit.verify.workbench import Workbench
from aboveboard.errors import BadInput, Failure, unknown

MARGIN: Final = 0.2
"""Seconds on top of the time by which late work was seen to be done."""
_OWN: Final = re.compile(r"\$\{(?:scratch|port|server_port|nonce)\}")
"""What makes a place another one for each job."""


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    done: int
    total: int
    tool: str
    seconds: float


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
    if jobs > 1 and plan.backend.url and not plan.backend.command:
        raise BadInput("Several jobs need a backend each.", next_step="Say with backend.command how one is started.")
    if shared := [one.kind for one in plan.stores if jobs > 1 and not _OWN.search(one.place)]:
        raise BadInput(
            f"Several jobs need a {shared[0]} store each.", next_step="Put ${scratch} or ${port} into its place."
        )
    wanted = RunOptions(repeats=repeats, jobs=jobs, only=only, late=seconds_to_wait() if late is None else late)
    runner = _Runner(plan, wanted, progress, options or ConnectOptions(), setup)
    try:
        return anyio.run(_until_told_to_end, runner.run).proof()
    except* Failure as failures:
        raise _first(failures) from None


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


def refuse_what_cannot_be(plan: Plan, *, disposable: bool) -> None:
    """Refuse a plan that cannot be run, and one that would touch more than this machine."""
    if not plan.server.command and not plan.server.url:
        raise BadInput(
            "The plan names no server.", next_step="Add `server:` with a command or a URL, or give a TARGET."
        )
    if plan.todos:
        raise BadInput(
            f"{plan.source} is not finished: {_left(plan)}.",
            next_step="Complete them; where TODO is meant as a value, put it in quotes.",
        )
    backend = plan.backend
    resets = backend.reset or backend.command or isinstance(backend.state, ToolReads)
    if backend.state is not None and not resets:
        raise BadInput("The plan says how to read the state and not how to reset it.", next_step="Add backend.reset.")
    for what, url in () if disposable else _places(plan):
        if not on_loopback(url):
            host = urlsplit(url).hostname or url
            raise BadInput(
                f"The {what} at {host} is not on this machine, and every tool will be called, deleting ones included.",
                next_step="If all of it may be lost, say so: --i-know-this-is-disposable",
            )


def _left(plan: Plan) -> str:
    first = plan.todos[0]
    at = f"on line {first.line}" if first.file == plan.source else f"in {first}"
    if len(plan.todos) == 1:
        return f"one value still says TODO, {at}"
    return f"{len(plan.todos)} values still say TODO, the first {at}"


def _places(plan: Plan) -> list[tuple[str, str]]:
    """Return every URL that a plan leads to, with what is there."""
    backend, parts = plan.backend, parts_of(plan.backend.state)
    fetches = [one for one in (backend.reset, *parts) if isinstance(one, Fetch)]
    fetches += [fetch for one in parts if isinstance(one, Rereads) for fetch in one.reads]
    urls = [("backend", backend.url), ("server", plan.server.url), *(("state", one.target) for one in fetches)]
    stored = [(one.kind, f"//{host}") for one in plan.stores for host in one.hosts]
    return [*((what, url) for what, url in urls if "://" in url), *stored]


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
        self.walks: dict[int, list[WalkRecord]] = defaultdict(list)
        self.stray: list[str] = []
        self.marathons: dict[str, int] = {}
        """For each tool that had its marathon, the case it had it with."""
        self.finished: set[int] = set()
        self.ended = ""
        self.start = self.began = perf_counter()

    async def run(self) -> Run:
        guardian = Guardian()
        try:
            async with Workbench(self.plan, guardian, self.options, self.setup) as first:
                server = await self._survey(first)
                unsealed, unwatched = first.unsealed, first.unwatched
                await self._share_until_it_fails(first, guardian, server)
        finally:
            guardian.close()
        cases = self._cases()
        return Run(
            plan=self.plan,
            server=server,
            tools=[tool for tool in server.tools if chosen(tool.name, self.wanted.only)],
            walks=[one for index in sorted(self.walks) for one in self.walks[index]],
            noise=self.known.noise,
            unsettled={id(cases[index]): paths for index, paths in self.unsettled.items()},
            late=self.wanted.late,
            unsealed=unsealed,
            unwatched=unwatched,
            stray=self.stray,
            seconds=perf_counter() - self.start,
            walking=perf_counter() - self.began,
            ended=f"The run ended after {len(self.finished)} of {len(cases)} cases: {self.ended}" if self.ended else "",
            unreached=[case for index, case in enumerate(cases) if index not in self.finished],
        )

    def _cases(self) -> list[Case]:
        return [case for case in self.plan.cases if chosen(case.tool, self.wanted.only)]

    async def _share_until_it_fails(self, first: Workbench, guardian: Guardian, server: Server) -> None:
        """Walk the cases; what ends a run late does not take with it what was seen before."""
        try:
            try:
                await self._share(first, guardian, server)
            except* Failure as failures:
                if not self.finished:
                    raise
                self.ended = str(_first(failures))
        except asyncio.CancelledError:
            if not self.finished:
                raise
            cast("asyncio.Task[Any]", asyncio.current_task()).uncancel()
            self.ended = "it was told to end."

    async def _survey(self, bench: Workbench) -> Server:
        if self.plan.backend.reset is not None:
            await bench.reset()
        server = await (await bench.talk()).survey(listings=2)
        known = list(server.by_name())
        parts = parts_of(self.plan.backend.state)
        asked = [step for one in parts if isinstance(one, ToolReads) for step in one.steps]
        steps: list[Step | Case] = [*asked, *(step for case in self.plan.cases for step in case.arrange)]
        for one in [*self.plan.cases, *steps]:
            name = one.tool if isinstance(one, Case) else one.call
            if name not in known:
                raise BadInput(f"{one.place or self.plan.source}: {unknown('tool', name, known, of='The server')}")
        for wanted in self.wanted.only:
            if not any(chosen(name, [wanted]) for name in known):
                raise BadInput(unknown("tool", wanted, known, of="The server"))
        return server

    async def _share(self, first: Workbench, guardian: Guardian, server: Server) -> None:
        """Let the benches take case after case, each beginning with a proof that its reset works."""
        cases = self._cases()
        # All benches take from the end of one list; the numbers put what they saw back in the plan's order.
        waiting = list(enumerate(cases))[::-1]

        async def work(bench: Workbench | None) -> None:
            async with AsyncExitStack() as stack:
                bench = bench or await stack.enter_async_context(
                    Workbench(self.plan, guardian, self.options, self.setup)
                )
                bench.late, bench.known = self.wanted.late, self.known
                bench.tools = {tool.name: replace(tool, server=server.name) for tool in server.tools}
                if self.plan.backend.state is not None and waiting:
                    await prove_reset(bench)
                await self._work(bench, waiting, len(cases))
                await self._last_reset(bench)
                self.stray += bench.stray

        self.began = perf_counter()
        async with anyio.create_task_group() as group:
            group.start_soon(work, first)
            for _ in range(min(self.wanted.jobs, len(cases)) - 1):
                group.start_soon(work, None)

    async def _last_reset(self, bench: Workbench) -> None:
        """Leave a backend that is not ours as it was found."""
        if self.plan.backend.reset is not None and not self.plan.backend.command:
            await bench.reset()

    async def _work(self, bench: Workbench, waiting: list[tuple[int, Case]], total: int) -> None:
        """Take case after case; then see what any of them did after its answer."""
        own: dict[int, Case] = {}
        while waiting:
            index, case = waiting.pop()
            await self._case(bench, index, case)
            own[index] = case
            self.finished.add(index)
            self.progress(Progress(len(self.finished), total, case.tool, perf_counter() - self.began))
        if self.wanted.late and own:
            await self._what_came_late(bench, own)

    async def _what_came_late(self, bench: Workbench, own: Mapping[int, Case]) -> None:
        """Find the cases that leave work for later, walk them again with time for it, and mend what it disturbed."""
        watch_for = LateWatch(bench, self.known, self.wanted.late)
        quiet = {index for index in own if not own[index].arrange and not any(one.changed for one in self.walks[index])}
        found: list[Watched] = []
        for still in (True, False):
            groups = await watch_for.groups(
                [(i, case) for i, case in own.items() if (i in quiet) is still], still=still
            )
            if groups:
                await watch_for.idle()
            for group in filter(watch_for.still_unknown, groups):
                guilty = await watch_for.narrowed(group, still=still)
                found += guilty
                if not guilty:
                    self.unsettled |= {index: sorted(group.paths) for index, _ in group.cases}
        if any(map(self._in_doubt, own)):
            await watch_for.idle()
        await self._walk_again(bench, own, {one.cases[0][0]: one for one in found})
        self.unsettled |= {index: paths for index in own if (paths := self._unexplained(index))}

    async def _walk_again(self, bench: Workbench, own: Mapping[int, Case], guilty: Mapping[int, Watched]) -> None:
        """Walk the guilty with time to settle, and whatever moved where they wrote, on a server that owes nothing."""
        late = {without_ids(path) for one in guilty.values() for path in one.paths}
        longest = max((one.seconds for one in guilty.values()), default=0.0)
        tools = {own[index].tool for index in guilty}
        for index, case in own.items():
            disturbed = any(not late.isdisjoint(one.restless) or one.strays for one in self.walks[index])
            if index not in guilty and not (guilty and disturbed):
                continue
            needs = guilty[index].seconds if index in guilty else 0.0
            if any(step.call in tools for step in case.arrange):
                needs = longest
            await self._afresh(bench, index, case, needs + MARGIN if needs else 0.0)
            if index in guilty and not self._shows(index, guilty[index]):
                await self._afresh(bench, index, case, self.wanted.late + MARGIN)
            if index in guilty and not self._shows(index, guilty[index]):
                self.unsettled[index] = sorted(guilty[index].paths)

    async def _afresh(self, bench: Workbench, index: int, case: Case, settle: float) -> None:
        self.walks[index].clear()
        self.finished.discard(index)
        await bench.retire_server()
        await self._case(bench, index, case, settle=settle)
        self.finished.add(index)

    def _shows(self, index: int, late: Watched) -> bool:
        """Tell whether walks of a case show where its late work went; a request alone leaves no trace."""
        # A record that is made has another id each time, so only the collection can be compared.
        places = {path.partition("/")[0] for path in late.paths}
        moved = {path.partition("/")[0] for one in self.walks[index] for path in one.restless}
        return not places or not places.isdisjoint(moved)

    def _in_doubt(self, index: int) -> bool:
        """Tell whether walks of a case saw what nobody accounts for, or did not see the same."""
        walks = self.walks[index]
        return _disagree(walks) or bool(self._unexplained(index)) or any(one.strays for one in walks)

    def _unexplained(self, index: int) -> list[str]:
        """Return what moved in walks of a case while nothing was called, and does not move by itself."""
        return sorted({path for one in self.walks[index] for path in self.known.fresh(one.quiet)})

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


def _disagree(walks: Sequence[WalkRecord]) -> bool:
    """Tell whether equal walks changed different things, which could be something that moves by itself."""
    return len({frozenset(map(without_ids, one.touched)) for one in walks}) > 1
