"""Tokens: got for a code, exchanged once for the next, revoked in part; errors are sentences."""

import base64
import binascii
import hashlib
from sqlite3 import Row

from aboveboard.lightdash.sandbox.oauth import clients
from aboveboard.lightdash.sandbox.oauth.sessions import person_of, text_in
from aboveboard.lightdash.sandbox.routes import Call, Routes
from aboveboard.lightdash.sandbox.store import Store
from aboveboard.lightdash.sandbox.wire import json_response
from aboveboard.sandbox.table import Table
from aboveboard.sandbox.wire import Response

ACCESS_LIFE, REFRESH_LIFE = 3600, 14 * 86400
TOKENS_TABLE = Table(
    "oauth_tokens",
    "token TEXT PRIMARY KEY, kind TEXT, client TEXT, user TEXT, scope TEXT, expires INTEGER",
    hidden="Who holds a token is no part of what a tool can change.",
)

routes = Routes()


class Wrong(Exception):
    """A sentence; those with "Invalid" or "required" in them are answered with 401."""


def _now(store: Store) -> int:
    return int(store.clock().timestamp())


def person_with(store: Store, access_token: str) -> Row | None:
    """The person as whom a living access token acts."""
    sql = (
        "SELECT users.* FROM oauth_tokens JOIN users ON users.uuid = user"
        " WHERE token = ? AND kind = 'access' AND expires > ?"
    )
    return store.one(sql, access_token, _now(store))


@routes.on("POST", "/api/v1/oauth/token", public=True)
def exchange(call: Call) -> object:
    """A code or a refresh token for an access token and the next refresh token."""
    try:
        return json_response(_exchanged(call))
    except Wrong as wrong:
        sentence = str(wrong)
        return json_response({"error": sentence}, 401 if "Invalid" in sentence or "required" in sentence else 400)


def _exchanged(call: Call) -> dict[str, object]:
    if not call.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        raise Wrong("Invalid request: content must be application/x-www-form-urlencoded")
    grant = text_in(call, "grant_type")
    if not grant:
        raise Wrong("Missing parameter: `grant_type`")
    client = _client(call, grant)
    if grant == "authorization_code":
        return _for_code(call, client)
    if grant == "refresh_token":
        return _for_refresh_token(call, client)
    if grant == "client_credentials":
        raise Wrong("Invalid argument: model does not implement `getUserFromClient()`")
    raise Wrong("Unauthorized client: `grant_type` is invalid")


def _client(call: Call, grant: str) -> str:
    client, secret = text_in(call, "client_id"), text_in(call, "client_secret")
    basic = call.headers.get("authorization", "")
    if basic.startswith("Basic "):
        try:
            client, _, secret = base64.b64decode(basic[6:]).decode().partition(":")
        except (binascii.Error, UnicodeDecodeError):
            client = ""
    may_leave_it_out = grant == "refresh_token" or bool(text_in(call, "code_verifier"))
    if not client or (not secret and not may_leave_it_out):
        raise Wrong("Invalid client: cannot retrieve client credentials")
    row = clients.find(call.store, client)
    known = row is not None or client == clients.BUILT_IN
    if not known or (secret and row is not None and row["secret"] != secret):
        raise Wrong("Invalid client: client is invalid")
    return client


def _for_code(call: Call, client: str) -> dict[str, object]:
    if not text_in(call, "code"):
        raise Wrong("Missing parameter: `code`")
    row = call.store.one("SELECT * FROM oauth_codes WHERE code = ?", text_in(call, "code"))
    if row is not None and row["client"] == client:
        call.store.run("DELETE FROM oauth_codes WHERE code = ?", row["code"])  # it dies with its first exchange
    if row is None or row["client"] != client:
        raise Wrong("Invalid grant: authorization code is invalid")
    if row["expires"] <= _now(call.store):
        raise Wrong("Invalid grant: authorization code has expired")
    redirect = text_in(call, "redirect_uri")
    if not redirect:
        raise Wrong("Invalid request: `redirect_uri` is not a valid URI")
    if redirect != row["redirect"]:
        raise Wrong("Invalid request: `redirect_uri` is invalid")
    _check_verifier(row["challenge"], text_in(call, "code_verifier"))
    return _issued(call.store, client, row["user"], row["scope"])


