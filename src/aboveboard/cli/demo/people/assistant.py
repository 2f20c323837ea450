"""An AI client of one person, with the SDK's own OAuth: it is sent to sign in, and the person does so in a browser."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qsl, urlsplit

import httpx2
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

CALLBACK: Final = "http://127.0.0.1:9/callback"
"""Where no one listens: the browser stops before it goes there."""
SignIn = Callable[[str], Awaitable[str]]
"""Opens an address, does what a person does there, and tells where the browser was sent in the end."""


@dataclass
class Kept:
    """What an OAuth client keeps between two sessions: here, nothing that outlives it."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        """Return what it was given."""
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        """Keep what it was given."""
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        """Return what it is to the server."""
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        """Keep what it is to the server."""
        self.client = client_info


@dataclass
class Assistant:
    """An AI client that knows nothing but the address of a server."""

    name: str
    url: str
    sign_in: SignIn
    _kept: Kept = field(default_factory=Kept)

    @property
    def token(self) -> str:
        """What it was given in the end."""
        return self._kept.tokens.access_token if self._kept.tokens else ""

    @asynccontextmanager
    async def connected(self) -> AsyncGenerator[Client]:
        """Open a session; the sign-in happens on the way."""
        metadata = OAuthClientMetadata(redirect_uris=[AnyUrl(CALLBACK)], client_name=self.name)
        landed: list[str] = []

        async def open_browser(url: str) -> None:
            landed.append(await self.sign_in(url))

        async def take_answer() -> AuthorizationCodeResult:
            given = dict(parse_qsl(urlsplit(landed.pop()).query))
            return AuthorizationCodeResult(code=given["code"], state=given.get("state"), iss=given.get("iss"))

        auth = OAuthClientProvider(self.url, metadata, self._kept, open_browser, take_answer)
        async with (
            httpx2.AsyncClient(auth=auth, timeout=30, trust_env=False) as http,
            Client(streamable_http_client(self.url, http_client=http)) as client,
        ):
            yield client
