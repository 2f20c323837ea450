"""Login Flow v2: a page for the person, a token for the program, and an app password that is handed out once.

The browser that grants need not be the one that asked: the flow is bound to neither.
"""

import sqlite3
from html import escape

from aboveboard.nextcloud.sandbox.calls import Call, Routes
from aboveboard.nextcloud.sandbox.login.app_passwords import make
from aboveboard.nextcloud.sandbox.login.sessions import (
    is_from_our_form,
    page_for,
    person_of,
    requesttoken_of,
    session_of,
    session_or_new,
    to_login,
    with_cookie,
)
from aboveboard.nextcloud.sandbox.wire import bad_argument, json_response
from aboveboard.sandbox.table import Table
from aboveboard.sandbox.wire import Response

LIFE = 20 * 60
FLOWS = Table(
    "login_flows",
    "poll TEXT PRIMARY KEY, flow TEXT, state TEXT, name TEXT, created INTEGER, uid TEXT, password TEXT",
    hidden="a login that is on its way is no state of the service",
)

routes = Routes()


def _long(call: Call) -> str:
    return call.store.secret(96) + call.store.secret(32)


@routes.page("POST", "/login/v2", public=True)
def start(call: Call) -> Response:
    """The first step: a page for the person, a token for the program, whose name is its User-Agent."""
    poll, flow, state = _long(call), _long(call), call.store.secret(64)
    name, now = call.header("user-agent"), call.store.now()
    call.store.insert("login_flows", poll=poll, flow=flow, state=state, name=name, created=now)
    endpoint = f"{call.host}/index.php/login/v2/poll"
    page = f"{call.host}/index.php/login/v2/flow/{flow}"
    return json_response({"poll": {"token": poll, "endpoint": endpoint}, "login": page})


@routes.page("POST", "/login/v2/poll", public=True)
def poll(call: Call) -> Response:
    """The app password, once; until then, and ever after, nothing."""
    if "token" not in call.arguments:
        raise bad_argument()
    row = _flow(call, "poll", call.text("token"))
    if row is None or row["password"] is None:
        return json_response([], 404)
    call.store.run("DELETE FROM login_flows WHERE poll = ?", row["poll"])
    return json_response({"server": call.host, "loginName": row["uid"], "appPassword": row["password"]})


@routes.page("GET", "/login/v2/flow/{flow}", public=True)
def land(call: Call) -> Response:
    """Where the person's browser arrives; the rest of the way it goes by its session."""
    row = _flow(call, "flow", call.text("flow"))
    if row is None:
        return _invalid(call)
    session = session_or_new(call)
    call.store.run("UPDATE web_sessions SET flow = ? WHERE id = ?", row["flow"], session)
    place = f"{call.host}/index.php/login/v2/flow?user=&direct=0"
    return with_cookie(Response(303, {"location": place}), session)


@routes.page("GET", "/login/v2/flow", public=True)
def pick(call: Call) -> Response:
    """Connect to your account: says which program asks."""
    row = _session_flow(call)
    if row is None:
        return _invalid(call)
    grant = f"/index.php/login/v2/grant?stateToken={row['state']}"
    body = (
        "<h2>Connect to your account</h2>"
        f"<p>Please log in before granting {escape(row['name'])} access to your Nextcloud account.</p>"
        f'<p><a id="login-button" href="{grant}">Log in</a></p>'
    )
    return page_for(call, body)


@routes.page("GET", "/login/v2/grant", public=True)
def ask(call: Call) -> Response:
    """Account access: the person says yes, once they are logged in."""
    row, person = _session_flow(call), person_of(call)
    if row is None or row["state"] != call.text("stateToken"):
        return _invalid(call)
    if person is None:
        return to_login(call)
    hidden = {"stateToken": row["state"], "requesttoken": requesttoken_of(call)}
    fields = "".join(f'<input type="hidden" name="{name}" value="{value}">' for name, value in hidden.items())
    body = (
        "<h2>Account access</h2>"
        f"<p>Currently logged in as {escape(person)}.</p>"
        f"<p>You are about to grant {escape(row['name'])} access to your Nextcloud account.</p>"
        f'<form method="post" action="/index.php/login/v2/grant">{fields}'
        '<button type="submit">Grant access</button></form>'
    )
    return page_for(call, body)


@routes.page("POST", "/login/v2/grant", public=True)
def grant(call: Call) -> Response:
    """The person says yes: an app password is made and waits for the program."""
    person = person_of(call)
    if person is None:
        return to_login(call)
    if not is_from_our_form(call):
        return page_for(call, "<h2>Access forbidden</h2><p>CSRF check failed</p>", 412)
    row = _session_flow(call)
    if row is None or row["state"] != call.text("stateToken") or row["password"] is not None:
        return _invalid(call)
    password = make(call.store, person, row["name"])
    call.store.run("UPDATE login_flows SET uid = ?, password = ? WHERE poll = ?", person, password, row["poll"])
    body = "<h2>Account connected</h2><p>Your client should now be connected!</p><p>You can close this window.</p>"
    return page_for(call, body)


def _flow(call: Call, column: str, value: str) -> sqlite3.Row | None:
    sql = f"SELECT * FROM login_flows WHERE {column} = ? AND created > ?"  # noqa: S608 (names are ours)
    return call.store.one(sql, value, call.store.now() - LIFE)


def _session_flow(call: Call) -> sqlite3.Row | None:
    row = call.store.one("SELECT flow FROM web_sessions WHERE id = ?", session_of(call) or "")
    return None if row is None else _flow(call, "flow", row["flow"] or "")


def _invalid(call: Call) -> Response:
    return page_for(call, "<h2>Access forbidden</h2><p>Your login token is invalid or has expired</p>", 403)
