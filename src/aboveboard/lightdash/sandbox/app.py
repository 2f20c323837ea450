"""The sandbox as a server: who is calling, which route answers, what goes back."""

from collections.abc import Iterable, Mapping
from functools import cache
from sqlite3 import IntegrityError, Row

from starlette.types import Receive, Scope

from aboveboard.lightdash.sandbox.oauth.tokens import person_with
from aboveboard.lightdash.sandbox.routes import DONE, Call, Created, Handler, Routes, read_params
from aboveboard.lightdash.sandbox.store import COUNTERS, Store
from aboveboard.lightdash.sandbox.wire import (
    LARGEST_BODY,
    LARGEST_HEAD,
    VERSION,
    CrashError,
    ServiceError,
    head_size,
    json_response,
    read_body,
    read_query,
    too_large,
    unknown_route,
)
from aboveboard.sandbox.app import raw_path
from aboveboard.sandbox.parts import collect, load_modules
from aboveboard.sandbox.routes import Router
from aboveboard.sandbox.store import Schema, seed_store
from aboveboard.sandbox.table import Table
from aboveboard.sandbox.wire import Response, TooLong, receive_body

PACKAGE = "aboveboard.lightdash.sandbox"

_VERSIONLESS = {b"/api/v1/livez", b"/api/v1/readyz"}


class _Parts:
    """What the modules of the sandbox declare, put together."""

    def __init__(self) -> None:
        modules = load_modules(PACKAGE)
        self.routes = [route for routes in collect(modules, Routes) for route in routes.list]
        self.router = Router[Handler](self.routes, any_case=True)
        self.schema = Schema("abLD", collect(modules, Table), COUNTERS)
        self.first = seed_store(Store(self.schema), modules)


@cache
def parts() -> _Parts:
    """The parts, found once."""
    return _Parts()


class Server:
    """The server over one store."""

    def __init__(self, store: Store) -> None:
        self._store, self._router = store, parts().router

    async def respond(self, scope: Scope, receive: Receive) -> Response:
        """The answer to one request."""
        path = raw_path(scope)
        raw_headers: list[tuple[bytes, bytes]] = scope["headers"]
        if head_size(path + scope["query_string"], raw_headers) > LARGEST_HEAD:
            return Response(431)
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in raw_headers}
        try:
            body = await _receive_body(headers, receive)
        except ServiceError as error:
            return self._failed(error)
        response = self._respond(scope, path, headers, body)
        if path not in _VERSIONLESS:
            response.headers["lightdash-version"] = VERSION
        if scope["method"] in {"GET", "HEAD"} and response.status == 200 and _unchanged(headers, response):
            kept = {name: value for name, value in response.headers.items() if name != "content-type"}
            return Response(304, kept)
        return response

    def _respond(self, scope: Scope, path: bytes, headers: Mapping[str, str], body: object) -> Response:
        extra: Mapping[str, str] = {}
        try:
            found = self._router.find(scope["method"], _segments(path))
            if found is None and not path.lower().startswith(b"/api/"):
                raise CrashError(reported=False)  # as recorded: it looks for the file of its web page, and has none
            if found is None:
                raise unknown_route()
            if scope["method"] == "OPTIONS":
                return _allowed(found.methods)
            route = found.route
            if route is None:
                raise unknown_route()
            params = read_params(found.values)
            caller = self._caller(headers, strict=not route.public)
            if caller is None and not route.public:
                return Response(401, {}, b"Unauthorized")
            extra = route.headers
            client = scope.get("client")
            address = client[0] if client else "127.0.0.1"
            call = Call(self._store, caller, params, read_query(scope["query_string"]), body, headers, address)
            response = _enveloped(route.handler(call))
        except ServiceError as error:
            response = self._failed(error)
        except IntegrityError:
            # A reference to nothing fails in the real server's database too.
            response = self._failed(CrashError())
        response.headers.update(extra)
        return response

    def _caller(self, headers: Mapping[str, str], *, strict: bool) -> Row | None:
        """The person behind the token; None where the header is of neither form that is looked at."""
        scheme, space, token = headers.get("authorization", "").partition(" ")
        if scheme == "Bearer":
            return person_with(self._store, token)
        if scheme != "ApiKey" or not space:
            return None
        row = self._store.one("SELECT users.* FROM tokens JOIN users ON users.uuid = user WHERE token = ?", token)
        if row is None and strict:
            raise ServiceError(401, "AuthorizationError", "Failed to authorize user")
        return row

    def _failed(self, error: ServiceError) -> Response:
        """The error envelope; a crash gets an event id, and one before the routes shows the id of the last."""
        event = self._store.event(new=error.reported) if isinstance(error, CrashError) else None
        return json_response(error.payload(event), error.status)


async def _receive_body(headers: Mapping[str, str], receive: Receive) -> object:
    size = headers.get("content-length", "0")
    if size.isdigit() and int(size) > LARGEST_BODY:
        raise too_large()
    try:
        raw = await receive_body(receive, LARGEST_BODY)
    except TooLong as error:
        raise too_large() from error
    return read_body(headers.get("content-type", ""), headers.get("content-encoding", ""), raw)


def _segments(path: bytes) -> list[str]:
    """The segments of a path, still encoded; a slash at its end makes no difference."""
    segments = path[1:].decode("latin-1").split("/")
    return segments[:-1] if len(segments) > 1 and not segments[-1] else segments


def _allowed(known: Iterable[str]) -> Response:
    methods = [method for name in known for method in (("GET", "HEAD") if name == "GET" else (name,))]
    listed = ",".join(methods)
    return Response(200, {"content-type": "text/html; charset=utf-8", "allow": listed}, listed.encode())


def _enveloped(result: object) -> Response:
    if isinstance(result, Response):
        return result
    if isinstance(result, Created):
        return json_response({"status": "ok", "results": result.results}, 201)
    return json_response({"status": "ok"} if result is DONE else {"status": "ok", "results": result})


def _unchanged(headers: Mapping[str, str], response: Response) -> bool:
    known = {tag.strip().removeprefix("W/") for tag in headers.get("if-none-match", "").split(",")}
    return "*" in known or response.headers.get("etag", "").removeprefix("W/") in known - {""}
