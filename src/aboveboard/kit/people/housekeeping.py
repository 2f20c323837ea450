"""What goes by itself, and what an operator asks for now and then. Every function here is work for the store."""

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, delete, select, update

from aboveboard.kit.people.grants import REGISTERED, REMEMBERED, Grant, everyone
from aboveboard.kit.people.sealing import Keys, Unreadable
from aboveboard.kit.people.tables import clients, codes, events, grants, pendings, sessions, tokens

IDLE: Final = 30 * 86400.0
UNUSED: Final = 3600.0
"""Seconds after which a client is forgotten that registered and came no further."""


@dataclass(frozen=True)
class Rekeyed:
    """What became of the credentials of an instance."""

    sealed: int
    lost: int
    """So many can be opened with no key of the file: those people sign in again."""


def tidy(db: Connection, now: float, instance: str) -> Sequence[Grant]:
    """Delete what has expired, and return the grants of an instance that nobody used for long."""
    for table in (pendings, codes, tokens, sessions):
        db.execute(delete(table).where(table.c.expires <= now))
    db.execute(delete(events).where(events.c.at <= now - REMEMBERED))
    in_use = select(grants.c.client)
    old = (clients.c.created <= now - UNUSED) & (clients.c.fresh_until <= now)
    db.execute(delete(clients).where(old, clients.c.id.not_in(in_use)))
    return [grant for grant in everyone(db, instance) if grant.used <= now - IDLE]


def rekey(db: Connection, keys: Keys, instance: str) -> Rekeyed:
    """Seal with the first key whatever was sealed with another.

    A sign-in on its way is over in minutes, and is left to the key that it began with.
    """
    for row in db.execute(select(clients).where(clients.c.kind == REGISTERED)).all():
        document = json.loads(row.document)
        if fresh := _resealed(keys, base64.b64decode(document.get("sealed", "")), row.id):
            document["sealed"] = base64.b64encode(fresh).decode()
            db.execute(update(clients).where(clients.c.id == row.id).values(document=json.dumps(document)))
    old = [grant for grant in everyone(db, instance) if not keys.is_current(grant.credential)]
    sealed = [(grant, _resealed(keys, grant.credential, grant.id)) for grant in old]
    for grant, credential in sealed:
        if credential:
            replace(db, grant, credential)
    lost = sum(credential is None for _, credential in sealed)
    return Rekeyed(len(sealed) - lost, lost)


def replace(db: Connection, grant: Grant, credential: bytes) -> None:
    """Keep a credential under another seal, unless it was renewed since it was read: the old one is spent."""
    unchanged = (grants.c.id == grant.id) & (grants.c.version == grant.version)
    db.execute(update(grants).where(unchanged).values(credential=credential))


def _resealed(keys: Keys, sealed: bytes, about: str) -> bytes | None:
    """Seal something with the first key; None where it is so already, or cannot be opened."""
    if not sealed or keys.is_current(sealed):
        return None
    try:
        return keys.seal(keys.open(sealed, about), about)
    except Unreadable:
        return None
