"""The server itself: status, capabilities, which apps it has, and the small routes that clients knock at first."""

import json
from functools import cache
from importlib.resources import files
from typing import Any, cast

from aboveboard.nextcloud.sandbox.calls import Call, Routes
from aboveboard.nextcloud.sandbox.ocs import OcsError, Tagged
from aboveboard.nextcloud.sandbox.wire import Answer, apache_page, json_answer

# Apps that the real server has and this one does not answer for yet: they are not claimed anywhere.
# A family that brings one of them takes its name out of here.
MISSING = frozenset({"cookbook", "deck", "news", "tables"})

routes = Routes()


@cache
def _text() -> str:
    return files("aboveboard.nextcloud.sandbox").joinpath("server.json").read_text(encoding="utf-8")


def facts(call: Call, key: str) -> Any:
    """What the server says of itself, with the host by which the caller knows it."""
    return json.loads(_text().replace("{host}", call.host))[key]


@routes.page("GET", "/status.php", public=True)
def status(call: Call) -> Answer:
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
    return json_answer(value, headers={"content-type": "application/json"})


@routes.page("GET", "/204", public=True)
def heartbeat(_: Call) -> Answer:
    """Nothing, to show that someone is there."""
    return Answer(204)


def _to_dav(call: Call) -> Answer:
    there = f"{call.host}/remote.php/dav/"
    answer = apache_page(301, "Moved Permanently", f'The document has moved <a href="{there}">here</a>.')
    answer.headers["location"] = there
    return answer


for _method in ("GET", "PROPFIND"):
    for _name in ("caldav", "carddav"):
        routes.page(_method, f"/.well-known/{_name}", public=True)(_to_dav)


@routes.ocs("GET", "/cloud/capabilities", public=True)
def capabilities(call: Call) -> Tagged:
    """What the server can do; someone who is not logged in sees little of it."""
    known = facts(call, "capabilities" if call.caller else "public")
    shown = {name: value for name, value in known.items() if name not in MISSING}
    if call.caller:
        row = call.store.one("SELECT value FROM note_settings WHERE uid = ? AND key = 'notesPath'", call.uid)
        shown["notes"]["notes_path"] = row["value"] if row else "Notes"
    return Tagged({"version": facts(call, "version"), "capabilities": shown})


@routes.ocs("GET", "/core/navigation/apps")
def navigation(call: Call) -> Tagged:
    """The apps with a page of their own."""
    return Tagged([entry for entry in facts(call, "navigation") if entry["app"] not in MISSING])


def installed(call: Call) -> list[str]:
    """The names of all apps."""
    return [name for name in cast("list[str]", facts(call, "apps")) if name not in MISSING]


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


@routes.ocs("GET", "/core/getapppassword")
def make_app_password(call: Call) -> dict[str, object]:
    """A new app password, for someone who gave their real one."""
    if not call.me.confirmed:
        raise OcsError(403, "Password confirmation is required")
    token = call.store.secret(72)
    call.store.insert("tokens", token=token, uid=call.uid)
    return {"apppassword": token}


@routes.ocs("DELETE", "/core/apppassword")
def drop_app_password(call: Call) -> list[object]:
    """The app password in use ends here."""
    if call.me.confirmed:
        raise OcsError(403, "no app password in use")
    call.store.run("DELETE FROM tokens WHERE token = ?", call.me.token)
    return []


@routes.page("POST", "/login/v2", public=True)
def start_login(call: Call) -> Answer:
    """The first step of the login flow: a page for the person, a token for the program."""
    poll, flow = call.store.secret(96) + call.store.secret(32), call.store.secret(96) + call.store.secret(32)
    endpoint = f"{call.host}/login/v2/poll"
    return json_answer({"poll": {"token": poll, "endpoint": endpoint}, "login": f"{call.host}/login/v2/flow/{flow}"})


@routes.page("POST", "/login/v2/poll", public=True)
def poll_login(_: Call) -> Answer:
    """Not granted yet: there is no page here on which a person could."""
    return json_answer([], 404)