def _check_verifier(challenge: str, verifier: str) -> None:
    if not challenge and not verifier:
        return
    if not verifier:
        raise Wrong("Missing parameter: `code_verifier`")
    made = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    if made != challenge:
        raise Wrong("Invalid grant: code verifier is invalid")


def _for_refresh_token(call: Call, client: str) -> dict[str, object]:
    token = text_in(call, "refresh_token")
    if not token:
        raise Wrong("Missing parameter: `refresh_token`")
    row = call.store.one("SELECT * FROM oauth_tokens WHERE token = ? AND kind = 'refresh'", token)
    if row is None:
        raise Wrong("Invalid grant: refresh token is invalid")
    if row["client"] != client:
        raise Wrong("Invalid grant: refresh token was issued to another client")
    if row["expires"] <= _now(call.store):
        raise Wrong("Invalid grant: refresh token has expired")
    call.store.run("DELETE FROM oauth_tokens WHERE token = ?", token)
    scope = text_in(call, "scope") or row["scope"]
    if set(scope.split()) - set(row["scope"].split()):
        raise Wrong("Invalid scope: Unable to add extra scopes")
    return _issued(call.store, client, row["user"], scope)


def _issued(store: Store, client: str, user: str, scope: str) -> dict[str, object]:
    made: dict[str, str] = {}
    for kind, prefix, life in (("access", "ldapp", ACCESS_LIFE), ("refresh", "ldref", REFRESH_LIFE)):
        made[kind] = f"{prefix}_{store.new_uuid().replace('-', '')}{store.new_uuid().replace('-', '')}"
        row = {"token": made[kind], "kind": kind, "client": client, "user": user, "scope": scope}
        store.insert("oauth_tokens", **row, expires=_now(store) + life)
    return {
        "access_token": made["access"],
        "token_type": "Bearer",
        "expires_in": ACCESS_LIFE - 1,
        "refresh_token": made["refresh"],
        "scope": scope,
    }


@routes.on("POST", "/api/v1/oauth/revoke", public=True)
def revoke(call: Call) -> object:
    """A refresh token ends; an access token does not, and nobody is asked who they are."""
    if not text_in(call, "token"):
        return json_response({"error": "invalid_request"}, 400)
    call.store.run("DELETE FROM oauth_tokens WHERE token = ? AND kind = 'refresh'", text_in(call, "token"))
    return Response(200)


@routes.get("/api/v1/oauth/userinfo", public=True)
def userinfo(call: Call) -> object:
    """Who asks, by whatever they came with."""
    person = call.caller or person_of(call) or person_with(call.store, text_in(call, "access_token"))
    if person is None:
        return Response(401, {}, b"Unauthorized")
    home = call.store.one("SELECT * FROM organizations WHERE uuid = ?", person["organization"])
    return json_response(
        {
            "sub": person["uuid"],
            "name": f"{person['first_name']} {person['last_name']}",
            "given_name": person["first_name"],
            "family_name": person["last_name"],
            "email": person["email"],
            "email_verified": True,
            "organization_uuid": person["organization"],
            "organization_name": home["name"] if home else "",
        }
    )


@routes.on("POST", "/api/v1/oauth/introspect", public=True)
def introspect(call: Call) -> object:
    """For browsers alone, and about the token in the header, whatever the body says."""
    if person_of(call) is None:
        return json_response({"error": "invalid_request"}, 401)
    given = call.headers.get("authorization", "").removeprefix("Bearer ") or text_in(call, "access_token")
    sql = "SELECT * FROM oauth_tokens WHERE token = ? AND kind = 'access'"
    row = call.store.one(sql, given)
    if row is None:
        return json_response({"active": False})
    expires = row["expires"]
    told = {"active": True, "scope": row["scope"], "token_type": "access_token", "exp": expires}
    told |= {"iat": expires - ACCESS_LIFE, "sub": row["user"], "aud": row["client"], "iss": "lightdash"}
    person = call.store.one("SELECT email FROM users WHERE uuid = ?", row["user"])
    told |= {"username": person["email"] if person else ""}
    return json_response({**told, "jti": given, "client_id": clients.BUILT_IN})
