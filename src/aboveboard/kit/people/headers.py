"""People who bring their credential with every request, in headers of our own names; nothing of it is kept.

Never in `Authorization: Bearer`: what is issued for another service is not a key to this one.
"""

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final
from weakref import WeakValueDictionary

import anyio
from limits import RateLimitItemPerMinute
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from aboveboard.errors import Failure, Unauthorised
from aboveboard.kit.caller import Caller
from aboveboard.kit.people.access import Access
from aboveboard.kit.people.adapter import Credential, Identity, SignedOut, SignIn
from aboveboard.kit.people.limits import Limits, TooMuch, came_from

KNOWN: Final = 1000
"""So many credentials are remembered, by their hashes alone, with whose they are."""
TURNED_DOWN_FOR: Final = 900.0
"""Seconds in which a credential that was turned down is not tried again."""
GUESSES: Final = RateLimitItemPerMinute(5)
"""Wrong credentials that one address may send; the service counts them all as ours."""
GUESSED: Final = "wrong credentials"


@dataclass(frozen=True)
class _Holder:
    door: "HeaderDoor"
    key: str
    person: str
    given: Credential

    async def credential(self) -> Credential:
        await self.confirm()
        return self.given

    async def confirm(self) -> None:
        if self.door.refuses(self.key):
            raise self.door.signed_out()

    async def turned_down(self, credential: Credential) -> Failure | None:
        if not await self.door.sign_in.is_dead(credential):
            return None
        self.door.refuse(self.key)
        return self.door.signed_out()


class HeaderDoor:
    """Lets in whose credential the service knows."""

    def __init__(
        self, sign_in: SignIn[Any], limits: Limits, *, clock: Callable[[], float] = time.time, title: str
    ) -> None:
        self.sign_in, self._limits, self._clock, self._title = sign_in, limits, clock, title
        self._known: OrderedDict[str, Identity] = OrderedDict()
        self._refused: OrderedDict[str, float] = OrderedDict()
        self._asking: WeakValueDictionary[str, anyio.Lock] = WeakValueDictionary()

    @property
    def wanted(self) -> str:
        """Tell what to send."""
        return f"Send your own credential for {self._title} in {' and '.join(self.sign_in.headers)}."

    async def admit(self, request: Request) -> Access | Response:
        """Let in who brings a credential that the service knows."""
        given = {part: _text(request.headers.get(name, "")) for name, part in self.sign_in.headers.items()}
        if not all(given.values()):
            return _refusal(401, f"This server wants to know whom to act as. {self.wanted}")
        key = hashlib.sha256(repr(sorted(given.items())).encode()).hexdigest()
        if self.refuses(key):
            return _refusal(401, str(self.signed_out()))
        try:
            who = self._known.get(key) or await self._identified(key, given, request)
        except Unauthorised:
            return _refusal(401, str(self.signed_out()))
        except TooMuch as much:
            return _refusal(429, str(much))
        except Failure as failure:
            return _refusal(503, str(failure))
        self._known.move_to_end(key)
        caller = Caller(subject=who.principal, client=None)
        holder = _Holder(self, key, who.principal, given)
        return Access(token="", client_id="headers", scopes=[], subject=key, caller=caller, holder=holder)

    async def is_welcome(self, access: Access) -> bool:
        """Tell whether the credential was not turned down since."""
        return not self.refuses(access.holder.key)

    def lacks(self, access: Access, scope: str) -> Response | None:
        """Say nothing: who brings a credential has all its rights."""
        del access, scope

    def refuses(self, key: str) -> bool:
        """Tell whether the service turned a credential down, not long ago."""
        return self._refused.get(key, 0.0) > self._clock()

    def signed_out(self) -> SignedOut:
        """Make the failure of who brings a credential that was turned down."""
        return SignedOut(f"{self._title} does not accept this credential.", next_step=self.wanted)

    def refuse(self, key: str) -> None:
        """Take note that the service turned a credential down."""
        self._known.pop(key, None)
        self._refused[key] = self._clock() + TURNED_DOWN_FOR
        while len(self._refused) > KNOWN:
            self._refused.popitem(last=False)

    async def _identified(self, key: str, given: Credential, request: Request) -> Identity:
        """Ask the service, for one address one after the other: what is wrong counts before the next is sent."""
        address = came_from(request)
        async with self._asking.setdefault(address, anyio.Lock()):
            if (known := self._known.get(key)) is not None:
                return known
            if self.refuses(key):
                raise Unauthorised("This credential was turned down a moment ago.", status=401)
            await self._limits.room(address, GUESSES, GUESSED)
            try:
                who = await self.sign_in.identify(given)
            except Unauthorised:
                self.refuse(key)
                await self._limits.count(address, GUESSES, GUESSED)
                raise
        self._known[key] = who
        while len(self._known) > KNOWN:
            self._known.popitem(last=False)
        return who


def _text(header: str) -> str:
    """Return what was sent: Starlette reads a header as Latin-1."""
    return header.encode("latin-1").decode("utf-8", "replace").strip()


def _refusal(status: int, message: str) -> Response:
    headers = {"WWW-Authenticate": 'Headers realm="aboveboard"'} if status == 401 else {}
    return JSONResponse({"error": "unauthorized", "message": message}, status_code=status, headers=headers)
