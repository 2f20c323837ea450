"""A sandbox as a web application, with control routes below /_sandbox/ that are no part of the service.

Routing is not left to Starlette, which decodes a path before it looks at it; the real servers look first.
"""

from collections.abc import Callable, Mapping
from typing import Protocol

from starlette.applications import Starlette
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

from aboveboard.sandbox.control import WANTED, may_control
from aboveboard.sandbox.store import Store
from aboveboard.sandbox.wire import JSON_TYPE, Response

Control = Callable[[], Response | None]
"""What a control route does; None is 204."""

_BODILESS = frozenset({204, 304})


class Service(Protocol):
    """What a service's sandbox brings: a response to each request."""

    async def respond(self, scope: Scope, receive: Receive) -> Response:
        """The response to one request."""
        ...


def build(
    service: Service,
    store: Store,
    token: str,
    *,
    controls: Mapping[tuple[str, str], Control] | None = None,
    charset: str = "latin-1",
) -> Starlette:
    """The application of a service over its store, which may have controls of its own, and writes headers in a charset.

    The token is asked of whoever resets the state or looks at all of it.
    """
    return Starlette(routes=[_Everything(service, _Controls(store, token, controls or {}), charset)])


def raw_path(scope: Scope) -> bytes:
    """The path of a request as it was sent."""
    return scope.get("raw_path") or scope["path"].encode()


class _Everything(BaseRoute):
    """The one route that Starlette sees: all HTTP requests, whatever their method and however their path is written."""

    def __init__(self, service: Service, controls: "_Controls", charset: str) -> None:
        self._service, self._controls, self._charset = service, controls, charset

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        return (Match.FULL if scope["type"] == "http" else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = self._controls.respond(scope) or await self._service.respond(scope, receive)
        sent = [(name.encode(), value.encode(self._charset, "replace")) for name, value in response.headers.items()]
        if response.status not in _BODILESS:
            sent.append((b"content-length", str(len(response.body)).encode()))
        await send({"type": "http.response.start", "status": response.status, "headers": sent})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else response.body})


class _Controls:
    """Shows the state and brings back the first one."""

    def __init__(self, store: Store, token: str, more: Mapping[tuple[str, str], Control]) -> None:
        self._store, self._token = store, token
        self._routes: Mapping[tuple[str, bytes], Control] = {
            ("POST", b"/_sandbox/reset"): store.reset,
            ("GET", b"/_sandbox/state"): self._state,
            **{(method, path.encode()): control for (method, path), control in more.items()},
        }

    def respond(self, scope: Scope) -> Response | None:
        control = self._routes.get((scope["method"], raw_path(scope)))
        if control is None:
            return None
        if not may_control(scope["headers"], self._token):
            return Response(401, {}, WANTED)
        return control() or Response(204)

    def _state(self) -> Response:
        return Response(200, {"content-type": JSON_TYPE}, self._store.written_dump())
