"""A request on its way: who calls, what they sent, and the routes that OCS and app pages have."""

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from aboveboard.nextcloud.sandbox.files.views import View
from aboveboard.nextcloud.sandbox.store import Store
from aboveboard.nextcloud.sandbox.wire import Body, bad_argument, decode
from aboveboard.sandbox import routes

PACKAGE = "aboveboard.nextcloud.sandbox"


@dataclass(frozen=True)
class Caller:
    """The person behind a request."""

    uid: str
    displayname: str
    admin: bool
    token: str | None

    @property
    def confirmed(self) -> bool:
        """Whether they gave their real password; some things refuse an app password."""
        return self.token is None


@dataclass
class Call:
    """One request, ready for its handler."""

    store: Store
    method: str
    path: str
    query: Mapping[str, Any]
    headers: Mapping[str, str]
    body: bytes
    host: str
    root: str = ""
    caller: Caller | None = None
    wrong_password: bool = False
    arguments: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def me(self) -> Caller:
        """The caller, where the route lets nobody else in."""
        if self.caller is None:
            raise AssertionError("a route that asks for its caller is not public")
        return self.caller

    @property
    def uid(self) -> str:
        """The caller's id, which is not always the name they log in with."""
        return self.me.uid

    @property
    def content(self) -> Body:
        """The body, to be looked at through its content type."""
        return Body(self.body, self.headers.get("content-type", ""))

    def files(self) -> View:
        """The caller's files."""
        return View(self.store, self.uid)

    def header(self, name: str) -> str:
        """A request header, empty where there is none."""
        return self.headers.get(name, "")

    def wants(self, mime: str) -> bool:
        """Whether the Accept header names a type."""
        return mime in self.header("accept")

    def text(self, name: str, default: str = "") -> str:
        """A text argument; any other type is refused, null is the default."""
        value = self.arguments.get(name)
        if value is None:
            return default
        if not isinstance(value, str):
            raise bad_argument()
        return value

    def number(self, name: str, default: int = 0) -> int:
        """A whole number as PHP casts it: a word is 0."""
        return to_int(self.arguments.get(name, default))

    def flag(self, name: str) -> bool:
        """A truth value as PHP casts it: "false", "0" and nothing are false, any other word is true."""
        value = self.arguments.get(name)
        return bool(value) and value not in ("false", "0")


def to_int(value: object) -> int:
    """A number out of anything, 0 where there is none."""
    if isinstance(value, bool | int | float):
        return int(value)
    text = str(value).strip()
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdecimal() else 0


def log_in(store: Store, login: str, password: str) -> Caller | None:
    """The person whom a login name or e-mail address and a password, or an app password, belong to."""
    user = store.one("SELECT * FROM users WHERE enabled AND (uid = ? OR (email != '' AND email = ?))", login, login)
    if user is None:
        return None
    token = store.one("SELECT token FROM tokens WHERE token = ? AND uid = ?", password, user["uid"])
    if token is None and user["password"] != password:
        return None
    return make_caller(store, user, token["token"] if token else None)


def make_caller(store: Store, user: sqlite3.Row, token: str | None = None) -> Caller:
    """A caller from a row of the users."""
    admin = store.one("SELECT 1 FROM members WHERE gid = 'admin' AND uid = ?", user["uid"]) is not None
    return Caller(user["uid"], user["displayname"], admin, token)


Handler = Callable[[Call], Any]
Route = routes.Route[Handler]
Found = routes.Found[Handler]


class Routes:
    """The routes of an app or area, declared where they are handled."""

    def __init__(self) -> None:
        self.ocs_routes: list[Route] = []
        self.page_routes: list[Route] = []

    def ocs(self, method: str, path: str, *, public: bool = False) -> Callable[[Handler], Handler]:
        """A route below /ocs/v1.php and /ocs/v2.php; the handler returns what goes into the envelope."""
        return routes.register(self.ocs_routes, method, path, public=public)

    def page(self, method: str, path: str, *, public: bool = False) -> Callable[[Handler], Handler]:
        """A route below /index.php, which pretty URLs leave out; the handler returns the whole answer."""
        return routes.register(self.page_routes, method, path, public=public)


class Router(routes.Router[Handler]):
    """The routes of all apps, in one of the two dialects."""

    def look_up(self, call: Call, path: str) -> Found | None:
        """What there is for a request; None where no route has this path."""
        return self.find(call.method, path.strip("/").split("/"))


def fill_arguments(call: Call, values: Mapping[str, str]) -> None:
    """All arguments under one roof, as PHP has them: a JSON key wins over the path, the path over form and query."""
    named = {name: decode(value) for name, value in values.items()}
    call.arguments = {**call.query, **call.content.form(), **named, **call.content.json()}
