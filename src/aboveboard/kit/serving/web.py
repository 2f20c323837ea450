"""Serving over HTTP: `/mcp` for both protocol eras, `/healthz` and `/readyz` for whoever watches over it."""

import math
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import anyio
from mcp.server.lowlevel import Server
from mcp.server.transport_security import DEFAULT_MAX_REQUEST_BODY_SIZE, TransportSecuritySettings
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from aboveboard.addresses import is_loopback
from aboveboard.errors import BadInput, Failure
from aboveboard.kit.serving.auth import RequireKey
from aboveboard.kit.serving.listening import bracket_host, serve_app
from aboveboard.observing import Observers, observe_with

PATH: Final = "/mcp"
LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
READY_FOR: Final = 5.0
"""Seconds that an answer of /readyz holds: it is open to anyone, and must not become a way to load the service."""
READY_WITHIN: Final = 3.0
"""Seconds in which the service must answer to count as ready: whoever asks does not wait for long."""

Ready = Callable[[], Awaitable[None]]


@dataclass(frozen=True, kw_only=True)
class WebSettings:
    """Where to listen, who may come in, and under which names."""

    host: str = "127.0.0.1"
    port: int = 3100
    auth: bool = False
    key: SecretStr | None = None
    allowed_hosts: Sequence[str] = ()
    allowed_origins: Sequence[str] = ()
    session_idle_seconds: float = 1800
    max_body_bytes: int = DEFAULT_MAX_REQUEST_BODY_SIZE
    signs_in: bool = False
    """People sign in, each as themselves: then nobody comes in without that."""
    stateless: bool = False
    """Older clients get no session, so that any replica can answer any request."""

    def check(self) -> None:
        """Refuse a set-up that would let strangers in."""
        if self.auth and (self.key is None or not self.key.get_secret_value().strip()):
            raise BadInput("MCP_AUTH_ENABLED is on and MCP_API_KEY is not set: give the key that clients must send.")
        if self.key is not None and not self.auth and not self.signs_in:
            raise BadInput(
                "MCP_API_KEY is set and MCP_AUTH_ENABLED is off, so nobody would be asked for the key.",
                next_step="Set MCP_AUTH_ENABLED=true, or leave the key out.",
            )
        if not self.auth and not self.signs_in and not self.on_loopback:
            raise BadInput(
                f"Listening on {self.host} lets others in, and MCP_AUTH_ENABLED is off.",
                next_step="Set MCP_AUTH_ENABLED=true and MCP_API_KEY, or listen on 127.0.0.1.",
            )
        if (
            not self.auth
            and not self.signs_in
            and (named := [name for name in self.allowed_hosts if not _is_here(name)])
        ):
            raise BadInput(
                f"Accepting {', '.join(named)} is for a proxy, which lets others in, and MCP_AUTH_ENABLED is off.",
                next_step="Set MCP_AUTH_ENABLED=true and MCP_API_KEY (a proxy can send it), or leave the names out.",
            )
        if not math.isfinite(self.session_idle_seconds):
            raise BadInput("MCP_SESSION_IDLE_SECONDS must be a number of seconds, such as 1800.")

    @property
    def on_loopback(self) -> bool:
        """Tell whether only this machine can connect."""
        return is_loopback(self.host)

    @property
    def security(self) -> TransportSecuritySettings:
        """Host and Origin are always checked: a web page must not reach a server on its visitor's machine."""
        hosts = [*LOOPBACK, *([] if self.host in ("0.0.0.0", "::") else [bracket_host(self.host)])]  # noqa: S104 (no name to accept)
        names = [*(f"{host}:*" for host in hosts), *hosts]
        origins = [f"http://{name}" for name in names]
        return TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=[*names, *self.allowed_hosts],
            allowed_origins=[*origins, *self.allowed_origins],
        )


def web_app(server: Server[Any], settings: WebSettings, ready: Ready, routes: Sequence[Route] = ()) -> Starlette:
    """Make the ASGI application of a server, with what else is to be found at its address."""
    settings.check()
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        transport_security=settings.security,
        session_idle_timeout=None if settings.stateless else settings.session_idle_seconds,
        stateless_http=settings.stateless,
        max_request_body_size=settings.max_body_bytes,
        custom_starlette_routes=[Route("/healthz", _alive), Route("/readyz", _readiness(ready)), *routes],
    )
    if settings.auth and settings.key is not None:
        app.add_middleware(RequireKey, key=settings.key, open_paths=("/healthz", "/readyz"))
    return app


class Observed:
    """Lets observers know of what is sent to the service outside calls: for /readyz, a sign-in, work beside the calls.

    It is added last, and so stands around all else: what stands around it would ask the service unseen.
    """

    def __init__(self, app: ASGIApp, observers: Observers) -> None:
        self._app, self._observers = app, observers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or live as long as the application does."""
        with observe_with(self._observers):
            await self._app(scope, receive, send)


def serve_web(app: Starlette, settings: WebSettings, announce: Callable[[str], None]) -> None:
    """Serve until a signal asks to stop; announce the address once it is taken."""
    serve_app(app, settings.host, settings.port, lambda address: announce(address + PATH))


def _is_here(name: str) -> bool:
    """Tell whether a Host header, with or without its port, can only mean this machine."""
    return is_loopback(urlsplit(f"//{name}").hostname or name)


async def _alive(_: Request) -> Response:
    return JSONResponse({"status": "ok"})


def _readiness(ready: Ready) -> Callable[[Request], Awaitable[Response]]:
    status, answer = 503, {"status": "unavailable"}
    holds_until = 0.0
    asking = anyio.Lock()  # whoever comes while the service is being asked waits for that answer

    async def endpoint(_: Request) -> Response:
        nonlocal status, answer, holds_until
        async with asking:
            if time.monotonic() >= holds_until:
                status, answer = await _asked(ready)
                holds_until = time.monotonic() + READY_FOR
        return JSONResponse(answer, status_code=status)

    return endpoint


async def _asked(ready: Ready) -> tuple[int, dict[str, str]]:
    try:
        with anyio.fail_after(READY_WITHIN):
            await ready()
    except TimeoutError:
        reason = f"The service did not answer within {READY_WITHIN:g} seconds."
    except Failure as failure:
        reason = str(failure)
    else:
        return 200, {"status": "ok"}
    return 503, {"status": "unavailable", "reason": reason}
