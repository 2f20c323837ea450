"""What a bench works with, in this process: the backend is an ASGI app, the server an object of the SDK.

Nothing is started, so a plan runs in a fraction of the time. What is seen is the same: every message to and from the
server passes as the JSON that it would be on a pipe, every request of the server is written down by the same log that
the proxy keeps, hosts outside the test are refused alike, and the state is read past the log.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import anyio
import httpx2
import mcp_types as mcp
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from aboveboard.audit import raw
from aboveboard.audit.probe import Conversation, Unreadable
from aboveboard.audit.probe.stdio import NO_SUCH_METHOD
from aboveboard.audit.probe.wire import Gone, settles
from aboveboard.audit.verify.plan import Plan
from aboveboard.audit.verify.processes import Guardian
from aboveboard.audit.verify.recorder import REFUSED, UNREACHED
from aboveboard.audit.verify.request_log import Destination, RequestLog, refusal
from aboveboard.audit.verify.setup import ConnectOptions
from aboveboard.audit.verify.values import text, texts

PATIENCE: Final = 2.0
"""How many seconds a server gets to end by itself."""


@dataclass(frozen=True)
class InProcess:
    """How a plan's backend and server are made here, in place of its commands; given to `verify` as its setup."""

    backend: Callable[[Mapping[str, str]], AbstractContextManager[ASGIApp]]
    """Makes the backend from the environment that the plan gives it."""
    server: Callable[[Mapping[str, str], ASGIApp], Server[Any]]
    """Makes the server from the environment that the plan gives it; all it sends goes to this app."""

    def __call__(self, plan: Plan, guardian: Guardian, options: ConnectOptions) -> "InProcessSetup":
        """Make the setup of one bench; there is no process for a guardian to watch."""
        del guardian
        return InProcessSetup(self, plan, options)


class InProcessSetup:
    """A backend, its log and its servers, all in this process."""

    def __init__(self, made: InProcess, plan: Plan, options: ConnectOptions) -> None:
        self._made, self._plan, self._options = made, plan, options
        self._values: dict[str, Any] = {}
        self._stack = AsyncExitStack()
        self._app: ASGIApp | None = None
        self.log: AppRecorder | None = None
        self.unsealed = "the server runs in this process"
        self.folders: dict[str, Path] = {}

    async def flush(self) -> None:
        """Wait for nothing: what is sent is written down as it is sent."""

    async def open(self, values: dict[str, Any], stack: AsyncExitStack) -> None:
        """Make the backend, and put the recorder before it; its address is as good as any, as nobody listens there."""
        self._values = values
        stack.push_async_callback(self._end_backend)
        base = text(self._plan.backend.url, {**values, "upstream": ""})
        self._app = self._stack.enter_context(self._made.backend(self._environment(self._plan.backend.environment)))
        self.log = AppRecorder(self._backend, base, self._plan.reachable)
        values["upstream"] = base

    def _environment(self, given: Mapping[str, str]) -> dict[str, str]:
        return texts(given, self._values)

    async def _end_backend(self) -> None:
        await self._stack.aclose()

    async def _backend(self, scope: Scope, receive: Receive, send: Send) -> None:
        await cast("ASGIApp", self._app)(scope, receive, send)

    def backend_transport(self) -> httpx2.AsyncBaseTransport:
        """Reach the app directly."""
        return httpx2.ASGITransport(self._backend)

    async def restart_backend(self) -> None:
        """Make the backend anew."""
        await self._stack.aclose()
        self._app = self._stack.enter_context(self._made.backend(self._environment(self._plan.backend.environment)))

    async def start_server(self, session: AsyncExitStack) -> Conversation:
        """Make a server with the plan's environment, and greet it."""
        environment = self._environment(self._plan.server.environment)
        wire = MemoryWire(self._made.server(environment, cast("ASGIApp", self.log)))
        session.push_async_callback(wire.aclose)
        talk = Conversation(wire)
        try:
            with anyio.fail_after(self._options.timeout):
                await talk.begin(self._options.era, patience=self._options.timeout / 3)
        except TimeoutError:
            raise Unreadable(f"The server did not answer within {self._options.timeout:g} seconds.") from None
        return talk


