"""The door for those who bring a token of the operator's provider, and what those find who are not connected yet."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from aboveboard.errors import Failure
from aboveboard.kit.caller import Caller
from aboveboard.kit.people.access import Access
from aboveboard.kit.people.adapter import Credential, SignedOut
from aboveboard.kit.people.identity.issuer import Issuer
from aboveboard.kit.people.identity.jwts import Bearer, NotValid, read_access
from aboveboard.kit.people.identity.proof import identity
from aboveboard.kit.people.people import GrantHolder, People
from aboveboard.kit.people.rights import ACCESS_AREA, READ_SCOPE, WRITE_SCOPE
from aboveboard.kit.people.secrets import hash_secret
from aboveboard.kit.people.token_door import Challenges, bearer, unavailable
from aboveboard.kit.people.tokens import IDENTITY

OWN: Final = frozenset({f"{ACCESS_AREA}.{READ_SCOPE}", f"{ACCESS_AREA}.{WRITE_SCOPE}"})
"""What somebody needs to become connected."""


def connect_page(origin: str, client: str) -> str:
    """Return where a person connects a client. It holds no secret: whoever opens it connects it for themselves."""
    return f"{origin}/connect?{urlencode({'client': client})}"


@dataclass
class Newcomer:
    """Somebody whom the provider knows, and who has not let this client act at the service, or no longer does."""

    key: str
    person: str
    page: str
    title: str

    async def credential(self) -> Credential:
        """Say where to connect."""
        raise SignedOut(
            f"This client may not act for you at {self.title} yet.",
            next_step=f"Open {self.page} in your browser, log in there, and try again.",
        )

    async def confirm(self) -> None:
        """Say nothing: there is none."""

    async def turned_down(self, credential: Credential) -> Failure | None:
        """Say nothing, either."""
        del credential


class IdentityDoor:
    """Lets in whom the provider knows."""

    def __init__(self, people: People, issuer: Issuer, *, audience: str, scopes: Sequence[str]) -> None:
        """Take the scopes that the provider issues; where ours are among them, a token narrows what was granted."""
        self._people, self._issuer, self._audience = people, issuer, audience
        self._challenges = Challenges(people.resource, people.origin, scope=" ".join(scopes))
        self._narrows = bool(people.scopes.known(scopes))

    async def admit(self, request: Request) -> Access | Response:
        """Check the token and look up what its person granted, on every request: what ended, ends at once."""
        token = bearer(request)
        if not token:
            return self._challenges.unauthorized(had_token=False)
        try:
            who = await read_access(self._issuer, token, self._audience, self._people.clock())
            return await self._let_in(who)
        except NotValid as reason:
            return self._challenges.unauthorized(had_token=True, told=f"This token lets nobody in: {reason}.")
        except Failure as failure:  # the store does not answer, or the provider
            return unavailable(failure)

    async def is_welcome(self, access: Access) -> bool:
        """Tell whether the grant is still there, and the token has not expired."""
        return (
            await self._people.is_welcome(access) if isinstance(access.holder, GrantHolder) else self._in_time(access)
        )

    def lacks(self, access: Access, scope: str) -> Response | None:
        """Ask for the scope where the token lacks it; what the person did not grant, the call itself says."""
        issued = self._ceiling(frozenset(access.scopes))
        return None if scope in issued else self._challenges.lacking(set(access.scopes), scope)

    def _in_time(self, access: Access) -> bool:
        return (access.expires_at or 0) > self._people.clock()

    def _ceiling(self, issued: frozenset[str]) -> frozenset[str]:
        """Return what a token allows at most."""
        every = self._people.scopes.expanded(frozenset({WRITE_SCOPE}))
        return OWN | self._people.scopes.expanded(issued) if self._narrows else every

    async def _let_in(self, who: Bearer) -> Access:
        people, found_by = self._people, identity(self._issuer.address, who.subject, who.client)
        known, issued = await people.known(found_by, IDENTITY), people.scopes.known(who.scopes)
        ceiling, subject = self._ceiling(issued), hash_secret(identity(self._issuer.address, who.subject, ""))
        if known is None:
            page = connect_page(people.origin, who.client)
            holder = Newcomer(subject, subject, page, people.title)
            caller = Caller(subject=who.subject, client=who.client, scopes=ceiling)
        else:
            holder, caller = GrantHolder(people, known.grant), people.caller(known.grant)
            caller = replace(caller, scopes=ceiling & (caller.scopes or frozenset()))
        return Access(
            token=hash_secret(found_by),
            client_id=who.client,
            scopes=sorted(issued),
            expires_at=int(who.expires),
            resource=people.resource,
            subject=subject,
            claims={"iss": self._issuer.address},
            caller=caller,
            holder=holder,
        )
