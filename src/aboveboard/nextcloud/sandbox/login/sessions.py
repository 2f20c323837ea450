"""Browsers that are logged in, or about to be: a cookie, and the token that every form must bring back."""

from html import escape
from http.cookies import SimpleCookie
from urllib.parse import quote

from aboveboard.nextcloud.sandbox.calls import Call, Routes, log_in
from aboveboard.nextcloud.sandbox.wire import HTML_TYPE
from aboveboard.sandbox.table import Table
from aboveboard.sandbox.wire import Response

COOKIE = "nc_sandbox_session"
SESSIONS = Table(
    "web_sessions",
    "id TEXT PRIMARY KEY, uid TEXT REFERENCES users ON DELETE CASCADE, requesttoken TEXT, flow TEXT",
    hidden="who is logged in with a browser is no state of the service",
)

routes = Routes()


def session_of(call: Call) -> str | None:
    """The session that the browser's cookie names."""
    cookie = SimpleCookie(call.header("cookie")).get(COOKIE)
    row = None if cookie is None else call.store.one("SELECT id FROM web_sessions WHERE id = ?", cookie.value)
    return None if row is None else row["id"]


def session_or_new(call: Call) -> str:
    """The browser's session, or a new one, which its answer must set."""
    known = session_of(call)
    if known is not None:
        return known
    made = call.store.secret(32)
    call.store.insert("web_sessions", id=made, requesttoken=call.store.secret(32))
    return made


def person_of(call: Call) -> str | None:
    """Who is logged in with this browser."""
    row = call.store.one("SELECT uid FROM web_sessions WHERE id = ?", session_of(call) or "")
    return None if row is None else row["uid"]


def requesttoken_of(call: Call) -> str:
    """What a form of this browser must bring back."""
    row = call.store.one("SELECT requesttoken FROM web_sessions WHERE id = ?", session_of(call) or "")
    return "" if row is None else row["requesttoken"]


def is_from_our_form(call: Call) -> bool:
    """Whether a form brings back what it was given."""
    return call.text("requesttoken") == requesttoken_of(call) != ""


def page_for(call: Call, body: str, status: int = 200, session: str | None = None) -> Response:
    """A page that a person can use, and a program tell from an answer."""
    row = call.store.one("SELECT requesttoken FROM web_sessions WHERE id = ?", session or session_of(call) or "")
    token = "" if row is None else row["requesttoken"]
    text = (
        '<!DOCTYPE html>\n<html class="ng-csp" data-placeholder-focus="false" lang="en" data-locale="en"'
        f' translate="no" >\n\t<head\n data-requesttoken="{token}">\n\t\t<meta charset="utf-8">\n\t\t<title>\n\t\t\t'
        'Nextcloud\t\t</title>\n\t\t<meta name="viewport" content="width=device-width, initial-scale=1.0">\n'
        f"\t</head>\n\t<body>\n{body}\n\t</body>\n</html>\n"
    )
    answer = Response(status, {"content-type": HTML_TYPE}, text.encode())
    return with_cookie(answer, session)


def with_cookie(answer: Response, session: str | None) -> Response:
    """The answer, which sets the cookie of a session where one is given."""
    if session is not None:
        answer.headers["set-cookie"] = f"{COOKIE}={session}; Path=/; HttpOnly; SameSite=Lax"
    return answer


def to_login(call: Call) -> Response:
    """On to the login form, and back to where one was."""
    where = f"/index.php{call.path.removeprefix('/index.php')}"
    asked = "&".join(f"{name}={value}" for name, value in call.query.items())
    back = quote(f"{where}?{asked}" if asked else where, safe="/?")
    return Response(303, {"location": f"/index.php/login?redirect_url={back}"})


@routes.page("GET", "/login", public=True)
def login_form(call: Call) -> Response:
    session = session_or_new(call)
    row = call.store.one("SELECT requesttoken FROM web_sessions WHERE id = ?", session)
    hidden = {"requesttoken": row["requesttoken"] if row else "", "redirect_url": call.text("redirect_url")}
    fields = "".join(f'<input type="hidden" name="{name}" value="{escape(text)}">' for name, text in hidden.items())
    wrong = "<p>Wrong login or password.</p>" if call.text("user") else ""
    body = (
        f'<h2>Log in to Nextcloud</h2>{wrong}<form method="post" action="/index.php/login">{fields}'
        '<p><label>Account name or email <input name="user"></label></p>'
        '<p><label>Password <input name="password" type="password"></label></p>'
        '<p><button type="submit">Log in</button></p></form>'
    )
    return page_for(call, body, session=session)


@routes.page("POST", "/login", public=True)
def log_in_here(call: Call) -> Response:
    """Name and password; right ones lead to where one was."""
    back, user = call.text("redirect_url"), call.text("user")
    again = f"/index.php/login?user={quote(user)}&redirect_url={quote(back, safe='/')}"
    if not is_from_our_form(call):
        return Response(303, {"location": again})
    person = log_in(call.store, user, call.text("password"))
    if person is None or person.token is not None:
        return Response(303, {"location": again})
    old, new = session_of(call), call.store.secret(32)
    call.store.run("UPDATE web_sessions SET id = ?, uid = ? WHERE id = ?", new, person.uid, old)
    place = f"{call.host}{back}" if back.startswith("/") else f"{call.host}/index.php/apps/dashboard/"
    return with_cookie(Response(303, {"location": place}), new)
