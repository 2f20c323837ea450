"""The page on which a person approves; it looks at little, and the answer is a page that leads back."""

from html import escape
from urllib.parse import quote, urlencode

from aboveboard.lightdash.sandbox.oauth import clients
from aboveboard.lightdash.sandbox.oauth.sessions import HTML, page, person_of, text_in
from aboveboard.lightdash.sandbox.routes import Call, Routes
from aboveboard.lightdash.sandbox.wire import json_response
from aboveboard.sandbox.table import Table
from aboveboard.sandbox.wire import Response

CODE_LIFE = 300
CODES_TABLE = Table(
    "oauth_codes",
    "code TEXT PRIMARY KEY, client TEXT, user TEXT, redirect TEXT, scope TEXT, challenge TEXT, expires INTEGER",
    hidden="A code on its way is no part of what a tool can change.",
)
FIELDS = ("response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge", "code_challenge_method")
METADATA = (
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-authorization-server/api/v1/mcp",
    "/api/v1/oauth/.well-known/oauth-authorization-server",
    "/api/v1/oauth/.well-known/oauth-authorization-server/api/v1/mcp",
)
SCOPES = ["read", "write", "mcp:read", "mcp:write"]

routes = Routes()


def _base(call: Call) -> str:
    return f"http://{call.headers.get('host', 'localhost')}"


def _server(call: Call) -> object:
    base = _base(call)
    names = ("authorization", "token", "introspection", "revocation", "registration", "userinfo")
    words = ("authorize", "token", "introspect", "revoke", "register", "userinfo")
    told: dict[str, object] = {"issuer": base}
    told |= {f"{name}_endpoint": f"{base}/api/v1/oauth/{word}" for name, word in zip(names, words, strict=True)}
    told |= {
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token", "client_credentials"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
        "code_challenge_methods_supported": ["S256"],
        "scopes_supported": SCOPES,
        "pkce_required": False,
    }
    return json_response(told)


def _resource(call: Call) -> object:
    base = _base(call)
    return json_response(
        {
            "resource": f"{base}/api/v1/mcp",
            "authorization_servers": [base],
            "bearer_methods_supported": ["header"],
            "scopes_supported": SCOPES,
            "resource_documentation": f"{base}/api/v1/oauth/.well-known/oauth-authorization-server",
            "introspection_endpoint": f"{base}/api/v1/oauth/introspect",
            "revocation_endpoint": f"{base}/api/v1/oauth/revoke",
        }
    )


for _path in METADATA:
    routes.get(_path, public=True)(_server)
    routes.get(_path.replace("authorization-server", "protected-resource"), public=True)(_resource)


@routes.get("/api/v1/oauth/authorize", public=True)
def ask(call: Call) -> object:
    """Who asks for what; nothing but the presence of two fields is looked at."""
    if person_of(call) is None:
        asked = urlencode({name: text_in(call, name) for name in FIELDS if name in call.query})
        place = f"/login?redirect={quote(f'/api/v1/oauth/authorize?{asked}', safe='')}"
        headers = {"location": place, "content-type": "text/plain; charset=utf-8"}
        return Response(302, headers, f"Found. Redirecting to {place}".encode())
    if not text_in(call, "client_id") or not text_in(call, "redirect_uri"):
        return Response(400, {"content-type": HTML}, b"Missing required parameters")
    row = clients.find(call.store, text_in(call, "client_id"))
    name = row["name"] if row else text_in(call, "client_id")
    hidden = "".join(f'<input type="hidden" name="{field}" value="{escape(text_in(call, field))}">' for field in FIELDS)
    return page(
        "Authorize Application",
        f"<h1>Authorize Application</h1><p>{escape(name)} wants to access your Lightdash account</p>"
        f'<form class="container" method="POST" action="/api/v1/oauth/authorize">{hidden}'
        '<button type="submit" name="approve" value="true" class="oauth-btn approve">Approve</button>'
        '<button type="submit" name="approve" value="false" class="oauth-btn deny">Deny</button></form>',
    )


@routes.on("POST", "/api/v1/oauth/authorize", public=True)
def answer(call: Call) -> object:
    """The person's answer; a missing one counts as yes."""
    person = person_of(call)
    if person is None:
        return Response(401, {"content-type": HTML}, b"Unauthorized")
    redirect, client = text_in(call, "redirect_uri"), text_in(call, "client_id")
    if not clients.takes(call.store, client, redirect):
        told = {"error": "invalid_request", "error_description": "Invalid client_id or redirect_uri"}
        return json_response(told, 400)
    if text_in(call, "approve") == "false":
        return _back(call, redirect, "Access denied.", error="access_denied")
    if text_in(call, "response_type") != "code" or text_in(call, "code_challenge_method") not in ("", "S256"):
        return _back(call, redirect, "", error="server_error")
    code = call.store.new_uuid().replace("-", "") + call.store.new_uuid().replace("-", "")[:8]
    call.store.insert(
        "oauth_codes",
        code=code,
        client=client,
        user=person["uuid"],
        redirect=redirect,
        scope=text_in(call, "scope"),
        challenge=text_in(call, "code_challenge"),
        expires=int(call.store.clock().timestamp()) + CODE_LIFE,
    )
    return _back(call, redirect, "", code=code)


def _back(call: Call, redirect: str, told: str, **values: str) -> Response:
    state = text_in(call, "state")
    joined = "&" if "?" in redirect else "?"
    place = redirect + joined + urlencode({**values, **({"state": state} if state else {})})
    shown = escape(place).replace("=", "&#x3D;")
    head = f'<meta http-equiv="refresh" content="0;url={shown}" />'
    return page("Redirecting...", f"<p>{told} Redirecting you back to your application...</p>", head=head)
