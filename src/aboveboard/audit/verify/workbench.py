"""One backend, one recorder and one server, side by side with others of their kind."""

import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from secrets import token_urlsafe
from time import perf_counter
from types import TracebackType
from typing import Any, Final, Self

import anyio
from anyio import to_thread

from aboveboard.audit.evidence import CallResult, Tool
from aboveboard.audit.probe import Conversation, Unreadable
from aboveboard.audit.verify.noise import Known
from aboveboard.audit.verify.oracle import Oracle, StepAnswer
from aboveboard.audit.verify.own_files import (
    OUTLIVING,
    OwnFiles,
    shown_marks,
    shown_places,
    told_places,
)
from aboveboard.audit.verify.plan import ForeignRequest, Plan, Restart, Restore, Step
from aboveboard.audit.verify.processes import Guardian, free_port
from aboveboard.audit.verify.routes import request
from aboveboard.audit.verify.seen import SeenRequest
from aboveboard.audit.verify.setup import ConnectOptions, MakeSetup, ProcessSetup
from aboveboard.audit.verify.state import Snapshot, moved_paths
from aboveboard.audit.verify.values import fill_values, text

NO_ANSWER: Final = -1
"""The code of an error that is ours: the server ended, or did not answer in time."""


class Workbench:
    """Everything that one walk needs, to itself."""

    def __init__(
        self, plan: Plan, guardian: Guardian, options: ConnectOptions, setup: MakeSetup = ProcessSetup
    ) -> None:
        self.plan, self._guardian, self._options = plan, guardian, options
        self._setup = setup(plan, guardian, options)
        self.tools: Mapping[str, Tool] = {}
        self.stray: list[str] = []
        self.values: dict[str, Any] = {}
        self.pristine: Snapshot | None = None
        self.current: Snapshot | None = None
        self.known = Known()
        """What moves by itself; all benches of a run share it."""
        self.late = 0.0
        """How many seconds after a call its work may still come."""
        self.proven = False
        """Whether a reset was seen to undo a change."""
        self._stack = AsyncExitStack()
        self._session: AsyncExitStack | None = None
        self._talk: Conversation | None = None

    async def __aenter__(self) -> Self:
        try:
            await self._open()
        except BaseException:
            await self.__aexit__(None, None, None)
            raise
        return self

    async def _open(self) -> None:
        plan = self.plan
        scratch = self._stack.enter_context(
            tempfile.TemporaryDirectory(prefix="aboveboard-", ignore_cleanup_errors=True)
        )
        self._guardian.clear(scratch)
        self.values = {
            **plan.values,
            "port": free_port(),
            "server_port": free_port(),
            "python": sys.executable,
            "here": str(plan.here),
            "scratch": scratch,
            "nonce": token_urlsafe(),
        }
        await self._setup.open(self.values, self._stack)
        base = text(plan.backend.url, self.values)
        way = self._setup.backend_transport()
        self.oracle = Oracle(base, self.values, self._options.timeout, plan.backend.headers, way)
        self._stack.push_async_callback(self.oracle.aclose)
        self._own = OwnFiles(self._setup.folders, told_places(plan, self.values))
        self._shown = shown_places(plan, self.values)
        self._at_first = self._own.look()
        await self.oracle.open(plan.stores, take=isinstance(plan.backend.reset, Restore))

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with anyio.CancelScope(shield=True):
            await self.end_server()
            await self._stack.aclose()

    @property
    def unsealed(self) -> str:
        """Why a request could have gone past the recorder; empty where none could."""
        return self._setup.unsealed

    @property
    def recorded(self) -> bool:
        """Tell whether the requests of this server come by the recorder."""
        return self._setup.log is not None and bool(self.plan.server.command)

    async def reset(self) -> None:
        """Bring the backend back to its first state; what cannot be reset is started anew."""
        if self.plan.backend.reset is not None:
            if self.plan.server_keeps_state and self.plan.server.restart is Restart.CASE:
                await self.end_server()
            await self.oracle.reset(self.plan.backend.reset)
        elif self.plan.backend.command:
            await self._setup.restart_backend()
        else:
            await self.end_server()
        self.current = None

    async def look(self) -> Snapshot:
        """Read the state."""
        if self.plan.backend.state is None:
            self.current = Snapshot([], [])
        else:
            self.current = await self.oracle.look(self.plan.backend.state, self._ask, self.current or self.pristine)
        return self.current

    @property
    def is_pristine(self) -> bool:
        """Tell whether the last look saw the first state."""
        return self.current is not None and self.pristine is not None and self.current.is_the_same_as(self.pristine)

    @property
    def watched(self) -> list[str]:
        """The folders of the server in which it is seen what it writes."""
        return self._own.watched

    @property
    def unwatched(self) -> list[str]:
        """The folders of the server that hold too many files to be watched."""
        return self._own.too_many

    async def files(self) -> dict[str, Any]:
        """Look at the files that the server leaves beside what the state tells."""
        return self._own.look() if self._own.few else await to_thread.run_sync(self._own.look)

    async def left_behind(self) -> list[str]:
        """Return the files that are not as they were at first, and outlive the run."""
        changed = moved_paths(self._at_first, await self.files())
        return [path for path in changed if path.startswith(OUTLIVING)]

    async def marks(self) -> dict[str, str]:
        """Return what is another after every write to a store or to such a file, even of what was there already."""
        stores = await self.oracle.marks()
        if not self._own.watched and not self._shown:
            return stores
        return {**stores, **await to_thread.run_sync(lambda: {**self._own.marks(), **shown_marks(self._shown)})}

    async def everything(self) -> dict[str, Any]:
        """Look at the state and at the server's own files."""
        return {**(await self.look()).facts, **await self.files()}

    async def _ask(self, step: Step) -> Any:
        answer = await self.call(step.call, fill_values(dict(step.arguments), self.values))
        if answer.failed:
            raise Unreadable(f"The read tool {step.call} failed: {answer.complaint}")
        return answer.content

    async def talk(self) -> Conversation:
        """Return the session with the server, which is started where there is none."""
        if self._talk is None:
            session = AsyncExitStack()
            try:
                self._talk = await self._setup.start_server(session)
            except BaseException:
                with anyio.CancelScope(shield=True):
                    await session.aclose()
                raise
            self._session = session
            self.current = None  # starting may have written
            self.stray += [line for line in self._talk.wire.stray if line not in self.stray]
        return self._talk

    async def end_server(self) -> None:
        """End the session, and the server if it was started here."""
        session, self._session, self._talk = self._session, None, None
        if session is not None:
            await session.aclose()
            if self.late and self.is_pristine:
                self.current = None  # it may have written since that look, or be half done with it

    @property
    def server_ended(self) -> bool:
        """Tell whether no session is open: the server has ended, or has not been started."""
        return self._talk is None

    async def retire_server(self) -> None:
        """End a server that was started here: what it still had to do is not done any more, and the next is fresh."""
        if self.plan.server.command:
            await self.end_server()

    async def end_used_server(self, *, cold: bool) -> None:
        """End the server where the plan wants a fresh one for every trial, or for a walk that must begin cold."""
        restart = self.plan.server.restart
        if restart is Restart.TRIAL or (cold and restart is Restart.CASE):
            await self.end_server()

    async def call(self, name: str, arguments: Mapping[str, Any]) -> CallResult:
        """Call a tool; a server that ends or hangs has answered with an error, and is started anew for the next."""
        tool = self.tools.get(name) or Tool({"name": name})
        talk = await self.talk()
        lines = len(talk.wire.stray)
        try:
            with anyio.fail_after(self._options.timeout):
                return await talk.call(tool, arguments)
        except TimeoutError:
            problem = f"no answer within {self._options.timeout:g} seconds"
        except Unreadable as gone:
            problem = str(gone)
        finally:
            fresh = [line.removeprefix("after an answer: ") for line in talk.wire.stray[lines:]]
            self.stray += [f"during {name}: {line}" for line in fresh]
        await self.end_server()
        return CallResult(tool, arguments=arguments, error={"code": NO_ANSWER, "message": problem})

    async def take_step(self, step: Step | ForeignRequest, values: Mapping[str, Any]) -> StepAnswer:
        """Do what comes before the call that counts."""
        if isinstance(step, ForeignRequest):
            self.current = None
            return await self.oracle.send(step, values)
        answer = await self.call(step.call, fill_values(dict(step.arguments), values))
        return StepAnswer(step.call, answer.content, answer.complaint if answer.failed else "")

    async def timed(
        self, name: str, arguments: Mapping[str, Any], settle: float
    ) -> tuple[CallResult, list[SeenRequest], float]:
        """Call a tool, give it time to settle, and return its answer, what it sent and how long it took."""
        await self.sent()
        start = perf_counter()
        answer = await self.call(name, arguments)
        seconds = perf_counter() - start
        if pause := max(settle, self.plan.server.settle):
            await anyio.sleep(pause)
        return answer, await self.sent(), seconds

    async def stragglers(self) -> list[SeenRequest]:
        """Return the writing requests that came outside of any call: some servers answer first and write afterwards."""
        late = self.writing(await self.sent())
        if late:
            self.current = None  # the last look is no longer true
        return late

    def writing(self, seen: Sequence[SeenRequest]) -> list[SeenRequest]:
        """Choose the requests that write, as far as anyone knows."""
        return [one for one in seen if request(one, self.plan.routes).may_write]

    async def sent(self) -> list[SeenRequest]:
        """Return what the server sent since it was last asked, once nothing is under way any more."""
        if self._setup.log is None:
            return []
        await self._setup.flush()
        await self._setup.log.wait_until_idle(self._options.timeout)
        return self._setup.log.take_requests()
