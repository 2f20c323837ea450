"""What a bench works with, as processes: a backend, the recording proxy before it, and the server."""

from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

import anyio
import httpx2

from aboveboard.addresses import is_loopback
from aboveboard.audit.probe import Address, Command, Conversation, Era, Unreadable, converse
from aboveboard.audit.probe.stdio import Pipes
from aboveboard.audit.verify.own_files import (
    HOME,
    TEMPORARY,
    WORKING_DIRECTORY,
    own_places,
    program_folders,
)
from aboveboard.audit.verify.plan import Plan, Record
from aboveboard.audit.verify.processes import Background, Guardian, argv, wait_until_free
from aboveboard.audit.verify.recorder import Recorder
from aboveboard.audit.verify.request_log import RequestLog
from aboveboard.audit.verify.sealing import LONGEST_PLACE, Seal, forbidden
from aboveboard.audit.verify.values import fill_values, text, texts


@dataclass(frozen=True, kw_only=True)
class ConnectOptions:
    """How to speak to servers, and for how long to wait."""

    era: Era = Era.AUTO
    timeout: float = 30.0


class Setup(Protocol):
    """A backend, a log of the requests that reach it, and a server that can be started again and again."""

    @property
    def unsealed(self) -> str:
        """Why a request could have gone past the log; empty where none could."""
        ...

    @property
    def folders(self) -> Mapping[str, Path]:
        """The folders in which the server may leave files of its own, by name."""
        ...

    async def flush(self) -> None:
        """Wait until the log has all that was sent so far."""
        ...

    @property
    def log(self) -> RequestLog | None:
        """What was sent; None where nothing is recorded."""
        ...

    async def open(self, values: dict[str, Any], stack: AsyncExitStack) -> None:
        """Start the backend and the log; `upstream`, where the server finds the backend, joins the values."""
        ...

    def backend_transport(self) -> httpx2.AsyncBaseTransport | None:
        """Return how the backend is reached past the log; None: over the network, as any URL is."""
        ...

    async def restart_backend(self) -> None:
        """Start the backend anew."""
        ...

    async def start_server(self, session: AsyncExitStack) -> Conversation:
        """Start a server and greet it; what it needs ends with the session."""
        ...


MakeSetup = Callable[[Plan, Guardian, ConnectOptions], Setup]


