"""The door to `/mcp`: who may come in, what a request needs beyond that, and when an open stream ends.

The SDK can ask for a token, but not say what for: clients then ask for everything or nothing.
"""

from contextlib import suppress
from typing import Any, Final, Protocol

import anyio
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.transport_security import RequestBodyLimitMiddleware
from starlette.authentication import AuthCredentials
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from aboveboard.errors import Failure
from aboveboard.kit.people.access import Access
from aboveboard.kit.people.asked import COMPLETION, Asked, asked_by, asked_in
from aboveboard.kit.service import Catalogue
from aboveboard.kit.watch import Watch
from aboveboard.observing import Observers

LOOKED_AT: Final = 4 * 1024 * 1024
"""Bytes of a body in which a tool's name is looked for; the transport refuses what is longer."""
FORM: Final = 64 * 1024
"""Bytes that may be sent to all other places, which are open to anybody."""
WATCHED_EVERY: Final = 5.0
"""Seconds after which an open stream is closed whose grant ended on another machine."""


class Doorkeeper(Protocol):
    """Knows who may come in."""

    async def admit(self, request: Request) -> Access | Response:
        """Let a request in, or answer it."""
        ...

    async def is_welcome(self, access: Access) -> bool:
        """Tell whether one who came in may still be there."""
        ...

    def lacks(self, access: Access, scope: str) -> Response | None:
        """Answer a request that needs a scope which was not granted; None leaves it to the call to say so."""
        ...


class Door:
    """Stands before the MCP endpoint."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        path: str,
        keeper: Doorkeeper,
        catalogue: Catalogue[Any],
        watched_every: float = WATCHED_EVERY,
        observers: Observers = (),
    ) -> None:
        self._app, self._path, self._keeper = app, path, keeper
        self._elsewhere = RequestBodyLimitMiddleware(app, FORM)
        self._catalogue, self._watched_every, self._watch = catalogue, watched_every, Watch(observers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer it."""
        if scope["type"] != "http" or scope["path"] != self._path:
            return await self._elsewhere(scope, receive, send)
        if scope["method"] == "OPTIONS":
            return await self._app(scope, receive, send)
        request = Request(scope)
        admitted = await self._keeper.admit(request)
        if isinstance(admitted, Response):
            return await admitted(scope, receive, send)
        scope["user"], scope["auth"] = AuthenticatedUser(admitted), AuthCredentials()
        asked, receive = await self._asked(request, receive)
        if asked and not admitted.caller.holds(asked.scope) and (answer := self._keeper.lacks(admitted, asked.scope)):
            await self._note(asked, admitted, receive)
            return await answer(scope, receive, send)
        if scope["method"] == "GET" or request.headers.get("mcp-method") == "subscriptions/listen":
            return await self._watched(admitted, scope, receive, send)
        return await self._app(scope, receive, send)

    async def _asked(self, request: Request, receive: Receive) -> tuple[Asked | None, Receive]:
        """Return what a request asks for: clients of 2026 name the tool in headers, older ones in the body."""
        method, name = request.headers.get("mcp-method"), request.headers.get("mcp-name")
        if method and name:
            return asked_by(self._catalogue, method, {"name": name, "uri": name}), receive
        if request.method != "POST" or method not in (None, COMPLETION):
            return None, receive
        body, again = await _peeked(receive)
        return asked_in(self._catalogue, body), again

    async def _note(self, asked: Asked, access: Access, receive: Receive) -> None:
        """Tell who keeps watch of a call that was refused here; the names of its arguments are in the body alone."""
        if not self._watch.observers:
            return
        told = asked_in(self._catalogue, (await _peeked(receive))[0])
        given = told.arguments if told is not None and told.name == asked.name else ()
        call = self._watch.over(
            asked.kind, asked.name, asked.scope, access.caller, effect=asked.effect, arguments=given
        )
        with call as ending:
            ending.outcome = "refused"

    async def _watched(self, access: Access, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a stream that ends when its grant does, at the latest when its token expires."""
        stream = _Stream(send)
        async with anyio.create_task_group() as tasks:

            async def watch() -> None:
                with suppress(Failure):  # where nobody can tell whether the grant is still there, it counts as ended
                    while await self._keeper.is_welcome(access):  # noqa: ASYNC110 (it may end on another machine)
                        await anyio.sleep(self._watched_every)
                tasks.cancel_scope.cancel()

            tasks.start_soon(watch)
            await self._app(scope, receive, stream)
            tasks.cancel_scope.cancel()
        await stream.finish()


class _Stream:
    """Passes an answer on, and knows whether it is complete."""

    def __init__(self, send: Send) -> None:
        self._send, self._open = send, False

    async def __call__(self, message: Message) -> None:
        self._open = message["type"] == "http.response.start" or message.get("more_body", False)
        await self._send(message)

    async def finish(self) -> None:
        if self._open:
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})


async def _peeked(receive: Receive) -> tuple[bytes, Receive]:
    """Read a body and return it with a way to read it again; of one that is too long, only the beginning."""
    read: list[Message] = []
    size, more = 0, True
    while more and size <= LOOKED_AT:
        message = await receive()
        read.append(message)
        size += len(message.get("body", b""))
        more = message["type"] == "http.request" and message.get("more_body", False)
    left = iter(read)

    async def again() -> Message:
        return next(left, None) or await receive()

    return b"".join(message.get("body", b"") for message in read), again
