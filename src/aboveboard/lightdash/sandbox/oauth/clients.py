"""OAuth clients: those that register themselves, without being asked who they are, and those that an admin makes."""

import json
import re
from sqlite3 import Row
from typing import cast
from urllib.parse import urlsplit

from aboveboard.lightdash.sandbox import contracts
from aboveboard.lightdash.sandbox.routes import DONE, Call, Created, Routes
from aboveboard.lightdash.sandbox.store import Store
from aboveboard.lightdash.sandbox.wire import CrashError, ServiceError, forbidden, json_response, missing
from aboveboard.sandbox.table import Table

CLIENTS_TABLE = Table(
    "oauth_clients",
    "id TEXT PRIMARY KEY, secret TEXT, name TEXT, redirects TEXT, scope TEXT, organization TEXT, created_at TEXT",
    hidden="What may ask for tokens is no part of what a tool can change.",
)
BUILT_IN = "lightdash-cli"
LONGEST_NAME = 255

routes = Routes()


def find(store: Store, client: str) -> Row | None:
    """A client by its id."""
    return store.one("SELECT * FROM oauth_clients WHERE id = ?", client)


def takes(store: Store, client: str, redirect: str) -> bool:
    """Whether a code of this client may go to an address; a star in a registered one stands for anything."""
    if client == BUILT_IN:
        return re.fullmatch(r"http://localhost:\d+/callback", redirect) is not None
    row = find(store, client)
    known: list[str] = [] if row is None else json.loads(row["redirects"])
    return any(re.fullmatch(".*".join(map(re.escape, one.split("*"))), redirect) for one in known)


def _secret(store: Store) -> str:
    return store.new_uuid().replace("-", "") + store.new_uuid().replace("-", "")


def _id(store: Store, prefix: str) -> str:
    return f"{prefix}-{store.new_uuid().replace('-', '')[:16]}"


@routes.on("POST", "/api/v1/oauth/register", public=True)
def register(call: Call) -> object:
    """A new client; of what it says of itself, its name, addresses and scope count."""
    body = contracts.as_map(call.body)
    name, redirects = body.get("client_name"), body.get("redirect_uris")
    if not name or not isinstance(redirects, list):
        told = {"error": "invalid_client_metadata", "error_description": "client_name and redirect_uris are required"}
        return json_response(told, 400)
    addresses = cast("list[object]", redirects)
    if len(str(name)) > LONGEST_NAME or not all(isinstance(one, str) and _parses(one) for one in addresses):
        told = {"error": "server_error", "error_description": "Internal server error during client registration"}
        return json_response(told, 500)
    made = _made(call, _id(call.store, "mcp"), str(name), addresses, str(body.get("scope") or ""), None)
    issued = int(call.store.clock().timestamp())
    return json_response({**made, "client_id_issued_at": issued}, 201)


def _parses(address: str) -> bool:
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return False
    return bool(parts.scheme)


def _made(
    call: Call, client: str, name: str, redirects: list[object], scope: str, organization: str | None
) -> dict[str, object]:
    secret, now = _secret(call.store), call.store.now()
    call.store.insert(
        "oauth_clients",
        id=client,
        secret=secret,
        name=name,
        redirects=redirects,
        scope=scope,
        organization=organization,
        created_at=now,
    )
    return {
        "client_id": client,
        "client_secret": secret,
        "client_name": name,
        "redirect_uris": redirects,
        "grant_types": ["authorization_code", "refresh_token"],
        "scope": scope,
    }


def _admin(call: Call) -> str:
    if call.user["role"] != "admin":
        raise forbidden("You do not have permission to manage OAuth clients")
    return call.user["organization"]


def _shown(row: Row) -> dict[str, object]:
    return {
        "clientId": row["id"],
        "clientName": row["name"],
        "redirectUris": json.loads(row["redirects"]),
        "scopes": ["read", "write"],
        "createdAt": row["created_at"],
    }


@routes.get("/api/v1/oauth/clients")
def list_clients(call: Call) -> object:
    """The clients that admins of the organisation made."""
    rows = call.store.all("SELECT * FROM oauth_clients WHERE organization = ? ORDER BY rowid DESC", _admin(call))
    return [_shown(row) for row in rows]


@routes.post("/api/v1/oauth/clients")
def create_client(call: Call) -> object:
    """A client that an admin makes."""
    home, body = _admin(call), contracts.as_map(call.body)
    if not isinstance(body.get("redirectUris"), list):
        raise CrashError
    redirects = cast("list[object]", body["redirectUris"])
    if not all(isinstance(one, str) and _parses(one) for one in redirects):
        raise ServiceError(400, "ParameterError", f"Invalid redirect URI {redirects[0]}")
    made = _made(call, _id(call.store, "oauth"), str(body["clientName"]), redirects, "read write", home)
    row = find(call.store, str(made["client_id"]))
    if row is None:
        raise CrashError
    return Created({**_shown(row), "clientSecret": made["client_secret"]})


def _own(call: Call) -> Row:
    home = _admin(call)
    row = call.store.one("SELECT * FROM oauth_clients WHERE id = ? AND organization = ?", call.params["client"], home)
    if row is None:
        raise missing("OAuth client not found")
    return row


@routes.patch("/api/v1/oauth/clients/{client}")
def update_client(call: Call) -> object:
    """Another name and other addresses; a part alone crashes."""
    row, body = _own(call), contracts.as_map(call.body)
    if not isinstance(body.get("redirectUris"), list):
        raise CrashError
    call.store.update("oauth_clients", row["id"], name=body["clientName"], redirects=body["redirectUris"])
    return _shown(_own(call))


@routes.delete("/api/v1/oauth/clients/{client}")
def delete_client(call: Call) -> object:
    """The client goes, and its tokens with it."""
    row = _own(call)
    call.store.run("DELETE FROM oauth_tokens WHERE client = ?", row["id"])
    call.store.run("DELETE FROM oauth_clients WHERE id = ?", row["id"])
    return DONE
