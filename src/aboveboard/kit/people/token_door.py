"""The door for those who bring a token of ours: what it lets in, and what is said to the others."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from aboveboard.errors import Failure
from aboveboard.kit.people.access import Access
from aboveboard.kit.people.people import People
from aboveboard.kit.people.rights import READ_SCOPE, WRITE_SCOPE


class Challenges:
    """What a client is told that lacks a token or a right: where to get it, and for what."""

    def __init__(self, resource: str, origin: str, *, scope: str = READ_SCOPE) -> None:
        """Take what to ask for at first; where nothing is named, clients ask for what they see fit."""
        path = resource.removeprefix(origin)
        self._scope = {"scope": scope} if scope else {}
        self._metadata = f"{origin}/.well-known/oauth-protected-resource{path}"

    def unauthorized(self, *, had_token: bool, told: str = "The token is unknown or has ended.") -> Response:
        """Ask for a token; reading is what everybody starts with."""
        error = {"error": "invalid_token"} if had_token else {}
        values = error | self._scope | {"resource_metadata": self._metadata}
        return _challenge(401, values, "invalid_token", told if had_token else "Sign in to use this server.")

    def lacking(self, granted: set[str], scope: str) -> Response:
        """Ask for one more right beside those that were granted: a client may ask for just what is named here."""
        wanted = " ".join(sorted({one for one in granted if one != WRITE_SCOPE} | {scope}))
        more = {"error": "insufficient_scope", "scope": wanted, "resource_metadata": self._metadata}
        told = f"This needs the scope {scope}, which was not granted."
        return _challenge(403, more, "insufficient_scope", told)


def _challenge(status: int, values: dict[str, str], error: str, description: str) -> Response:
    header = "Bearer " + ", ".join(f'{name}="{value}"' for name, value in values.items())
    told = {"error": error, "error_description": description}
    return JSONResponse(told, status_code=status, headers={"WWW-Authenticate": header, "Cache-Control": "no-store"})


def unavailable(failure: Failure) -> Response:
    """Answer while something that this server needs does not."""
    return JSONResponse({"error": "unavailable", "error_description": str(failure)}, status_code=503)


def bearer(request: Request) -> str:
    """Return the token of a request, empty where there is none."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


class TokenDoor:
    """Lets in who has a token that stands for a grant."""

    def __init__(self, people: People) -> None:
        self._people, self._challenges = people, Challenges(people.resource, people.origin)

    async def admit(self, request: Request) -> Access | Response:
        """Look the token up, on every request: what ended, ends at once."""
        token = bearer(request)
        try:
            access = await self._people.verify(token) if token else None
        except Failure as failure:  # the store does not answer
            return unavailable(failure)
        return access or self._challenges.unauthorized(had_token=bool(token))

    async def is_welcome(self, access: Access) -> bool:
        """Tell whether the grant is still there, and the token has not expired."""
        return await self._people.is_welcome(access)

    def lacks(self, access: Access, scope: str) -> Response | None:
        """Ask for the scope."""
        return self._challenges.lacking(set(access.scopes), scope)
