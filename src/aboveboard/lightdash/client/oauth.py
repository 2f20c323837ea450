"""Lightdash's own OAuth: a person approves on a page of Lightdash's, and this program gets tokens that act as them.

Its answers are plain JSON without the usual envelope, its errors a sentence in `error`.
"""

import base64
import hashlib
import secrets
from typing import Final, TypeVar
from urllib.parse import urlencode

from pydantic import BaseModel, ValidationError

from aboveboard.errors import ApiError
from aboveboard.http import Nature, Path, Response, Session, path

ROOT: Final = "/api/v1/oauth"
SCOPES: Final = "read write"
"""Lightdash echoes scopes and enforces none: a token has all rights of its person."""
OPERATOR: Final = "Its operator has to check LIGHTDASH_OAUTH_CLIENT_ID and LIGHTDASH_OAUTH_CLIENT_SECRET."
ModelT = TypeVar("ModelT", bound=BaseModel)


class OAuthClient(BaseModel):
    """What this server is to Lightdash."""

    client_id: str
    client_secret: str | None = None


class Tokens(BaseModel):
    """What a person's approval is exchanged for; the refresh token can be used once."""

    access_token: str
    refresh_token: str
    expires_in: int = 3600


class OAuth:
    """One instance's authorization server, asked as nobody."""

    def __init__(self, nobody: Session) -> None:
        self._nobody = nobody

    async def register(self, name: str, callback: str) -> OAuthClient:
        """Make this server known, where the operator has not."""
        body = {"client_name": name, "redirect_uris": [callback], "scope": SCOPES}
        answer = await self._nobody.request("POST", path("/api/v1/oauth/register"), json=body, repeats=False)
        return self._read(answer, 201, OAuthClient)

    async def exchange(self, client: OAuthClient, code: str, callback: str, verifier: str) -> Tokens:
        """Exchange the code that the browser brought; it can be tried once."""
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": callback, "code_verifier": verifier}
        return await self._tokens(client, form)

    async def refresh(self, client: OAuthClient, refresh_token: str) -> Tokens:
        """Exchange a refresh token for new tokens."""
        return await self._tokens(client, {"grant_type": "refresh_token", "refresh_token": refresh_token})

    async def revoke(self, refresh_token: str) -> None:
        """End a refresh token; the access token that came with it lives on for up to an hour."""
        answer = await self._form(path("/api/v1/oauth/revoke"), {"token": refresh_token})
        if answer.status != 200:
            raise self._nobody.error(answer)

    async def _tokens(self, client: OAuthClient, form: dict[str, str]) -> Tokens:
        known = {name: value for name, value in client.model_dump().items() if value}
        return self._read(await self._form(path("/api/v1/oauth/token"), {**form, **known}), 200, Tokens)

    async def _form(self, at: Path, form: dict[str, str]) -> Response:
        return await self._nobody.request(
            "POST",
            at,
            content=urlencode(form).encode(),
            headers={"Content-Type": "application/x-www-form-urlencoded"},
            nature=Nature.ADDS,
            repeats=False,  # a code and a refresh token can be used once
        )

    def _refused(self, answer: Response) -> ApiError:
        """Tell a token that is spent from a client that Lightdash does not know: the first is the person's to mend."""
        said = answer.content[:200].decode("utf-8", "replace")
        if answer.status == 401 and "Invalid grant" not in said:
            return ApiError("Lightdash does not know this server as an OAuth client.", status=401, next_step=OPERATOR)
        return self._nobody.error(answer, "the grant is no longer valid" if answer.status == 401 else "")

    def _read(self, answer: Response, status: int, into: type[ModelT]) -> ModelT:
        if answer.status != status:
            raise self._refused(answer)
        try:
            return into.model_validate_json(answer.content)
        except ValidationError:
            raise answer.misfit("Lightdash's OAuth answered in a form this server does not know.") from None


def authorize_url(base_url: str, client: OAuthClient, callback: str, state: str, verifier: str) -> str:
    """Return the page on which a person approves."""
    query = {
        "response_type": "code",
        "client_id": client.client_id,
        "redirect_uri": callback,
        "scope": SCOPES,
        "state": state,
        "code_challenge": challenge(verifier),
        "code_challenge_method": "S256",
    }
    return f"{base_url}{ROOT}/authorize?{urlencode(query)}"


def new_verifier() -> str:
    """Make the secret that shows that who exchanges a code also asked for it."""
    return secrets.token_urlsafe(48)


def challenge(verifier: str) -> str:
    """Return what of the secret may be seen."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
