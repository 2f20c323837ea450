"""The key to the HTTP endpoint: `Authorization: Bearer` or `X-API-Key`, compared in constant time."""

import hashlib
import hmac
from collections.abc import Sequence

from pydantic import SecretStr
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send


class RequireKey:
    """Lets a request through that carries the key, and answers 401 to any other."""

    def __init__(self, app: ASGIApp, *, key: SecretStr, open_paths: Sequence[str] = ()) -> None:
        self._app = app
        self._open_paths = open_paths
        self._digest = _digest(key.get_secret_value().encode())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check the key of every HTTP request."""
        if scope["type"] == "http" and scope["path"] not in self._open_paths and not self._knows(Headers(scope=scope)):
            refusal = JSONResponse(
                {"error": "unauthorized", "message": "Send the server's key as Authorization: Bearer or X-API-Key."},
                status_code=401,
                headers={"WWW-Authenticate": 'Bearer realm="aboveboard"'},
            )
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _knows(self, headers: Headers) -> bool:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        given = token.strip() if scheme.lower() == "bearer" else headers.get("x-api-key", "")
        # Starlette reads a header as Latin-1; this gives back the bytes that came.
        return hmac.compare_digest(_digest(given.encode("latin-1")), self._digest)


def _digest(key: bytes) -> bytes:
    """Make all keys equally long, so that comparing them takes equally long."""
    return hashlib.sha256(key).digest()
