"""Browsers that are logged in: a cookie, and a form in the place of the web application's own."""

from html import escape
from http.cookies import SimpleCookie
from sqlite3 import Row

from aboveboard.lightdash.sandbox.routes import Call, Routes
from aboveboard.lightdash.sandbox.wire import ServiceError, json_response
from aboveboard.sandbox.table import Table
from aboveboard.sandbox.wire import Response

COOKIE = "connect.sid"
PASSWORD = "sandbox-lightdash-login"  # noqa: S105 - a demo
"""Of everyone here."""
HTML = "text/html; charset=utf-8"

SESSIONS_TABLE = Table(
    "web_sessions",
    "id TEXT PRIMARY KEY, user TEXT REFERENCES users ON DELETE CASCADE",
    hidden="Who is logged in with a browser is no part of what a tool can change.",
)

routes = Routes()


def person_of(call: Call) -> Row | None:
    """Who is logged in with this browser."""
    cookie = SimpleCookie(call.headers.get("cookie", "")).get(COOKIE)
    if cookie is None:
        return None
    sql = "SELECT users.* FROM web_sessions JOIN users ON users.uuid = user WHERE web_sessions.id = ?"
    return call.store.one(sql, cookie.value)


def text_in(call: Call, name: str) -> str:
    """A field of the body, or else of the query; empty where it is neither."""
    for place in (call.body, call.query):
        value = place.get(name) if isinstance(place, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        if isinstance(value, str):
            return value
        if isinstance(value, list):
            return " ".join(map(str, value))  # pyright: ignore[reportUnknownArgumentType]
    return ""


def page(title: str, body: str, *, head: str = "", status: int = 200) -> Response:
    """A page for people."""
    text = (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">{head}</head><body>{body}</body></html>\n'
    )
    return Response(status, {"content-type": HTML}, text.encode())


def _logged_in(call: Call) -> str | None:
    """A new session for a right e-mail address and password."""
    row = call.store.one("SELECT * FROM users WHERE email = ? AND NOT is_pending", text_in(call, "email"))
    if row is None or text_in(call, "password") != PASSWORD:
        return None
    session = call.store.new_uuid()
    call.store.insert("web_sessions", id=session, user=row["uuid"])
    return f"{COOKIE}={session}; Path=/; HttpOnly; SameSite=Lax"


@routes.on("POST", "/api/v1/login", public=True)
def log_in(call: Call) -> object:
    """Log in, as the web application does."""
    if not text_in(call, "email") or not text_in(call, "password"):
        return Response(400, {}, b"Bad Request")
    cookie = _logged_in(call)
    if cookie is None:
        raise ServiceError(401, "AuthorizationError", "Email and password not recognized")
    answer = json_response({"status": "ok", "results": {"email": text_in(call, "email")}})
    answer.headers["set-cookie"] = cookie
    return answer


@routes.get("/api/v1/logout", public=True)
def log_out(call: Call) -> object:
    """The session ends; tokens that were got with it live on."""
    person = person_of(call)
    if person is not None:
        call.store.run("DELETE FROM web_sessions WHERE user = ?", person["uuid"])
    return Response(200, {"content-type": "application/json; charset=utf-8"}, b'{"status":"ok"}')


@routes.get("/login", public=True)
def show_form(call: Call) -> object:
    """A form, where the real one has an application."""
    back = escape(text_in(call, "redirect"))
    return page(
        "Lightdash",
        '<h1>Sign in</h1><form method="post" action="/login">'
        f'<input type="hidden" name="redirect" value="{back}">'
        '<p><label>Email address <input name="email" type="email"></label></p>'
        '<p><label>Password <input name="password" type="password"></label></p>'
        '<p><button type="submit">Sign in</button></p></form>',
    )


@routes.on("POST", "/login", public=True)
def take_form(call: Call) -> object:
    """Right ones lead to where one was."""
    cookie, back = _logged_in(call), text_in(call, "redirect")
    if cookie is None:
        return page("Lightdash", "<p>Email and password not recognized</p>", status=401)
    return Response(302, {"location": back if back.startswith("/") else "/", "set-cookie": cookie})
