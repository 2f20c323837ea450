"""What goes by itself, and what an operator asks for now and then. Every function here is work for the store."""

import base64
import json
from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, delete, select, update

from aboveboard.kit.people.grants import Grant, everyone
from aboveboard.kit.people.sealing import Keys
from aboveboard.kit.people.tables import clients, codes, events, grants, pendings, sessions, tokens

REGISTERED: Final = "registered"
"""The kind of a client that has a secret of its own."""
IDLE: Final = 30 * 86400.0
UNUSED: Final = 3600.0
"""Seconds after which a client is forgotten that registered and came no further."""
REMEMBERED: Final = 365 * 86400.0


def tidy(db: Connection, now: float) -> Sequence[Grant]:
    """Delete what has expired, and return the grants that nobody used for long."""
    for table in (pendings, codes, tokens, sessions):
        db.execute(delete(table).where(table.c.expires <= now))
    db.execute(delete(events).where(events.c.at <= now - REMEMBERED))
    in_use = select(grants.c.client)
    db.execute(delete(clients).where(clients.c.created <= now - UNUSED, clients.c.id.not_in(in_use)))
    return [grant for grant in everyone(db) if grant.used <= now - IDLE]


def rekey(db: Connection, keys: Keys) -> int:
    """Seal with the first key whatever was sealed with another, and tell how many credentials that were.

    A sign-in on its way is over in minutes, and is left to the key that it began with.
    """
    for row in db.execute(select(clients).where(clients.c.kind == REGISTERED)).all():
        document = json.loads(row.document)
        sealed = base64.b64decode(document.get("sealed", ""))
        if sealed and not keys.is_current(sealed):
            document["sealed"] = base64.b64encode(keys.seal(keys.open(sealed, row.id), row.id)).decode()
            db.execute(update(clients).where(clients.c.id == row.id).values(document=json.dumps(document)))
    old = [grant for grant in everyone(db) if not keys.is_current(grant.credential)]
    for grant in old:
        sealed = keys.seal(keys.open(grant.credential, grant.id), grant.id)
        db.execute(update(grants).where(grants.c.id == grant.id).values(credential=sealed))
    return len(old)
