"""The sandbox as a web application: which families it has, who is calling, what goes back.

Routing is done here and not by Starlette, which decodes a path before it looks at it; WebDAV must look first.
"""

import base64
import binascii
from collections.abc import Callable, Mapping
from dataclasses import replace

from starlette.applications import Starlette
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

from aboveboard.nextcloud.sandbox import (
    finding,
    groups,
    maintenance,
    note_extras,
    notes,
    ocs,
    pages,
    presence,
    public,
    server,
    shares,
    sites,
    users,
)
from aboveboard.nextcloud.sandbox.busy import Busy
from aboveboard.nextcloud.sandbox.calls import Call, Caller, log_in
from aboveboard.nextcloud.sandbox.facts import dump
from aboveboard.nextcloud.sandbox.store import Store
from aboveboard.nextcloud.sandbox.wire import (
    HTML_TYPE,
    Answer,
    Halt,
    http_date,
    json_answer,
    page,
    read_query,
    tidy_path,
)

# The families with OCS routes or app pages; those of the DAV tree are listed in sites.py.
FAMILIES = (server, users, groups, presence, shares, public, finding, notes, note_extras)

_OCS = [route for family in FAMILIES for route in family.routes.ocs_routes]
_PAGES = [route for family in FAMILIES for route in family.routes.page_routes]
_READING = {"GET", "HEAD", "OPTIONS", "PROPFIND", "REPORT", "SEARCH"}


def build(store: Store) -> Starlette:
    """The application over one store."""
    return Starlette(routes=[_Everything(_Server(store))])


class _Everything(BaseRoute):
    """The one route that Starlette sees: all HTTP requests, whatever their method and path."""

    def __init__(self, server: "_Server") -> None:
        self._server, self._busy = server, Busy()

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        return (Match.FULL if scope["type"] == "http" else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._busy.writing(scope["method"], (scope.get("raw_path") or b"").decode("latin-1")) as locked:
            body = await _read(receive)
            answer = locked or self._server.answer(scope, body)
        if answer.status not in {204, 304}:
            answer.headers.setdefault("content-type", HTML_TYPE)
            answer.headers["content-length"] = str(len(answer.body))
        headers = [(name.encode(), value.encode("utf-8", "replace")) for name, value in answer.headers.items()]
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else answer.body})


async def _read(receive: Receive) -> bytes:
    chunks: list[bytes] = []
    more = True
    while more:
        message = await receive()
        chunks.append(message.get("body", b""))
        more = message.get("more_body", False)
    return b"".join(chunks)


class _Server:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._controls: Mapping[tuple[str, str], Callable[[], Answer]] = {
            ("POST", "/_sandbox/reset"): self._reset,
            ("GET", "/_sandbox/state"): lambda: json_answer(dump(store)),
            ("POST", "/_sandbox/maintenance/on"): lambda: self._maintain(1),
            ("POST", "/_sandbox/maintenance/off"): lambda: self._maintain(0),
        }

    def answer(self, scope: Scope, body: bytes) -> Answer:
        raw: bytes = scope.get("raw_path") or scope["path"].encode()
        control = self._controls.get((scope["method"], raw.decode("latin-1")))
        if control:
            return control()
        try:
            with self._store.change():
                return self._respond(scope, raw.decode("latin-1"), body)
        except Halt as halt:
            return halt.answer

    def _respond(self, scope: Scope, raw_path: str, body: bytes) -> Answer:
        root = scope.get("root_path", "")
        path = tidy_path(raw_path.removeprefix(root))
        headers = {name.decode("latin-1").lower(): _text(value) for name, value in scope["headers"]}
        query = read_query(scope["query_string"].decode("latin-1"))
        host = f"{scope.get('scheme', 'http')}://{headers.get('host', 'localhost')}{root}"
        call = Call(self._store, scope["method"], path, query, headers, body, host, root)
        if call.method not in _READING:
            self._store.tick()
        call.caller, call.wrong_password = self._caller(headers.get("authorization", ""))
        answer = (maintenance.refuse(call) if self._store.read_meta("maintenance") else None) or _route(call)
        if answer.status >= 400 and not answer.keep:
            raise Halt(self._dated(answer))
        return self._dated(_unless_unchanged(call, answer))

    def _dated(self, answer: Answer) -> Answer:
        """Tell the date while the clock is held; otherwise a clock that moves by writing would look slow."""
        if self._store.held():
            answer.headers["date"] = http_date(self._store.now())
        return answer

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

    def _maintain(self, value: int) -> Answer:
        self._store.set_meta("maintenance", value)
        return Answer(204)

    def _reset(self) -> Answer:
        self._store.reset()
        return Answer(204)


def _text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _route(call: Call) -> Answer:
    path = call.path
    for site in (sites.DAV_SITE, sites.WEBDAV_SITE):
        if f"{path}/".startswith(f"{site.base}/"):
            return sites.respond(call, replace(site, base=call.root + site.base), path.removeprefix(site.base))
    for version in (1, 2):
        prefix = f"/ocs/v{version}.php"
        if path.startswith(f"{prefix}/"):
            return ocs.respond(call, _OCS, version, path.removeprefix(prefix))
    if path.startswith("/public.php/"):
        return public.respond(call, path)
    if path.startswith("/remote.php/direct/"):
        return finding.follow(call, path.rpartition("/")[2])
    if path.startswith("/remote.php/"):
        return page("Path not found")
    return pages.respond(call, _PAGES, path.removeprefix("/index.php"))


def _unless_unchanged(call: Call, answer: Answer) -> Answer:
    """304 where the client already has it; WebDAV looks at the header itself."""
    known = [tag.strip() for tag in call.header("if-none-match").split(",")]
    if call.method not in {"GET", "HEAD"} or answer.status != 200 or answer.headers.get("etag") not in known:
        return answer
    return Answer(304, {name: value for name, value in answer.headers.items() if name != "content-type"})
