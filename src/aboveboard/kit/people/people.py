"""The people of one deployment: what they granted, their credentials, and the end of both."""

import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from aboveboard.errors import Failure
from aboveboard.kit.caller import Caller
from aboveboard.kit.people import grants, housekeeping, tokens
from aboveboard.kit.people.access import Access
from aboveboard.kit.people.adapter import Credential, Identity, SignIn
from aboveboard.kit.people.credentials import Credentials
from aboveboard.kit.people.grants import Grant
from aboveboard.kit.people.rights import Rights, Scopes
from aboveboard.kit.people.sealing import Keys, Unreadable
from aboveboard.kit.people.secrets import hash_secret, new_id
from aboveboard.kit.people.store import Store
from aboveboard.kit.people.tokens import ACCESS, Known

logger = logging.getLogger("aboveboard")

NOTED_EVERY: Final = 60.0
"""Seconds between two notes that a grant is in use."""
KEPT_PER_CLIENT: Final = 5
"""Grants to one client that has the same id on all devices; of one that registered, the newest alone."""


Forgets = Callable[[str, str], Awaitable[None]]
"""Deletes what a service keeps elsewhere of a person, such as an index: the instance, and who they are there."""


class People:
    """Everyone who signs in with one service."""

    def __init__(
        self,
        store: Store,
        keys: Keys,
        sign_in: SignIn[Any],
        scopes: Scopes,
        *,
        title: str,
        origin: str,
        path: str,
        clock: Callable[[], float] = time.time,
        forgets: Forgets | None = None,
    ) -> None:
        self.store, self.keys, self.sign_in, self.scopes = store, keys, sign_in, scopes
        self.title, self.origin, self.resource, self.clock = title, origin, f"{origin}{path}", clock
        self._forgets = forgets
        self.credentials = Credentials(store, keys, sign_in, title, clock)

    async def verify(self, token: str) -> Access | None:
        """Tell who a token lets in."""
        known = await self.known(token, ACCESS)
        return None if known is None else self._access(token, known)

    async def known(self, token: str, kind: str) -> Known | None:
        """Look up what a token stands for, and take note that it is in use."""
        now = self.clock()
        known = await self.store.read(lambda db: tokens.look_up(db, token, kind, now))
        if known is None or known.grant.resource != self.resource:
            return None
        if known.grant.used + NOTED_EVERY < now:
            await self.store.write(lambda db: grants.set_used(db, known.grant.id, now))
        return known

    async def is_welcome(self, access: Access) -> bool:
        """Tell whether one who was let in by a grant may still be there: it is, and the token has not expired."""
        holder, now = access.holder, self.clock()
        if not isinstance(holder, GrantHolder) or (access.expires_at or 0) <= now:
            return False
        return await self.store.read(lambda db: tokens.is_alive(db, holder.grant.id, access.token, now))

    def _access(self, token: str, known: Known) -> Access:
        return Access(
            token=hash_secret(token),
            client_id=known.grant.client,
            scopes=sorted(known.grant.rights.scopes),
            expires_at=int(known.expires),
            resource=known.grant.resource,
            subject=known.grant.person,
            claims={"iss": self.origin},
            caller=self.caller(known.grant),
            holder=GrantHolder(self, known.grant),
        )

    def caller(self, grant: Grant) -> Caller:
        """Return who calls by a grant."""
        rights = grant.rights
        return Caller(
            subject=grant.principal,
            client=grant.client_name,
            scopes=self.scopes.expanded(rights.scopes),
            mode=rights.mode,
            grant=grant.id,
            page=f"{self.origin}/account",
        )

    async def add(
        self,
        who: Identity,
        credential: Credential,
        rights: Rights,
        client: tuple[str, str],
        *,
        keep: int,
    ) -> Grant:
        """Keep a new grant to a client, of which id and name are given; the oldest beyond `keep` end."""
        now, ident = self.clock(), new_id()

        def work(db: Any) -> tuple[Grant, Sequence[Grant]]:
            person = grants.remember(db, self.sign_in.instance, who, now)
            grant = Grant(
                id=ident,
                person=person,
                principal=who.principal,
                person_name=who.name,
                client=client[0],
                client_name=client[1],
                rights=rights,
                resource=self.resource,
                credential=self.keys.seal(credential, ident),
                version=0.0,
                dead=None,
                created=now,
                used=now,
            )
            grants.add(db, grant)
            mine = [one for one in grants.of_person(db, person) if one.client == client[0] and one.id != ident]
            return grant, [
                one for one in mine[keep - 1 :] if grants.end(db, one, "a newer sign-in took its place", now)
            ]

        grant, ended = await self.store.write(work)
        for one in ended:
            await self.give_back(one)
        return grant

    async def introduce(self, grant: Grant, identity: str) -> None:
        """Let a person and a client, by an identity provider's word, come by a grant; an older one ends."""
        before = await self.store.write(lambda db: tokens.introduce(db, grant.id, identity, self.clock()))
        if before is not None and before.id != grant.id:
            await self.end(before, "a newer sign-in took its place")

    async def end(self, grant: Grant, why: str) -> bool:
        """End a grant, its tokens, and its credential at the service; tell whether that one is gone."""
        gone = await self.store.write(lambda db: grants.end(db, grant, why, self.clock()))
        return not gone or await self.give_back(grant)

    async def forget(self, person: str, principal: str) -> Sequence[bool]:
        """Delete a person, all that is kept of them, and their credentials at the service; tell of each if it is gone.

        Nothing of a person stays here because the service does not answer.
        """
        await self._forget_elsewhere(principal)
        mine = await self.store.read(lambda db: grants.of_person(db, person))
        await self.store.write(lambda db: grants.forget(db, person))
        gone = [await self.give_back(grant) for grant in mine]
        # Until their grants were gone, more may have been written.
        await self._forget_elsewhere(principal)
        return gone

    async def _forget_elsewhere(self, principal: str) -> None:
        if self._forgets is not None:
            await self._forgets(self.sign_in.instance, principal)

    async def give_back(self, grant: Grant) -> bool:
        """Delete a credential at the service, and tell whether it is gone; a dead one is not sent again."""
        if grant.dead is not None:
            return True
        try:
            credential = self.keys.open(grant.credential, grant.id)
        except Unreadable:
            logger.warning("The credential of a grant that ended cannot be read, so it stays at the service.")
            return False
        return await self.discard(credential)

    async def discard(self, credential: Credential) -> bool:
        """Delete a credential at the service that is not, or no longer, kept here; tell whether it is gone."""
        try:
            await self.sign_in.end(credential)
        except Failure as failure:
            logger.warning("A credential that is no longer used stays at the service: %s", failure)
            return False
        return True

    async def everyone(self) -> Sequence[Grant]:
        """Return all that people granted."""
        return await self.store.read(lambda db: grants.everyone(db, self.sign_in.instance))

    async def rekey(self) -> housekeeping.Rekeyed:
        """Seal everything with the first key that is not yet."""
        return await self.store.write(lambda db: housekeeping.rekey(db, self.keys, self.sign_in.instance))

    async def tidy(self) -> None:
        """Delete what has expired, and end grants that nobody used for long."""
        idle = await self.store.write(lambda db: housekeeping.tidy(db, self.clock(), self.sign_in.instance))
        for grant in idle:
            await self.end(grant, "it was not used for 30 days")


@dataclass
class GrantHolder:
    """Has the credential of a grant."""

    people: People
    grant: Grant
    dead: bool = False

    @property
    def key(self) -> str:
        """The grant: each has its own client."""
        return self.grant.id

    @property
    def person(self) -> str:
        """Whose limits a call counts for."""
        return self.grant.person

    async def credential(self) -> Credential:
        """Return the credential, unless it turned out dead while this request was answered."""
        if self.dead:
            raise self.people.credentials.signed_out()
        return await self.people.credentials.usable(self.grant)

    async def confirm(self) -> None:
        """Fail where another request found out meanwhile that the credential is dead."""
        await self.people.credentials.confirm(self.grant)

    async def turned_down(self, credential: Credential) -> Failure | None:
        """Take note that the service turned the credential down, where it did so for good."""
        known = self.people.credentials
        if not await known.sign_in.is_dead(credential) or not await known.mark_dead(self.grant, credential):
            return None
        self.dead = True
        return known.signed_out()
