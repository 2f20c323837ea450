"""The server itself: status, capabilities, which apps it has, and the small routes that clients knock at first."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import Any, cast

from aboveboard.nextcloud.sandbox.calls import PACKAGE, Call, Routes
from aboveboard.nextcloud.sandbox.ocs import OcsError, Tagged
from aboveboard.nextcloud.sandbox.wire import apache_page, json_response
from aboveboard.sandbox.parts import collect, load_modules
from aboveboard.sandbox.wire import Response

# Apps that the real server has and people may do without. One that has no folder here is not claimed anywhere.
_OPTIONAL = frozenset({"cookbook", "deck", "news", "tables"})

routes = Routes()


@cache
def missing_apps() -> frozenset[str]:
    """The apps that this server does not have."""
    return frozenset(name for name in _OPTIONAL if find_spec(f"{PACKAGE}.{name}") is None)


@cache
def _text() -> str:
    return files(f"{PACKAGE}.server").joinpath("server.json").read_text(encoding="utf-8")


def facts(call: Call, key: str) -> Any:
    """What the server says of itself, with the host by which the caller knows it."""
    return json.loads(_text().replace("{host}", call.host))[key]


@routes.page("GET", "/status.php", public=True)
def status(call: Call) -> Response:
    """Whether the server runs, and its version; this works even while it is being serviced."""
    value = {
        "installed": True,
        "maintenance": bool(call.store.read_meta("maintenance")),
        "needsDbUpgrade": False,
        "version": "34.0.1.2",
        "versionstring": "34.0.1",
        "edition": "",
        "productname": "Nextcloud",
        "extendedSupport": False,
    }
    return json_response(value, headers={"content-type": "application/json"})


@routes.page("GET", "/204", public=True)
def heartbeat(_: Call) -> Response:
    """Nothing, to show that someone is there."""
    return Response(204)


def _to_dav(call: Call) -> Response:
    there = f"{call.host}/remote.php/dav/"
    response = apache_page(301, "Moved Permanently", f'The document has moved <a href="{there}">here</a>.')
    response.headers["location"] = there
    return response


for _method in ("GET", "PROPFIND"):
    for _name in ("caldav", "carddav"):
        routes.page(_method, f"/.well-known/{_name}", public=True)(_to_dav)


@dataclass(frozen=True)
class Capabilities:
    """What an app says of itself to the person who asks, beside what it says to everybody."""

    app: str
    describe: Callable[[Call], dict[str, object]]


@cache
def _own_capabilities() -> list[Capabilities]:
    return collect(load_modules(PACKAGE), Capabilities)


@routes.ocs("GET", "/cloud/capabilities", public=True)
def capabilities(call: Call) -> Tagged:
    """What the server can do; someone who is not logged in sees little of it."""
    known = facts(call, "capabilities" if call.caller else "public")
    shown = {name: value for name, value in known.items() if name not in missing_apps()}
    if call.caller:
        for own in _own_capabilities():
            shown[own.app] = shown.get(own.app, {}) | own.describe(call)
    return Tagged({"version": facts(call, "version"), "capabilities": shown})


@routes.ocs("GET", "/core/navigation/apps")
def navigation(call: Call) -> Tagged:
    """The apps with a page of their own."""
    return Tagged([entry for entry in facts(call, "navigation") if entry["app"] not in missing_apps()])


def installed(call: Call) -> list[str]:
    """The names of all apps."""
    return [name for name in cast("list[str]", facts(call, "apps")) if name not in missing_apps()]


@routes.ocs("GET", "/cloud/apps")
def apps(call: Call) -> dict[str, object]:
    """The apps, for admins."""
    _only_admin(call)
    return {"apps": [] if call.text("filter") == "disabled" else installed(call)}


@routes.ocs("GET", "/cloud/apps/{app}")
def app(call: Call) -> dict[str, object]:
    """One app; the real answer holds much more of its manifest."""
    _only_admin(call)
    name = call.text("app")
    if name not in installed(call):
        raise OcsError(404, "The request app was not found", code=998)
    return {"id": name, "name": name.replace("_", " ").title(), "version": "34.0.0", "licence": "agpl", "types": []}


def _only_admin(call: Call) -> None:
    if not call.me.admin:
        raise OcsError(403, "Logged in account must be an admin")