class ProcessSetup:
    """The plan's commands, each in a process of its own, and its URLs."""

    def __init__(self, plan: Plan, guardian: Guardian, options: ConnectOptions) -> None:
        self._plan, self._guardian, self._options = plan, guardian, options
        self._values: dict[str, Any] = {}
        self._backend: Background | None = None
        self._recorder: Recorder | None = None
        self._seal: Seal | None = None
        self.folders: dict[str, Path] = {}
        self.unsealed = "nothing is recorded"

    async def flush(self) -> None:
        """Wait until what tried to leave is written down."""
        if self._seal is not None:
            await self._seal.flush()

    @property
    def log(self) -> RequestLog | None:
        """What the proxy saw."""
        return self._recorder

    async def open(self, values: dict[str, Any], stack: AsyncExitStack) -> None:
        """Start the backend, and the proxy before it."""
        self._values = values
        stack.push_async_callback(self._end_backend)
        self._choose_folders(Path(values["scratch"]))
        base = text(self._plan.backend.url, {**values, "upstream": ""})
        await self._start_backend(base)
        values["upstream"] = base
        if self._plan.backend.recording is not Record.NONE:
            self._recorder = await stack.enter_async_context(Recorder(base, self._plan.reachable))
            values["upstream"] = self._recorder.url if base else self._recorder.proxy
            self.unsealed = self._why_unsealed()
            if not self.unsealed:
                seal = Seal(values["scratch"], self._recorder, self._ports(base, self._recorder.port))
                self._seal = await stack.enter_async_context(seal)

    def _choose_folders(self, scratch: Path) -> None:
        """Give the server a home of its own, and remember where else it may write."""
        launch = self._plan.server
        if not launch.command:
            return
        self.folders = {"scratch": scratch, WORKING_DIRECTORY: Path(launch.folder or Path.cwd())}
        self.folders |= program_folders(launch.command, self._values)
        if launch.own_home:
            for name in (HOME, TEMPORARY):
                self.folders[name] = scratch / name
                self.folders[name].mkdir()

    def _why_unsealed(self) -> str:
        launch = self._plan.server
        if not launch.command or launch.url:
            return "only a server that is started here and speaks over stdio is given a network of its own"
        if not launch.sealed:
            return "the plan says `sealed: false`"
        too_long = len(self._values["scratch"]) > LONGEST_PLACE
        return "the folder for temporary files has too long a path" if too_long else forbidden()

    def _ports(self, base: str, recorder: int) -> dict[int, int]:
        """Return the ports that the server finds on its loopback: what is the backend's leads to the recorder."""
        places = [text(one.place, self._values) for one in self._plan.stores if "://" in one.place]
        others = [*places, *(f"//{one}" for one in self._plan.domain)]
        found = [urlsplit(one) for one in others]
        named = {one.port: one.port for one in found if one.port and is_loopback(one.hostname or "")}
        backend = urlsplit(base)
        own = {backend.port: recorder} if backend.port and is_loopback(backend.hostname or "") else {}
        return {**named, **own, recorder: recorder}

    def backend_transport(self) -> None:
        """Leave the way to the network."""

    async def _start_backend(self, base: str) -> None:
        backend = self._plan.backend
        if not backend.command:
            return
        command = [text(part, self._values) for part in backend.command]
        environment = texts(backend.environment, self._values)
        if base:
            await wait_until_free(*_place(base))
        self._backend = await Background.start(command, environment, self._guardian, "The backend", None)
        if base:
            await self._backend.listening(*_place(base), self._options.timeout)

    async def _end_backend(self) -> None:
        if self._backend is not None:
            await self._backend.aclose()
            self._backend = None

    async def restart_backend(self) -> None:
        """End the backend's process and start another at the same place."""
        await self._end_backend()
        await self._start_backend(text(self._plan.backend.url, self._values))

    async def start_server(self, session: AsyncExitStack) -> Conversation:
        """Start the server's process, or reach it at its URL."""
        launch = self._plan.server
        home = own_places(self.folders) if HOME in self.folders else {}
        environment = {**home, **self._proxies(), **texts(launch.environment, self._values)}
        command = argv([text(part, self._values) for part in launch.command]) if launch.command else []
        if self._seal is not None:
            command = self._seal.around(command, environment.get("PATH"))
        target: Command | Address = Command(tuple(command), environment=environment, folder=launch.folder)
        if launch.url:
            url = text(launch.url, self._values)
            if command:
                where = _place(url)
                await wait_until_free(*where)
                process = await Background.start(command, environment, self._guardian, "The server", launch.folder)
                session.push_async_callback(process.aclose)
                await process.listening(*where, self._options.timeout)
            target = Address(url, headers=fill_values(dict(launch.headers), self._values))
        try:
            with anyio.fail_after(self._options.timeout):
                talk = await session.enter_async_context(
                    converse(target, era=self._options.era, timeout=self._options.timeout)
                )
        except TimeoutError:
            raise Unreadable(f"The server did not answer within {self._options.timeout:g} seconds.") from None
        if isinstance(talk.wire, Pipes):
            pid = talk.wire.pid
            self._guardian.watch(pid, talk.wire.mark)
            session.callback(self._guardian.release, pid)
        return talk

    def _proxies(self) -> dict[str, str]:
        """Tell the server's HTTP client about the recorder, in every spelling that is in use."""
        if self._recorder is None:
            return {}
        names = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
        here = self._recorder.proxy
        spared = f"127.0.0.1:{self._recorder.port}"
        both = {name: here for upper in names for name in (upper, upper.lower())}
        return {**both, "NO_PROXY": spared, "no_proxy": spared, "NODE_USE_ENV_PROXY": "1"}


def _place(url: str) -> tuple[str, int]:
    """Return the host and the port of an address."""
    parts = urlsplit(url)
    return parts.hostname or "127.0.0.1", parts.port or 80
