"""Upkeep where many are served: everyone in turn, with their own credential, as long as they grant it."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Final, Generic, TypeVar

import anyio

from aboveboard.errors import Failure
from aboveboard.kit.caller import Caller
from aboveboard.kit.people import grants
from aboveboard.kit.people.grants import Grant
from aboveboard.kit.people.people import GrantHolder, People
from aboveboard.kit.people.pool import Pool
from aboveboard.kit.provider import Closable
from aboveboard.kit.upkeep import Upkeep, try_work

C = TypeVar("C", bound=Closable)
AT_ONCE: Final = 4
"""People who are looked after at the same time; most of a look is waiting for the service."""


class Rounds(Generic[C]):
    """Gives each person one turn a round, which is as long as anyone's: nobody's work keeps others waiting for ever."""

    def __init__(self, people: People, pool: Pool[C], upkeep: Upkeep[C], *, watched_every: float) -> None:
        self._people, self._pool, self._upkeep, self._watched_every = people, pool, upkeep, watched_every

    async def run(self) -> None:
        """Go round and round."""
        await anyio.sleep(self._upkeep.first)
        while True:
            if self._upkeep.is_wanted():
                await try_work(self.once)
            await anyio.sleep(self._upkeep.every)

    async def once(self) -> None:
        """Go round once."""
        everyone = await self._people.store.read(lambda db: grants.people(db, self._people.sign_in.instance))
        turns = iter(everyone)
        async with anyio.create_task_group() as tasks:
            for _ in range(AT_ONCE):
                tasks.start_soon(self._turns, turns)

    async def _turns(self, people: Iterator[str]) -> None:
        for person in people:
            await try_work(lambda person=person: self._turn(person))

    async def _turn(self, person: str) -> None:
        """Look after one person, who may have ended everything since the round began, and may while it lasts."""
        every = await self._people.store.read(lambda db: grants.of_person(db, person))
        mine = [grant for grant in every if grant.dead is None and self._covers(grant)]
        if not mine:
            return
        last = max(mine, key=lambda grant: grant.used)
        scopes = frozenset[str]().union(*(self._people.caller(grant).scopes or () for grant in mine))
        caller = Caller(subject=last.principal, scopes=scopes, grant=last.id)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._watch, last, tasks.cancel_scope)
            await try_work(lambda: self._look(last, caller))
            tasks.cancel_scope.cancel()

    async def _look(self, grant: Grant, caller: Caller) -> None:
        async with self._pool.lend(GrantHolder(self._people, grant), keeps=False) as client:
            await self._upkeep.look(client, caller, self._upkeep.budget)

    def _covers(self, grant: Grant) -> bool:
        return self._people.caller(grant).holds(f"{self._upkeep.area}.read")

    async def _watch(self, grant: Grant, turn: anyio.CancelScope) -> None:
        """End a turn with the grant that it lives on, or where nobody can tell whether that is still there."""
        with suppress(Failure):
            current: Grant | None = grant
            while current is not None and current.dead is None:
                await anyio.sleep(self._watched_every)
                current = await self._people.store.read(lambda db: grants.find(db, grant.id))
        turn.cancel()
