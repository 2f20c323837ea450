"""App passwords: made with one's real password, listed on a page, replaced and ended with themselves."""

import base64

from aboveboard.nextcloud.sandbox.calls import Call, Routes
from aboveboard.nextcloud.sandbox.login.sessions import page_for, person_of, requesttoken_of, to_login
from aboveboard.nextcloud.sandbox.ocs import OcsError
from aboveboard.nextcloud.sandbox.store import Store
from aboveboard.nextcloud.sandbox.wire import json_response
from aboveboard.sandbox.table import Table
from aboveboard.sandbox.wire import Response, to_json

NAMES = Table(
    "app_password_names",
    "id INTEGER PRIMARY KEY AUTOINCREMENT, token TEXT REFERENCES tokens ON DELETE CASCADE, name TEXT, used INTEGER",
    fleeting=True,
    secret={"token"},
)

routes = Routes()


def make(store: Store, uid: str, name: str) -> str:
    """A new app password, of 72 characters as Nextcloud makes them for programs."""
    token = store.secret(72)
    store.insert("tokens", token=token, uid=uid)
    store.insert("app_password_names", token=token, name=name, used=store.now())
    return token


def _only_with_one(call: Call, message: str = "no app password in use") -> str:
    token = call.me.token
    if token is None:
        raise OcsError(403, message)
    return token


@routes.ocs("GET", "/core/getapppassword")
def make_own(call: Call) -> dict[str, object]:
    """A new app password, for someone who gave their real one."""
    if not call.me.confirmed:
        raise OcsError(403, "Password confirmation is required")
    return {"apppassword": make(call.store, call.uid, call.header("user-agent"))}


@routes.ocs("DELETE", "/core/apppassword")
def end(call: Call) -> list[object]:
    """The app password in use ends here."""
    call.store.run("DELETE FROM tokens WHERE token = ?", _only_with_one(call))
    return []


@routes.ocs("POST", "/core/apppassword/rotate")
def rotate(call: Call) -> dict[str, object]:
    """Another app password in the place of the one in use, which dies."""
    old = _only_with_one(call)
    row = call.store.one("SELECT name FROM app_password_names WHERE token = ?", old)
    new = make(call.store, call.uid, row["name"] if row else "")
    call.store.run("DELETE FROM tokens WHERE token = ?", old)
    return {"apppassword": new}


@routes.ocs("PUT", "/core/apppassword/confirm")
def confirm(call: Call) -> dict[str, object]:
    """One's real password, said again; an app password is none."""
    raise OcsError(403, "" if call.me.token else "no app password in use")


@routes.page("POST", "/settings/personal/authtokens")
def add(_: Call) -> Response:
    """An app password does not make another one."""
    return json_response({"message": "Password confirmation is required"}, 403)


def _listed(store: Store, uid: str) -> list[dict[str, object]]:
    sql = "SELECT n.* FROM app_password_names n JOIN tokens USING (token) WHERE uid = ? ORDER BY n.id"
    return [
        {
            "id": row["id"],
            "name": row["name"],
            "lastActivity": row["used"],
            "type": 1,
            "scope": {"filesystem": True},
            "canDelete": True,
            "canRename": True,
        }
        for row in store.all(sql, uid)
    ]


@routes.page("GET", "/settings/user/security", public=True)
def listing(call: Call) -> Response:
    """The page with one's app passwords; programs find them in its initial state."""
    person = person_of(call)
    if person is None:
        return to_login(call)
    listed = _listed(call.store, person)
    state = base64.b64encode(to_json(listed)).decode()
    body = f'<input type="hidden" id="initial-state-settings-app_tokens" value="{state}"><h2>Devices & sessions</h2>'
    return page_for(call, body)


@routes.page("DELETE", "/settings/personal/authtokens/{id}", public=True)
def drop(call: Call) -> Response:
    """One of them ends, by its owner in a browser."""
    person = person_of(call)
    if person is None or call.header("requesttoken") != requesttoken_of(call):
        return json_response({"message": "CSRF check failed"}, 412)
    mine = "SELECT token FROM app_password_names JOIN tokens USING (token) WHERE app_password_names.id = ? AND uid = ?"
    row = call.store.one(mine, call.number("id"), person)
    if row is None:
        return json_response({"message": ""}, 404)
    call.store.run("DELETE FROM tokens WHERE token = ?", row["token"])
    return json_response([])
