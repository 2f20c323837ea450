"""The credentials of grants: opened, renewed by one replica at a time, and known as dead."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import anyio

from aboveboard.errors import Failure, Unauthorised
from aboveboard.kit.people import grants
from aboveboard.kit.people.adapter import Credential, SignedOut, SignIn
from aboveboard.kit.people.grants import Grant
from aboveboard.kit.people.sealing import Keys, Unreadable
from aboveboard.kit.people.store import Store

CLAIM: Final = 180.0
"""Seconds that a replica may take to renew a credential before another tries, which would spend a single use twice:
longer than a service is waited for."""
PATIENCE: Final = 100
"""Tenths of a second to wait for another replica that renews a credential."""
AGAIN: Final = "Connect again: your AI client opens the sign-in, or remove the server there and add it anew."


@dataclass(frozen=True)
class Credentials:
    """What the grants of one service hold."""

    store: Store
    keys: Keys
    sign_in: SignIn[Any]
    title: str
    clock: Callable[[], float]

    async def usable(self, grant: Grant) -> Credential:
        """Return a grant's credential, fit to be used."""
        credential = self._opened(grant)
        if not self.sign_in.is_stale(credential, self.clock()):
            return credential
        for _ in range(PATIENCE):
            if (fresh := await self._renewed(grant, credential)) is not None:
                return fresh
            current = await self.store.read(lambda db: grants.find(db, grant.id))
            if current is None or current.dead is not None:
                raise self.signed_out()
            if current.version != grant.version:
                return self._opened(current)
            await anyio.sleep(0.1)
        raise Failure(f"Your access to {self.title} is being renewed.", next_step="Try again in a while.")

    async def _renewed(self, grant: Grant, old: Credential) -> Credential | None:
        """Renew a credential; None where somebody else does, or has."""
        # Called off midway, the old one would be spent and the new one lost: the person would be signed out.
        with anyio.CancelScope(shield=True):
            now = self.clock()
            if not await self.store.write(lambda db: grants.claim(db, grant, now, now + CLAIM)):
                return None
            try:
                fresh = await self.sign_in.renew(old)
            except Unauthorised:
                await self.mark_dead(grant, old)
                raise self.signed_out() from None
            except Failure:
                await self.store.write(lambda db: grants.let_go(db, grant))
                raise
            sealed = self.keys.seal(fresh, grant.id)
            await self.store.write(lambda db: grants.set_credential(db, grant, sealed))
            return fresh

    def _opened(self, grant: Grant) -> Credential:
        try:
            return self.keys.open(grant.credential, grant.id)
        except Unreadable:
            raise SignedOut("Your credential cannot be read: its key is gone.", next_step=AGAIN) from None

    async def mark_dead(self, grant: Grant, credential: Credential) -> bool:
        """Take note that the service no longer accepts a credential; tell whether its grant has no other by now."""

        def work(db: Any) -> bool:
            current = grants.find(db, grant.id)
            if current is None:
                return True
            if self._opened(current) != credential:
                return False
            grants.mark_dead(db, grant, self.clock())
            return True

        return await self.store.write(work)

    async def confirm(self, grant: Grant) -> None:
        """Fail where a grant has ended, or its credential turned out dead, since a request was let in by it."""
        current = await self.store.read(lambda db: grants.find(db, grant.id))
        if current is None or current.dead is not None:
            raise self.signed_out()

    def signed_out(self) -> SignedOut:
        """Make the failure of who calls by a credential that is dead."""
        return SignedOut(f"{self.title} no longer accepts the access that you granted.", next_step=AGAIN)