class AppRecorder(RequestLog):
    """An ASGI app before another one: it writes down what comes by, and lets through what is for the other."""

    def __init__(self, app: ASGIApp, upstream: str, reachable: tuple[str, ...]) -> None:
        super().__init__(upstream, reachable)
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        goal = self._goal(scope)
        number = self.begin(scope["method"], goal)
        status = 0

        async def noting(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            if goal.upstream:
                await self._app(scope, receive, noting)
            elif self.allows(goal):
                answer = PlainTextResponse(f"{goal.host} cannot be reached from within this process.", UNREACHED)
                await answer(scope, receive, noting)
            else:
                await PlainTextResponse(refusal(goal.host), REFUSED)(scope, receive, noting)
        finally:
            self.end(number, status)

    def _goal(self, scope: Scope) -> Destination:
        host, port = scope["server"]
        tls = scope["scheme"] == "https"
        port = port or (443 if tls else 80)
        query = scope["query_string"].decode("latin-1")
        path = scope["raw_path"].decode("latin-1") + (f"?{query}" if query else "")
        own = (host, port) == (self._upstream.hostname, self._port)
        return Destination(host, port, tls, path, upstream=own)


class MemoryWire:
    """The wire to a server of the SDK in this process; what passes is JSON, as it would be on a pipe."""

    def __init__(self, server: Server[Any]) -> None:
        self.stray: list[str] = []
        self.headers: dict[str, str] = {}
        inbound: MemoryObjectReceiveStream[SessionMessage | Exception]
        outbound: MemoryObjectSendStream[SessionMessage]
        self._sending, inbound = anyio.create_memory_object_stream[SessionMessage | Exception](64)
        outbound, self._receiving = anyio.create_memory_object_stream[SessionMessage](64)
        # A task of its own, not of a group: benches hand a session from one task to another.
        self._task = asyncio.create_task(self._serve(server, inbound, outbound))

    def last_words(self) -> list[str]:
        """Return nothing: what a server in this process writes is on this process's stderr."""
        return []

    @staticmethod
    async def _serve(
        server: Server[Any],
        inbound: MemoryObjectReceiveStream[SessionMessage | Exception],
        outbound: MemoryObjectSendStream[SessionMessage],
    ) -> None:
        async with inbound, outbound:
            await server.run(inbound, outbound, server.create_initialization_options())

    async def exchange(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        """Send a request, and read messages until its answer comes."""
        await self.notify(message)
        while True:
            answer = await self._receive()
            if "method" in answer and "id" in answer:
                await self._decline(answer)
            if settles(answer, message):
                return answer

    async def notify(self, message: Mapping[str, Any]) -> None:
        """Send a message that gets no answer."""
        sent = mcp.jsonrpc_message_adapter.validate_json(raw.dump(message), by_name=False)
        try:
            await self._sending.send(SessionMessage(sent))
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            raise self._ended() from None

    async def _receive(self) -> raw.Object:
        try:
            got = await self._receiving.receive()
        except (anyio.EndOfStream, anyio.ClosedResourceError):
            raise self._ended() from None
        return raw.parse(got.message.model_dump_json(by_alias=True, exclude_unset=True))

    async def _decline(self, request: Mapping[str, Any]) -> None:
        """Answer a request of the server's: a ping gets its answer, anything else a no."""
        no = {"code": NO_SUCH_METHOD, "message": "This client only looks."}
        body: dict[str, Any] = {"result": {}} if request["method"] == "ping" else {"error": no}
        await self.notify({"jsonrpc": "2.0", "id": request["id"], **body})

    def _ended(self) -> Gone:
        failed = self._task.exception() if self._task.done() and not self._task.cancelled() else None
        said = f" It said: {type(failed).__name__}: {failed}" if failed else ""
        return Gone(f"The server ended before it answered.{said}")

    async def aclose(self) -> None:
        """End the server: ask by closing its input, then make it."""
        with anyio.CancelScope(shield=True):
            self._sending.close()
            await asyncio.wait([self._task], timeout=PATIENCE)
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._receiving.close()
