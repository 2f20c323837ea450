"""One backend, one recorder and one server, side by side with others of their kind."""

import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from secrets import token_urlsafe
from time import perf_counter
from types import TracebackType
from typing import Any, Final, Self, cast
from urllib.parse import urlsplit

import anyio

from aboveboard.audit.evidence import Answer, Tool
from aboveboard.audit.probe import Address, Command, Conversation, Era, Unreadable, converse
from aboveboard.audit.probe.stdio import Pipes
from aboveboard.audit.verify.oracle import Oracle
from aboveboard.audit.verify.plan import Plan, Record, Restart, Step
from aboveboard.audit.verify.processes import Background, Guardian, argv, free_port
from aboveboard.audit.verify.recorder import Recorder, Seen
from aboveboard.audit.verify.routes import request
from aboveboard.audit.verify.state import Snapshot
from aboveboard.audit.verify.values import filled, text

NO_ANSWER: Final = -1
"""The code of an error that is ours: the server ended, or did not answer in time."""


@dataclass(frozen=True, kw_only=True)
class Means:
    """How to speak to servers, and for how long to wait."""

    era: Era = Era.AUTO
    timeout: float = 30.0


class Lane:
    """Everything that one walk needs, to itself."""

    def __init__(self, plan: Plan, guardian: Guardian, means: Means) -> None:
        self.plan, self._guardian, self._means = plan, guardian, means
        self.tools: Mapping[str, Tool] = {}
        self.stray: list[str] = []
        self.values: dict[str, Any] = {}
        self.pristine: Snapshot | None = None
        self.current: Snapshot | None = None
        self.proven = False
        """Whether a reset was seen to undo a change."""
        self._stack = AsyncExitStack()
        self._session: AsyncExitStack | None = None
        self._talk: Conversation | None = None
        self._backend: Background | None = None
        self._recorder: Recorder | None = None

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
        self._stack.push_async_callback(self._end_backend)
        base = text(plan.backend.url, {**self.values, "upstream": ""})
        await self._start_backend(base)
        if plan.backend.recording is not Record.NONE:
            self._recorder = await self._stack.enter_async_context(Recorder(base, plan.reachable))
            self.values["upstream"] = self._recorder.url if base else self._recorder.proxy
        else:
            self.values["upstream"] = base
        self.oracle = Oracle(base, self.values, self._means.timeout, plan.backend.headers)
        self._stack.push_async_callback(self.oracle.aclose)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with anyio.CancelScope(shield=True):
            await self.end_server()
            await self._stack.aclose()

    @property
    def recorded(self) -> bool:
        """Tell whether the requests of this server come by the recorder."""
        return self._recorder is not None and bool(self.plan.server.command)

    async def _start_backend(self, base: str) -> None:
        backend = self.plan.backend
        if not backend.command:
            return
        command = [text(part, self.values) for part in backend.command]
        environment = cast("dict[str, str]", filled(dict(backend.environment), self.values))
        self._backend = await Background.start(command, environment, self._guardian, "The backend", None)
        parts = urlsplit(base)
        if parts.hostname:
            await self._backend.listening(parts.hostname, parts.port or 80, self._means.timeout)

    async def _end_backend(self) -> None:
        if self._backend is not None:
            await self._backend.aclose()
            self._backend = None

    async def reset(self) -> None:
        """Bring the backend back to its first state; what cannot be reset is started anew."""
        if self.plan.backend.reset is not None:
            await self.oracle.reset(self.plan.backend.reset)
        elif self.plan.backend.command:
            await self._end_backend()
            await self._start_backend(text(self.plan.backend.url, self.values))
        else:
            await self.end_server()
        self.current = None

    async def look(self) -> Snapshot:
        """Read the state."""
        if self.plan.backend.state is None:
            self.current = Snapshot([], b"")
        else:
            self.current = await self.oracle.look(self.plan.backend.state, self._ask, self.current or self.pristine)
        return self.current

    async def _ask(self, step: Step) -> Any:
        answer = await self.call(step.call, filled(dict(step.arguments), self.values))
        if answer.failed:
            raise Unreadable(f"The read tool {step.call} failed: {answer.complaint}")
        return answer.content

    async def talk(self) -> Conversation:
        """Return the session with the server, which is started where there is none."""
        if self._talk is None:
            session = AsyncExitStack()
            try:
                await self._start(session)
            except BaseException:
                with anyio.CancelScope(shield=True):
                    await session.aclose()
                raise
            self._session = session
        return cast("Conversation", self._talk)

    async def _start(self, session: AsyncExitStack) -> None:
        launch = self.plan.server
        environment = {**self._proxies(), **cast("dict[str, str]", filled(dict(launch.environment), self.values))}
        command = argv([text(part, self.values) for part in launch.command]) if launch.command else []
        target: Command | Address = Command(tuple(command), environment=environment, folder=launch.folder)
        if launch.url:
            url = text(launch.url, self.values)
            if command:
                process = await Background.start(command, environment, self._guardian, "The server", launch.folder)
                session.push_async_callback(process.aclose)
                parts = urlsplit(url)
                await process.listening(parts.hostname or "", parts.port or 80, self._means.timeout)
            target = Address(url, headers=filled(dict(launch.headers), self.values))
        try:
            with anyio.fail_after(self._means.timeout):
                talk = await session.enter_async_context(
                    converse(target, era=self._means.era, timeout=self._means.timeout)
                )
        except TimeoutError:
            raise Unreadable(f"The server did not answer within {self._means.timeout:g} seconds.") from None
        if isinstance(talk.wire, Pipes):
            pid = talk.wire.pid
            self._guardian.watch(pid)
            session.callback(self._guardian.release, pid)
        self.stray += [line for line in talk.wire.stray if line not in self.stray]
        self._talk = talk

    def _proxies(self) -> dict[str, str]:
        """Tell the server's HTTP client about the recorder, in every spelling that is in use."""
        if self._recorder is None:
            return {}
        names = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
        here = self._recorder.proxy
        spared = f"127.0.0.1:{self._recorder.port}"
        both = {name: here for upper in names for name in (upper, upper.lower())}
        return {**both, "NO_PROXY": spared, "no_proxy": spared, "NODE_USE_ENV_PROXY": "1"}

    async def end_server(self) -> None:
        """End the session, and the server if it was started here."""
        session, self._session, self._talk = self._session, None, None
        if session is not None:
            await session.aclose()

    async def fresh_server(self) -> None:
        """Start the server anew where the plan wants one for every trial."""
        if self.plan.server.restart is Restart.TRIAL:
            await self.end_server()
        await self.talk()

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Answer:
        """Call a tool; a server that ends or hangs has answered with an error, and is started anew for the next."""
        tool = self.tools.get(name) or Tool({"name": name})
        talk = await self.talk()
        lines = len(talk.wire.stray)
        try:
            with anyio.fail_after(self._means.timeout):
                return await talk.call(tool, arguments)
        except TimeoutError:
            problem = f"no answer within {self._means.timeout:g} seconds"
        except Unreadable as gone:
            problem = str(gone)
        finally:
            fresh = [line.removeprefix("after an answer: ") for line in talk.wire.stray[lines:]]
            self.stray += [f"during {name}: {line}" for line in fresh]
        await self.end_server()
        return Answer(tool, arguments=arguments, error={"code": NO_ANSWER, "message": problem})

    async def timed(self, name: str, arguments: Mapping[str, Any], settle: float) -> tuple[Answer, list[Seen], float]:
        """Call a tool, give it time to settle, and return its answer, what it sent and how long it took."""
        if self._recorder is not None:
            self._recorder.taken()
        start = perf_counter()
        answer = await self.call(name, arguments)
        seconds = perf_counter() - start
        if pause := max(settle, self.plan.server.settle):
            await anyio.sleep(pause)
        return answer, await self.sent(), seconds

    async def stragglers(self) -> list[Seen]:
        """Return the writing requests that came outside of any call: some servers answer first and write afterwards."""
        late = self.writing(await self.sent())
        if late:
            self.current = None  # the last look is no longer true
        return late

    def writing(self, seen: Sequence[Seen]) -> list[Seen]:
        """Choose the requests that write, as far as anyone knows."""
        return [one for one in seen if request(one, self.plan.routes).may_write]

    async def sent(self) -> list[Seen]:
        """Return what the server sent since it was last asked, once nothing is under way any more."""
        if self._recorder is None:
            return []
        await self._recorder.quiet(self._means.timeout)
        return self._recorder.taken()
