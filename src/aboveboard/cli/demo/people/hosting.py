"""A team's server over a sandbox, on a port of this machine and in this process."""

import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import httpx2
import uvicorn
from starlette.types import ASGIApp

from aboveboard.cli.services import EMBEDDED, Sandbox, open_sandbox, server_module
from aboveboard.kit.people.serving import people_app
from aboveboard.kit.people.settings import PeopleSettings
from aboveboard.kit.people.sign_in_mode import SignInMode
from aboveboard.kit.serving.listening import listening
from aboveboard.kit.serving.web import WebSettings


class Team:
    """A server that people can sign in to, and the service that they sign in with."""

    def __init__(self, url: str, sandbox: Sandbox) -> None:
        self.url, self.sandbox = url, sandbox

    def browser(self) -> httpx2.AsyncClient:
        """Return what a browser needs to reach both."""
        service = {EMBEDDED: httpx2.ASGITransport(self.sandbox.app)}
        return httpx2.AsyncClient(mounts=service, timeout=30, trust_env=False)


@asynccontextmanager
async def host_team(service: str, folder: Path) -> AsyncGenerator[Team]:
    """Serve a team, with its store in a folder."""
    module, sandbox = server_module(service), open_sandbox(service, None)
    listener = listening("127.0.0.1", 0)
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    settings = PeopleSettings(
        mode=SignInMode.CONNECT,
        public_url=url,
        store=str(folder / f"{service}.db"),
        store_keys=str(folder / f"{service}.keys"),
    )
    sign_in = module.sign_in(sandbox.settings, sandbox.app)
    app = people_app(module.SERVICE, sign_in, settings, WebSettings(), ready=_always)
    async with running(app, listener):
        yield Team(url, sandbox)
    sandbox.close()


async def _always() -> None: ...


@asynccontextmanager
async def running(app: ASGIApp, listener: socket.socket) -> AsyncGenerator[None]:
    """Serve an application on a socket that is there already, as long as the block runs."""
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=1))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(server.serve, [listener])
        while not server.started:  # noqa: ASYNC110 (uvicorn has no event for it)
            await anyio.sleep(0.01)
        try:
            yield
        finally:
            server.should_exit = True
