"""The endpoints that OAuth clients speak to: the SDK's handlers, and what they lack."""

from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from limits import RateLimitItemPerMinute
from mcp.server.auth.handlers.authorize import AuthorizationHandler
from mcp.server.auth.middleware.client_auth import AuthenticationError, ClientAuthenticator
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.routes import cors_middleware, create_auth_routes
from mcp.server.auth.settings import ClientRegistrationOptions
from pydantic import AnyHttpUrl
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from aboveboard.kit.people.authorization import Authorization
from aboveboard.kit.people.limits import Limits, TooMuch, came_from
from aboveboard.kit.people.pages import Pages
from aboveboard.kit.people.people import People
from aboveboard.kit.people.rights import READ_SCOPE, WRITE_SCOPE

REGISTRATIONS: Final = RateLimitItemPerMinute(20)
"""That one address may send."""


class Endpoints:
    """What is at the well-known places, and where they point to."""

    def __init__(self, people: People, provider: Authorization, pages: Pages, limits: Limits) -> None:
        self._people, self._provider, self._pages, self._limits = people, provider, pages, limits

    def routes(self) -> Sequence[Route]:
        """Return them; ours come first where the SDK has the same."""
        origin, path = self._people.origin, urlsplit(self._people.resource).path
        server = "/.well-known/oauth-authorization-server"
        theirs = create_auth_routes(
            self._provider,
            AnyHttpUrl(origin),
            client_registration_options=ClientRegistrationOptions(enabled=True),
        )
        register = next(route for route in theirs if route.path == "/register")
        ours = {server, "/authorize", "/register"}
        return [
            _document(server, self._server_metadata()),
            _document(f"{server}{path}", self._server_metadata()),
            *resource_routes(self._people.resource, origin, self._people.title, [READ_SCOPE, WRITE_SCOPE]),
            Route("/authorize", self._authorize, methods=["GET", "POST"]),
            Route("/revoke", cors_middleware(self._revoke, ["POST", "OPTIONS"]), methods=["POST", "OPTIONS"]),
            Route("/register", _Limited(register.app, self._limits), methods=["POST", "OPTIONS"]),
            *(route for route in theirs if route.path not in ours),
        ]

    def _server_metadata(self) -> dict[str, Any]:
        origin = self._people.origin
        methods = ["none", "client_secret_post", "client_secret_basic"]
        return {
            "issuer": origin,
            "authorization_endpoint": f"{origin}/authorize",
            "token_endpoint": f"{origin}/token",
            "registration_endpoint": f"{origin}/register",
            "revocation_endpoint": f"{origin}/revoke",
            "scopes_supported": [*self._people.scopes.names, "offline_access"],
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "token_endpoint_auth_methods_supported": methods,
            "revocation_endpoint_auth_methods_supported": methods,
            "code_challenge_methods_supported": ["S256"],
            "client_id_metadata_document_supported": True,
            "authorization_response_iss_parameter_supported": True,
        }

    async def _authorize(self, request: Request) -> Response:
        """Let the SDK check the request; its errors get our issuer, or become a page where no client can be told."""
        await self._limits.count_sign_in(request)
        answer = await AuthorizationHandler(self._provider).handle(request)
        place = answer.headers.get("location", "")
        if place.startswith(f"{self._people.origin}/connect/"):
            return answer
        if place:
            joined = "&" if urlsplit(place).query else "?"
            answer.headers["location"] = f"{place}{joined}{urlencode({'iss': self._people.origin})}"
            return answer
        told = "The AI client that sent you here asks in a way that cannot be answered."
        return self._pages.error(told, status=400, reason=bytes(answer.body).decode())

    async def _revoke(self, request: Request) -> Response:
        """End what a token stands for; the SDK asks even those for a secret that have none."""
        try:
            client = await ClientAuthenticator(self._provider).authenticate_request(request)
        except AuthenticationError as error:
            return JSONResponse({"error": "invalid_client", "error_description": error.message}, status_code=401)
        token = (await request.form()).get("token")
        if not isinstance(token, str):
            return JSONResponse({"error": "invalid_request", "error_description": "token is missing"}, status_code=400)
        known = await self._provider.load_access_token(token) or await self._refresh_token(token, client.client_id)
        if known is not None and known.client_id == client.client_id:
            await self._provider.revoke_token(known)
        return Response(status_code=200, headers={"Cache-Control": "no-store"})

    async def _refresh_token(self, token: str, client_id: str) -> AccessToken | None:
        client = await self._provider.get_client(client_id)
        known = None if client is None else await self._provider.load_refresh_token(client, token)
        return None if known is None else AccessToken(token=token, client_id=known.client_id, scopes=[])


def resource_routes(resource: str, issuer: str, title: str, scopes: Sequence[str]) -> list[Route]:
    """Return the documents that tell which server gives access to this one, and what to ask it for."""
    told = {
        "resource": resource,
        "authorization_servers": [issuer],
        **({"scopes_supported": list(scopes)} if scopes else {}),
        "bearer_methods_supported": ["header"],
        "resource_name": f"{title}, by aboveboard",
    }
    where = "/.well-known/oauth-protected-resource"
    return [_document(f"{where}{urlsplit(resource).path}", told), _document(where, told)]


def _document(path: str, values: dict[str, Any]) -> Route:
    async def tell(_: Request) -> Response:
        return JSONResponse(values, headers={"Cache-Control": "public, max-age=3600"})

    return Route(path, cors_middleware(tell, ["GET", "OPTIONS"]), methods=["GET", "OPTIONS"])


class _Limited:
    """Stops one address from registering clients without end."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app, self._limits = app, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._limits.count(came_from(HTTPConnection(scope)), REGISTRATIONS, "registrations")
        except TooMuch as much:
            told = {"error": "temporarily_unavailable", "error_description": str(much)}
            return await JSONResponse(told, status_code=429)(scope, receive, send)
        return await self._app(scope, receive, send)
