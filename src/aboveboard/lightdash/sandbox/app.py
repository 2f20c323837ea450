"""The sandbox as a web application: which families it has, who is calling, what goes back.

Routing is done here and not by Starlette, which decodes a path before it looks at it; the real server looks first.
"""

from collections.abc import Callable, Mapping
from sqlite3 import IntegrityError, Row

from starlette.applications import Starlette
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

from aboveboard.lightdash.sandbox.content_families import CONTENT_FAMILIES
from aboveboard.lightdash.sandbox.control import WANTED, may_control
from aboveboard.lightdash.sandbox.query_families import QUERY_FAMILIES
from aboveboard.lightdash.sandbox.routes import DONE, Call, Created, Route, Router, read_params
from aboveboard.lightdash.sandbox.store import Store
from aboveboard.lightdash.sandbox.wire import (
    JSON_TYPE,
    LARGEST_BODY,
    LARGEST_HEAD,
    VERSION,
    Answer,
    CrashError,
    ServiceError,
    head_size,
    json_answer,
    read_body,
    read_query,
    too_large,
    unknown_route,
)

FAMILIES = (*CONTENT_FAMILIES, *QUERY_FAMILIES)

_ROUTER = Router([route for family in FAMILIES for route in family.routes.list])
_VERSIONLESS = {b"/api/v1/livez", b"/api/v1/readyz"}


def build(store: Store, token: str) -> Starlette:
    """The application over one store; the token is asked of whoever resets it or looks at all of it."""
    return Starlette(routes=[_Everything(_Server(store, token))])


class _Everything(BaseRoute):
    """The one route that Starlette sees: all HTTP requests, however their path is written."""

    def __init__(self, server: "_Server") -> None:
        self._server = server

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        return (Match.FULL if scope["type"] == "http" else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = await self._server.answer(scope, receive)
        headers = [(name.encode(), value.encode("latin-1")) for name, value in answer.headers.items()]
        if answer.status not in {204, 304}:
            headers.append((b"content-length", str(len(answer.body)).encode()))
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else answer.body})


class _Server:
    def __init__(self, store: Store, token: str) -> None:
        self._store, self._token = store, token
        self._controls: Mapping[tuple[str, bytes], Callable[[], Answer]] = {
            ("POST", b"/_sandbox/reset"): self._reset,
            ("GET", b"/_sandbox/state"): self._state,
        }
        self._shown: tuple[object, bytes] = (None, b"")

    async def answer(self, scope: Scope, receive: Receive) -> Answer:
        path: bytes = scope.get("raw_path") or scope["path"].encode()
        raw_headers: list[tuple[bytes, bytes]] = scope["headers"]
        if head_size(path + scope["query_string"], raw_headers) > LARGEST_HEAD:
            return Answer(431)
        control = self._controls.get((scope["method"], path))
        if control:
            return control() if may_control(raw_headers, self._token) else Answer(401, {}, WANTED)
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in raw_headers}
        try:
            body = await _receive_body(headers, receive)
        except ServiceError as error:
            return self._failed(error)
        answer = self._respond(scope, path, headers, body)
        if path not in _VERSIONLESS:
            answer.headers["lightdash-version"] = VERSION
        if scope["method"] in {"GET", "HEAD"} and answer.status == 200 and _unchanged(headers, answer):
            kept = {name: value for name, value in answer.headers.items() if name != "content-type"}
            return Answer(304, kept)
        return answer

    def _respond(self, scope: Scope, path: bytes, headers: Mapping[str, str], body: object) -> Answer:
        extra: Mapping[str, str] = {}
        try:
            if not path.lower().startswith(b"/api/"):
                raise CrashError(reported=False)
            found = _ROUTER.find(path)
            if found is None:
                raise unknown_route()
            routes, segments = found
            route = routes.get("GET" if scope["method"] == "HEAD" else scope["method"])
            if scope["method"] == "OPTIONS":
                return _allowed(routes)
            if route is None:
                raise unknown_route()
            params = read_params(route, segments)
            caller = None if route.public else self._caller(headers)
            if caller is None and not route.public:
                return Answer(401, {}, b"Unauthorized")
            extra = route.headers
            client = scope.get("client")
            address = client[0] if client else "127.0.0.1"
            call = Call(self._store, caller, params, read_query(scope["query_string"]), body, headers, address)
            answer = _enveloped(route.handler(call))
        except ServiceError as error:
            answer = self._failed(error)
        except IntegrityError:
            # A reference to nothing fails in the real server's database too.
            answer = self._failed(CrashError())
        answer.headers.update(extra)
        return answer

    def _caller(self, headers: Mapping[str, str]) -> Row | None:
        """The person behind the token; None where the header is not of the one form that is looked at."""
        scheme, space, token = headers.get("authorization", "").partition(" ")
        if scheme != "ApiKey" or not space:
            return None
        row = self._store.one("SELECT users.* FROM tokens JOIN users ON users.uuid = user WHERE token = ?", token)
        if row is None:
            raise ServiceError(401, "AuthorizationError", "Failed to authorize user")
        return row

    def _failed(self, error: ServiceError) -> Answer:
        """The error envelope; a crash gets an event id, and one before the routes shows the id of the last."""
        event = self._store.event(new=error.reported) if isinstance(error, CrashError) else None
        return json_answer(error.payload(event), error.status)

    def _state(self) -> Answer:
        """The dump, written anew only where something was written since: who compares states asks for it often."""
        if self._shown[0] != self._store.mark:
            self._shown = (self._store.mark, json_answer(self._store.dump()).body)
        return Answer(200, {"content-type": JSON_TYPE}, self._shown[1])

    def _reset(self) -> Answer:
        self._store.reset()
        return Answer(204)


async def _receive_body(headers: Mapping[str, str], receive: Receive) -> object:
    size = headers.get("content-length", "0")
    if size.isdigit() and int(size) > LARGEST_BODY:
        raise too_large()
    raw, more = b"", True
    while more:
        message = await receive()
        raw += message.get("body", b"")
        more = message.get("more_body", False)
        if len(raw) > LARGEST_BODY:
            raise too_large()
    return read_body(headers.get("content-type", ""), headers.get("content-encoding", ""), raw)


def _allowed(routes: Mapping[str, Route]) -> Answer:
    methods = [method for name in routes for method in (("GET", "HEAD") if name == "GET" else (name,))]
    listed = ",".join(methods)
    return Answer(200, {"content-type": "text/html; charset=utf-8", "allow": listed}, listed.encode())


def _enveloped(result: object) -> Answer:
    if isinstance(result, Answer):
        return result
    if isinstance(result, Created):
        return json_answer({"status": "ok", "results": result.results}, 201)
    return json_answer({"status": "ok"} if result is DONE else {"status": "ok", "results": result})


def _unchanged(headers: Mapping[str, str], answer: Answer) -> bool:
    known = {tag.strip().removeprefix("W/") for tag in headers.get("if-none-match", "").split(",")}
    return "*" in known or answer.headers.get("etag", "").removeprefix("W/") in known - {""}
