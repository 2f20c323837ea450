"""A team's server as an operator runs it: real processes, on free ports, over a sandbox in a process of its own."""

import json
import subprocess
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from tests.kit.serving.processes import Collected, started
from tests.patience import patience
from tests.people.team import Clock, Team
from tests.people.web import UNENCRYPTED

from aboveboard.audit.verify.processes import free_port
from aboveboard.cli.demo.people.hosting import running
from aboveboard.kit.serving.listening import listening
from aboveboard.nextcloud.sandbox import Sandbox


@dataclass(frozen=True)
class Deployment:
    """Where it is, and what its operator set."""

    url: str
    backend: str
    settings: dict[str, str]
    control: str
    logs: list[Collected] = field(default_factory=list[Collected])

    def state(self) -> dict[str, object]:
        """Return all that the sandbox holds."""
        answer = httpx2.get(
            f"{self.backend}/_sandbox/state",
            headers={"X-Sandbox-Token": self.control},
            trust_env=False,
            verify=UNENCRYPTED,
        )
        return json.loads(answer.text)


@contextmanager
def sandboxed() -> Generator[str]:
    """Serve the sandbox, and yield its address."""
    token = "control-of-the-test"
    command = ("aboveboard", "sandbox", "nextcloud", "--port", "0", "--token", token)
    with started(command, stdin=subprocess.DEVNULL) as process:
        yield process.stderr.wait_for(r"sandbox is at (http://\S+);")[1]


@contextmanager
def deployed_as_processes(
    folder: Path, ports: Sequence[int], public: str, *options: str, **settings: str
) -> Generator[Deployment]:
    """Run the real command line, once for each port, all behind one public address."""
    with ExitStack() as stack:
        backend = stack.enter_context(sandboxed())
        given = {
            "NEXTCLOUD_HOST": backend,
            "ABOVEBOARD_SIGN_IN": "connect",
            "ABOVEBOARD_PUBLIC_URL": public,
            "ABOVEBOARD_STORE": str(folder / "people.db"),
            "ABOVEBOARD_STORE_KEYS": str(folder / "people.keys"),
            "MCP_TRANSPORT": "streamable-http",
            **settings,
        }
        logs: list[Collected] = []
        for port in ports:
            command = ("aboveboard", "serve", "nextcloud", "--port", str(port), *options)
            process = stack.enter_context(started(command, given, stdin=subprocess.DEVNULL))
            logs.append(process.stderr)
            process.stderr.wait_for(r"Serving Nextcloud at http://\S+/mcp \(public: \S+\)\n")
        yield Deployment(public, backend, given, "control-of-the-test", logs)


@contextmanager
def alone(folder: Path, *options: str, **settings: str) -> Generator[Deployment]:
    """Run one server, whose public address is its own."""
    port = free_port()
    with deployed_as_processes(folder, [port], f"http://127.0.0.1:{port}", *options, **settings) as deployment:
        yield deployment


class Balancer:
    """Sends each request to the next server, whoever it is from."""

    def __init__(self, ports: Sequence[int]) -> None:
        self._ports, self.sent = ports, [0] * len(ports)
        self.http = httpx2.AsyncClient(timeout=patience(60), trust_env=False, verify=UNENCRYPTED)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await (await self._passed_on(Request(scope, receive)))(scope, receive, send)

    async def _passed_on(self, request: Request) -> Response:
        turn = sum(self.sent) % len(self._ports)
        self.sent[turn] += 1
        url = request.url.replace(port=self._ports[turn])
        answer = await self.http.request(
            request.method, str(url), headers=request.headers.raw, content=await request.body()
        )
        kept = {name: value for name, value in answer.headers.items() if name not in ("content-length", "set-cookie")}
        passed = Response(answer.content, answer.status_code, kept)
        for cookie in answer.headers.get_list("set-cookie"):
            passed.headers.append("set-cookie", cookie)
        return passed


@asynccontextmanager
async def balanced(
    folder: Path, count: int, *options: str, **settings: str
) -> AsyncGenerator[tuple[Deployment, Balancer]]:
    """Run several servers behind a balancer that knows no sessions."""
    listener, ports = listening("127.0.0.1", 0), [free_port() for _ in range(count)]
    public, balancer = f"http://127.0.0.1:{listener.getsockname()[1]}", Balancer(ports)
    app: ASGIApp = balancer
    with deployed_as_processes(folder, ports, public, *options, **settings) as deployment:
        async with balancer.http, running(app, listener):
            yield deployment, balancer


class Reached(Team):
    """The people of such a deployment: their browsers reach the sandbox as it is."""

    def browser(self) -> httpx2.AsyncClient:
        """Open a browser."""
        return httpx2.AsyncClient(timeout=patience(60), trust_env=False, verify=UNENCRYPTED)


def people_of(deployment: Deployment) -> Reached:
    """Return the people of a deployment; nothing that is asked of their sandbox here is kept."""
    return Reached(deployment.url, Sandbox(), Clock(), [], pause=0.1)
