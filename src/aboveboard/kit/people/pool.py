"""Whose client a call uses, where many people call: one for each grant, all over the same connections."""

from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeVar

from mcp.server.context import ServerRequestContext

from aboveboard.kit.call import Call
from aboveboard.kit.caller import Caller, client_name
from aboveboard.kit.people.access import Holder, current_access
from aboveboard.kit.people.adapter import Credential, Opened, SignIn
from aboveboard.kit.people.limits import Limits
from aboveboard.kit.provider import Closable

C = TypeVar("C", bound=Closable)
MOST: Final = 500
"""So many clients are kept; the one that was not used for longest goes."""


@dataclass
class _Kept(Generic[C]):
    credential: Credential
    opened: Opened[C]
    on_loan: int = 0
    dropped: bool = False


class Pool(Generic[C]):
    """A provider that keeps a client for each holder of a credential."""

    has_many_callers = True

    def __init__(self, sign_in: SignIn[C], limits: Limits, *, most: int = MOST) -> None:
        self._sign_in, self._limits, self._most = sign_in, limits, most
        self._kept: OrderedDict[str, _Kept[C]] = OrderedDict()

    def caller(self, context: ServerRequestContext[Any, Any]) -> Caller:
        """Tell who sent a request: the door has seen to it, and where no grant names the client, it does so itself."""
        caller = current_access().caller
        return caller if caller.client is not None else replace(caller, client=client_name(context))

    @asynccontextmanager
    async def lease(self, call: Call) -> AsyncGenerator[C]:
        """Lend the client of the caller's grant, within the limits of a person."""
        del call
        holder = current_access().holder
        async with self._limits.turn(holder.person), self.lend(holder) as client:
            yield client

    @asynccontextmanager
    async def lend(self, holder: Holder, *, keeps: bool = True) -> AsyncGenerator[C]:
        """Lend the client of a holder; unless it `keeps` them, one that nobody else uses is closed afterwards."""
        known, credential = holder.key in self._kept, await holder.credential()
        if not known:
            await holder.confirm()
        kept, outdated = self._made_of(credential, holder.key)
        kept.on_loan += 1
        try:
            await self._drop(outdated)
            while len(self._kept) > self._most:
                await self.drop(next(iter(self._kept)))
            yield kept.opened.client
        except Exception:
            await self._look(holder, kept)
            raise
        else:
            await self._look(holder, kept)
        finally:
            kept.on_loan -= 1
            if not keeps and not known and not kept.on_loan:
                await self.drop(holder.key)
            await self._close(kept)

    async def _look(self, holder: Holder, kept: _Kept[C]) -> None:
        """Stop using a credential that the service turned down: it must not be sent a second time."""
        if not kept.opened.link.turned_down:
            return
        failure = await holder.turned_down(kept.credential)
        if failure is None:
            kept.opened.link.turned_down = False
            return
        await self.drop(holder.key)
        raise failure

    def _made_of(self, credential: Credential, key: str) -> tuple[_Kept[C], _Kept[C] | None]:
        """Return the client of a credential, and the one of an older credential whose place it takes."""
        known = self._kept.get(key)
        if known is not None and known.credential == credential:
            self._kept.move_to_end(key)
            return known, None
        kept = self._kept[key] = _Kept(credential, self._sign_in.open(credential))
        self._kept.move_to_end(key)
        return kept, known

    async def drop(self, key: str) -> None:
        """Forget a client; one that is on loan is closed when it comes back."""
        await self._drop(self._kept.pop(key, None))

    async def _drop(self, kept: _Kept[C] | None) -> None:
        if kept is not None:
            kept.dropped = True
            await self._close(kept)

    async def _close(self, kept: _Kept[C]) -> None:
        if kept.dropped and not kept.on_loan:
            await kept.opened.client.aclose()

    async def aclose(self) -> None:
        """Close every client, and the connections that they share."""
        for key in list(self._kept):
            await self.drop(key)
        await self._sign_in.aclose()
        await self._limits.aclose()
