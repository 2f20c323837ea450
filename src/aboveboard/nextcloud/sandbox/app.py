"""The sandbox as a server: who is calling, which dialect answers, what goes back."""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from starlette.types import Receive, Scope

from aboveboard.nextcloud.sandbox import ocs, pages, sites
from aboveboard.nextcloud.sandbox.busy import Busy
from aboveboard.nextcloud.sandbox.calls import PACKAGE, Call, Caller, Router, Routes, log_in
from aboveboard.nextcloud.sandbox.dav.dialect import Branch
from aboveboard.nextcloud.sandbox.files import file_links
from aboveboard.nextcloud.sandbox.server import maintenance
from aboveboard.nextcloud.sandbox.sharing import public
from aboveboard.nextcloud.sandbox.store import COUNTERS, Store
from aboveboard.nextcloud.sandbox.wire import HTML_TYPE, Halt, Kept, http_date, page, read_query, tidy_path
from aboveboard.sandbox.app import Control, raw_path
from aboveboard.sandbox.parts import collect, load_modules
from aboveboard.sandbox.store import Schema, seed_store
from aboveboard.sandbox.table import Table
from aboveboard.sandbox.wire import Response, receive_body

# A table of its own, not the guard's: a sandbox shares no code with what it tests. That they agree, a test holds.
READING = frozenset({"GET", "HEAD", "OPTIONS", "PROPFIND", "REPORT", "SEARCH"})


class _Parts:
    """What the modules of the sandbox declare, put together."""

    def __init__(self) -> None:
        modules = load_modules(PACKAGE)
        declared = collect(modules, Routes)
        self.ocs = Router(route for routes in declared for route in routes.ocs_routes)
        self.pages = Router(route for routes in declared for route in routes.page_routes)
        self.dav = sites.dav_site(collect(modules, Branch))
        self.schema = Schema("abNC", collect(modules, Table), COUNTERS)
        self.first = seed_store(Store(self.schema), modules)


@cache
def parts() -> _Parts:
    """The parts, found once."""
    return _Parts()


class Server:
    """The server over one store."""

    def __init__(self, store: Store) -> None:
        self._store, self._parts, self._busy = store, parts(), Busy()

    def controls(self) -> Mapping[tuple[str, str], Control]:
        """What can be switched from outside beside the usual."""
        return {
            ("POST", "/_sandbox/maintenance/on"): lambda: self._store.set_meta("maintenance", 1),
            ("POST", "/_sandbox/maintenance/off"): lambda: self._store.set_meta("maintenance", 0),
        }

    async def respond(self, scope: Scope, receive: Receive) -> Response:
        """The answer to one request; what a refused one wrote is taken back."""
        path = raw_path(scope).decode("latin-1")
        with self._busy.writing(scope["method"], path) as locked:
            body = await receive_body(receive)
            try:
                with self._store.change():
                    response = locked or self._respond(scope, path, body)
            except Halt as halt:
                response = halt.response
        if response.status not in {204, 304}:
            response.headers.setdefault("content-type", HTML_TYPE)
        return response

    def _respond(self, scope: Scope, path: str, body: bytes) -> Response:
        root = scope.get("root_path", "")
        path = tidy_path(path.removeprefix(root))
        headers = {name.decode("latin-1").lower(): _text(value) for name, value in scope["headers"]}
        query = read_query(scope["query_string"].decode("latin-1"))
        host = f"{scope.get('scheme', 'http')}://{headers.get('host', 'localhost')}{root}"
        call = Call(self._store, scope["method"], path, query, headers, body, host, root)
        if call.method not in READING:
            self._store.tick()
        call.caller, call.wrong_password = self._caller(headers.get("authorization", ""))
        response = (maintenance.refuse(call) if self._store.read_meta("maintenance") else None) or self._route(call)
        if response.status >= 400 and not isinstance(response, Kept):
            raise Halt(self._dated(response))
        return self._dated(_unless_unchanged(call, response))

    def _dated(self, response: Response) -> Response:
        """Tell the date while the clock is held; otherwise a clock that moves by writing would look slow."""
        if self._store.held():
            response.headers["date"] = http_date(self._store.now())
        return response

    def _caller(self, header: str) -> tuple[Caller | None, bool]:
        """Who is calling, and whether someone tried and failed."""
        scheme, _, encoded = header.partition(" ")
        if scheme.lower() != "basic":
            return None, False
        try:
            login, _, password = base64.b64decode(encoded, validate=True).decode().partition(":")
        except (binascii.Error, UnicodeDecodeError):
            return None, True
        caller = log_in(self._store, login, password)
        return caller, caller is None

    def _route(self, call: Call) -> Response:
        path = call.path
        for site in (self._parts.dav, sites.WEBDAV_SITE):
            if f"{path}/".startswith(f"{site.base}/"):
                return sites.respond(call, replace(site, base=call.root + site.base), path.removeprefix(site.base))
        for version in (1, 2):
            prefix = f"/ocs/v{version}.php"
            if path.startswith(f"{prefix}/"):
                return ocs.respond(call, self._parts.ocs, version, path.removeprefix(prefix))
        if path.startswith("/public.php/"):
            return public.respond(call, path)
        if path.startswith("/remote.php/direct/"):
            return file_links.follow(call, path.rpartition("/")[2])
        if path.startswith("/remote.php/"):
            return page("Path not found")
        return pages.respond(call, self._parts.pages, path.removeprefix("/index.php"))


def _text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _unless_unchanged(call: Call, response: Response) -> Response:
    """304 where the client already has it; WebDAV looks at the header itself."""
    known = [tag.strip() for tag in call.header("if-none-match").split(",")]
    if call.method not in {"GET", "HEAD"} or response.status != 200 or response.headers.get("etag") not in known:
        return response
    return Response(304, {name: value for name, value in response.headers.items() if name != "content-type"})
