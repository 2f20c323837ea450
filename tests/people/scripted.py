"""An identity provider that a test scripts: it signs whatever it is told to, with keys that change."""

import json
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import anyio
import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp
from tests.people.raw import Raw
from tests.people.team import Clock, Team, deployment
from tests.people.web import plain, served

from aboveboard.kit.people.settings import OidcSettings
from aboveboard.kit.people.sign_in_mode import SignInMode
from aboveboard.nextcloud.sandbox import Sandbox


@cache
def private_key(name: str) -> Any:
    """Return the key of a name, made once."""
    if name.startswith("ec"):
        return ec.generate_private_key(ec.SECP256R1())
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def public_key(name: str) -> dict[str, Any]:
    """Return the key as a provider publishes it."""
    make = ECAlgorithm if name.startswith("ec") else RSAAlgorithm
    key: Any = make.to_jwk(private_key(name).public_key())
    return {**json.loads(key), "kid": name, "use": "sig"}


@dataclass
class Scripted:
    """One provider."""

    url: str = ""
    calls_itself: str = ""
    keys: list[dict[str, Any]] = field(default_factory=lambda: [public_key("first")])
    asked: int = 0
    looked_up: int = 0
    identity: dict[str, Any] = field(default_factory=dict[str, Any])
    """What it says of who logged in, and how it signs that."""
    userinfo: dict[str, Any] = field(default_factory=dict[str, Any])
    more: dict[str, Any] = field(default_factory=dict[str, Any])
    """What its document says beside the usual, or in its place."""
    down: bool = False
    answers: anyio.Event | None = None
    """Where it is slow: what it waits for."""

    @property
    def app(self) -> Starlette:
        """What it serves."""
        return Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self._document),
                Route("/jwks", self._published),
                Route("/token", self._exchanged, methods=["POST"]),
                Route("/me", self._told),
            ]
        )

    async def _document(self, _: Request) -> Response:
        self.looked_up += 1
        if self.answers is not None:
            await self.answers.wait()
        places = {
            "userinfo_endpoint": f"{self.url}/me",
            "authorization_endpoint": f"{self.url}/auth",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/jwks",
        }
        told = {"issuer": self.calls_itself or self.url, **places, **self.more}
        return JSONResponse(told, status_code=500 if self.down else 200)

    async def _published(self, _: Request) -> Response:
        self.asked += 1
        return JSONResponse({"keys": self.keys})

    async def _exchanged(self, _: Request) -> Response:
        return JSONResponse({"access_token": "x", "id_token": self.token("aboveboard", typ="JWT", **self.identity)})

    async def _told(self, _: Request) -> Response:
        return JSONResponse(self.userinfo)

    def token(
        self, resource: str, *, key: str = "first", alg: str = "RS256", typ: str | None = "at+jwt", **more: Any
    ) -> str:
        """Sign a token; a claim that is None is left out."""
        now = int(time.time())
        usual = {"iss": self.url, "aud": resource, "sub": "bob", "client_id": "claude", "iat": now, "exp": now + 600}
        kid = more.pop("kid", key)
        claims = {name: value for name, value in (usual | more).items() if value is not None}
        header = {"kid": kid, "typ": typ}
        return jwt.encode(claims, private_key(key), alg, {name: one for name, one in header.items() if one is not None})


@asynccontextmanager
async def company(sandbox: Sandbox, folder: Path, script: Scripted, **oidc: Any) -> AsyncGenerator[Raw]:
    """Serve people of a scripted provider, and yield a client that speaks to the server."""
    team = Team("", sandbox, Clock(time.time()), [])

    def issuing(url: str) -> ASGIApp:
        script.url = url
        return script.app

    async with served(issuing) as issuer:
        settings = OidcSettings(issuer=issuer, client_id="aboveboard", **oidc)

        def serving(url: str) -> ASGIApp:
            return deployment(team, url, str(folder / "db"), folder, mode=SignInMode.OIDC, oidc=settings)

        async with served(serving) as url, plain() as http:
            team.url = url
            yield Raw(team, http)


def resource(raw: Raw) -> str:
    """Return what tokens for a server are issued for."""
    return f"{raw.team.url}/mcp"
