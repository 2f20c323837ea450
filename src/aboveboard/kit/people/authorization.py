"""The authorization server, as the SDK's handlers want it: codes and tokens for what people grant on our pages."""

import re
from typing import Final

from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    AuthorizeError,
    IdentityAssertionParams,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    TokenError,
)
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyUrl

from aboveboard.kit.people import pending, tokens
from aboveboard.kit.people.clients import Client, Clients
from aboveboard.kit.people.grants import Grant
from aboveboard.kit.people.pending import SignInRequest
from aboveboard.kit.people.people import People
from aboveboard.kit.people.tokens import ACCESS, ACCESS_LIFE, REFRESH, Pair

S256: Final = re.compile(r"[A-Za-z0-9_-]{43}")
"""What a SHA-256 looks like in base64url, without padding."""


class Authorization(OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]):
    """Hands out codes and tokens."""

    def __init__(self, people: People, clients: Clients) -> None:
        self._people, self._clients = people, clients

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        """Return a client that is known, or that publishes what it is at its id."""
        return await self._clients.find(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        """Keep a client that registers."""
        await self._clients.register(client_info)

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        """Send the browser to our own page, which sees its cookies."""
        if params.resource is not None and params.resource.rstrip("/") != self._people.resource:
            raise AuthorizeError("invalid_target", f"This server gives access to {self._people.resource} alone.")
        if not S256.fullmatch(params.code_challenge):
            raise AuthorizeError("invalid_request", "The code challenge is not one of S256.")
        redirect = str(params.redirect_uri)
        if not isinstance(client, Client) or not self._clients.may_come(client, redirect):
            raise AuthorizeError("unauthorized_client", "The operator of this server does not let this client in.")
        asked = SignInRequest(
            client=client.client_id,
            client_name=client.shown_name,
            client_home=client.home,
            redirect=redirect,
            explicit=params.redirect_uri_provided_explicitly,
            state=params.state,
            challenge=params.code_challenge,
            scopes=sorted(self._people.scopes.known(params.scopes)),
        )
        ident = await self._people.store.write(lambda db: pending.begin(db, asked, self._people.clock()))
        if ident is None:
            raise AuthorizeError("temporarily_unavailable", "Too many people are signing in: try again in a while.")
        return f"{self._people.origin}/connect/{ident}"

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCode | None:
        """Return what a code stands for."""
        code = await self._people.store.read(
            lambda db: tokens.look_up_code(db, authorization_code, self._people.clock())
        )
        if code is None:
            return None
        return AuthorizationCode(
            code=authorization_code,
            scopes=sorted(code.grant.rights.scopes),
            expires_at=float("inf"),  # it would not have been found
            client_id=code.grant.client,
            code_challenge=code.challenge,
            redirect_uri=AnyUrl(code.redirect),
            redirect_uri_provided_explicitly=code.explicit,
            resource=code.grant.resource,
            subject=code.grant.person,
        )

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        """Exchange a code, once."""
        now = self._people.clock()
        pair = await self._people.store.write(lambda db: tokens.take_code(db, authorization_code.code, now))
        if pair is None:
            raise TokenError("invalid_grant", "authorization code does not exist")
        return _handed(pair)

    async def load_refresh_token(self, client: OAuthClientInformationFull, refresh_token: str) -> RefreshToken | None:
        """Return what a refresh token stands for; it cannot be narrowed, since rights are the grant's."""
        now = self._people.clock()
        known = await self._people.store.read(lambda db: tokens.look_up(db, refresh_token, REFRESH, now))
        if known is None:
            return None
        accepted = [*self._people.scopes.names, "offline_access"]
        return RefreshToken(token=refresh_token, client_id=known.grant.client, scopes=accepted)

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        """Exchange a refresh token for a new pair; one that comes again too late ends the grant."""
        now = self._people.clock()
        made = await self._people.store.write(lambda db: tokens.rotate(db, refresh_token.token, now))
        if isinstance(made, Grant):
            await self._people.give_back(made)
        if not isinstance(made, Pair):
            raise TokenError("invalid_grant", "refresh token does not exist")
        return _handed(made)

    async def load_access_token(self, token: str) -> AccessToken | None:
        """Return what a token stands for, for its revocation."""
        return await self._loaded(token, ACCESS)

    async def _loaded(self, token: str, kind: str) -> AccessToken | None:
        known = await self._people.store.read(lambda db: tokens.look_up(db, token, kind, self._people.clock()))
        return None if known is None else AccessToken(token=token, client_id=known.grant.client, scopes=[])

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        """End the grant behind a token: the client is done with it."""
        now = self._people.clock()
        for kind in (ACCESS, REFRESH):
            known = await self._people.store.read(lambda db, kind=kind: tokens.look_up(db, token.token, kind, now))
            if known is not None:
                await self._people.end(known.grant, "the client gave it back")

    async def exchange_identity_assertion(
        self, client: OAuthClientInformationFull, params: IdentityAssertionParams
    ) -> OAuthToken:
        """Refuse: identity assertions are not taken."""
        raise TokenError("unsupported_grant_type", "Identity assertions are not taken here.")


def _handed(pair: Pair) -> OAuthToken:
    return OAuthToken(
        access_token=pair.access,
        expires_in=int(ACCESS_LIFE),
        scope=pair.grant.rights.text,
        refresh_token=pair.refresh,
    )
