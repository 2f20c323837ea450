"""An OAuth client by hand: every step of the flow on its own, so that each can go wrong."""

import base64
import hashlib
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx2
from tests.people.team import CALLBACK, Team, agree

VERIFIER: Final = "v" * 64
CHALLENGE: Final = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")


@dataclass
class Raw:
    """One client that speaks to a team's server."""

    team: Team
    http: httpx2.AsyncClient
    id: str = ""
    redirect: str = CALLBACK
    extra: dict[str, str] = field(default_factory=dict[str, str])

    async def register(self, **values: Any) -> httpx2.Response:
        """Register as public, but for what is given."""
        body = {"redirect_uris": [self.redirect], "client_name": "Raw", "token_endpoint_auth_method": "none"} | values
        answer = await self.http.post(f"{self.team.url}/register", json=body)
        self.id = answer.json().get("client_id", "")
        return answer

    def authorize_url(self, **values: str | None) -> str:
        """Return the address that a browser opens."""
        asked = {
            "response_type": "code",
            "client_id": self.id,
            "redirect_uri": self.redirect,
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            "state": "s-1",
            "resource": f"{self.team.url}/mcp",
            **values,
        }
        kept = {name: value for name, value in asked.items() if value is not None}
        return f"{self.team.url}/authorize?{urlencode(kept)}"

    async def authorize(self, **values: str | None) -> httpx2.Response:
        """Ask to be authorized, without a browser."""
        return await self.http.get(self.authorize_url(**values))

    async def code(self, user: str = "bob", *choice: tuple[str, str], **values: str | None) -> str:
        """Let a person agree, and return the code."""
        async with self.team.browser() as browser:
            landed = await agree(self.team, browser, self.authorize_url(**values), user, *choice)
        return landed_on(landed)["code"]

    async def exchange(self, code: str, **values: str | None) -> httpx2.Response:
        """Exchange a code."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.redirect,
            "client_id": self.id,
            "code_verifier": VERIFIER,
        }
        return await self.token({**form, **values})

    async def refresh(self, token: str, **values: str | None) -> httpx2.Response:
        """Exchange a refresh token."""
        form = {"grant_type": "refresh_token", "refresh_token": token, "client_id": self.id}
        return await self.token({**form, **values})

    async def token(self, form: dict[str, str | None]) -> httpx2.Response:
        """Speak to the token endpoint."""
        given = {name: value for name, value in form.items() if value is not None}
        return await self.http.post(f"{self.team.url}/token", data=given)

    async def signed_in(self, user: str = "bob", *choice: tuple[str, str]) -> dict[str, Any]:
        """Go all the way, and return the tokens."""
        await self.register()
        answer = await self.exchange(await self.code(user, *choice))
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def call(self, token: str, method: str = "tools/list", **params: Any) -> httpx2.Response:
        """Send one request of MCP, as a client of 2026 does."""
        from tests.kit.serving.exchange import ACCEPT, ENVELOPE, MODERN  # pyright: ignore[reportPrivateImportUsage]

        routing = {"mcp-protocol-version": MODERN, "mcp-method": method}
        named = params.get("name", params.get("uri"))
        routing |= {"mcp-name": named} if named else {}
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": ENVELOPE, **params}}
        headers = {**ACCEPT, **routing, "authorization": f"Bearer {token}"}
        return await self.http.post(f"{self.team.url}/mcp", json=body, headers=headers)


def landed_on(url: str) -> dict[str, str]:
    """Return what a browser was sent back with."""
    return dict(parse_qsl(urlsplit(url).query))


def challenge_of(answer: httpx2.Response) -> dict[str, str]:
    """Read a challenge."""
    scheme, _, rest = answer.headers["www-authenticate"].partition(" ")
    assert scheme == "Bearer"
    return {name: value.strip('"') for name, _, value in (part.partition("=") for part in rest.split(", "))}
