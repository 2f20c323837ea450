"""What stands behind a server: a real Lightdash look-alike on a socket that counts, one that never answers, none."""

import socket
from collections.abc import Generator
from contextlib import contextmanager
from threading import Thread

import anyio
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from tests.kit.serving.processes import deadline, eventually

from aboveboard.lightdash.sandbox import Sandbox


class InThread:
    """An application on a socket of this process."""

    def __init__(self, app: ASGIApp) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        # No connection is closed from this side: whether it is closed is the other side's doing.
        config = uvicorn.Config(app, log_config=None, timeout_keep_alive=600, timeout_graceful_shutdown=1, ws="none")
        self._server = uvicorn.Server(config)
        self._thread = Thread(target=self._server.run, args=([self._listener],), daemon=True)
        self._thread.start()
        eventually(lambda: self._server.started, "the server in a thread")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    @property
    def open_connections(self) -> int:
        return len(self._server.server_state.connections)

    def end(self) -> None:
        self._server.should_exit = True
        self._thread.join(deadline())
        self._listener.close()


class Counted:
    """An application that counts the requests it gets, those that wait for an answer at once, and their connections."""

    def __init__(self, app: ASGIApp, takes: float) -> None:
        self._app, self._takes = app, takes
        self.paths: list[str] = []
        self.connections: set[object] = set()
        self.most_at_once = self._at_once = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        self.paths.append(scope["path"])
        self.connections.add(tuple(scope["client"]))
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        await anyio.sleep(self._takes)
        await self._app(scope, receive, send)
        self._at_once -= 1


@contextmanager
def in_thread(app: ASGIApp) -> Generator[InThread]:
    running = InThread(app)
    try:
        yield running
    finally:
        running.end()


@contextmanager
def counted_sandbox(takes: float = 0) -> Generator[tuple[InThread, Counted]]:
    """A sandbox on a socket, and what it is asked; it takes so many seconds for each answer."""
    sandbox = Sandbox()
    counted = Counted(sandbox.app, takes)
    with in_thread(counted) as running:
        yield running, counted
    sandbox.close()


@contextmanager
def silent() -> Generator[socket.socket]:
    """A service that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(deadline())
        yield listener


@contextmanager
def nobody() -> Generator[str]:
    """An address where nobody listens, and nobody else will while the block runs."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"


def settings_for(url: str, token: str = Sandbox.token) -> dict[str, str]:
    return {"LIGHTDASH_URL": url, "LIGHTDASH_API_KEY": token}


def settings_for_socket(listener: socket.socket) -> dict[str, str]:
    return settings_for(f"http://127.0.0.1:{listener.getsockname()[1]}")
