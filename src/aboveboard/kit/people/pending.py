"""Sign-ins on their way: begun by a client, bound to the first browser that opens them, over after minutes."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from hmac import compare_digest
from typing import Any, Final

from sqlalchemy import Connection, delete, func, insert, select, update

from aboveboard.kit.people.sealing import Keys
from aboveboard.kit.people.secrets import hash_secret, new_secret
from aboveboard.kit.people.tables import pendings

LIFE: Final = 900.0
WAIT: Final = 300.0
"""Seconds in which a person must be done at a service that has to be asked for it."""
MOST: Final = 2000
"""So many sign-ins may be on their way at once: more is a flood."""


@dataclass(frozen=True, kw_only=True)
class SignInRequest:
    """What a sign-in is for."""

    client: str
    client_name: str
    client_home: str | None
    redirect: str
    explicit: bool
    state: str | None
    challenge: str
    scopes: list[str] = field(default_factory=list[str])
    account: bool = False
    """For the person's own page: no client gets anything."""


@dataclass(frozen=True)
class Pending:
    """A sign-in on its way."""

    id: str
    asked: SignInRequest
    browser: str | None
    state: bytes | None
    expires: float


def begin(db: Connection, asked: SignInRequest, now: float) -> str | None:
    """Begin a sign-in, and return its id; None where too many are on their way."""
    if (db.execute(select(func.count()).select_from(pendings)).scalar() or 0) >= MOST:
        db.execute(delete(pendings).where(pendings.c.expires <= now))
        if (db.execute(select(func.count()).select_from(pendings)).scalar() or 0) >= MOST:
            return None
    ident = new_secret()
    db.execute(
        insert(pendings).values(
            id=hash_secret(ident), request=json.dumps(asdict(asked)), polled=0.0, expires=now + LIFE
        )
    )
    return ident


def find(db: Connection, ident: str, now: float) -> Pending | None:
    """Return a sign-in that is still on its way."""
    row = db.execute(select(pendings).where(pendings.c.id == hash_secret(ident))).one_or_none()
    if row is None or row.expires <= now:
        return None
    return Pending(ident, SignInRequest(**json.loads(row.request)), row.browser, row.state, row.expires)


def bind(db: Connection, ident: str, browser: str) -> bool:
    """Bind a sign-in to a browser; tell whether it is that one's."""
    mine = pendings.c.id == hash_secret(ident)
    db.execute(update(pendings).where(mine, pendings.c.browser.is_(None)).values(browser=hash_secret(browser)))
    return db.execute(select(pendings.c.browser).where(mine)).scalar() == hash_secret(browser)


def is_bound_to(pending: Pending, browser: str) -> bool:
    """Tell whether a sign-in belongs to a browser."""
    return pending.browser is not None and compare_digest(pending.browser, hash_secret(browser))


def keep(db: Connection, keys: Keys, ident: str, state: Mapping[str, Any], now: float) -> None:
    """Keep what is needed to go on, for as long as a person needs to log in."""
    sealed = keys.seal(state, hash_secret(ident))
    db.execute(update(pendings).where(pendings.c.id == hash_secret(ident)).values(state=sealed, expires=now + WAIT))


def state_of(pending: Pending, keys: Keys) -> dict[str, Any]:
    """Return what was kept."""
    return {} if pending.state is None else keys.open(pending.state, hash_secret(pending.id))


def may_poll(db: Connection, ident: str, now: float) -> bool:
    """Tell whether it is time to ask the service again; of several that want to, one does."""
    due = (pendings.c.id == hash_secret(ident)) & (pendings.c.polled <= now - 1)
    return db.execute(update(pendings).where(due).values(polled=now)).rowcount == 1


def take(db: Connection, ident: str) -> bool:
    """End a sign-in; tell whether it was still on its way."""
    return db.execute(delete(pendings).where(pendings.c.id == hash_secret(ident))).rowcount == 1
