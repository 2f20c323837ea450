"""Grants: what a person let one AI client do as themselves. Every function here is work for the store."""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from aboveboard.kit.mode import Mode
from aboveboard.kit.people.adapter import Identity
from aboveboard.kit.people.rights import Rights
from aboveboard.kit.people.secrets import new_id
from aboveboard.kit.people.tables import clients, events, grants, persons, tokens

REGISTERED: Final = "registered"
"""The kind of a client that has an id, and perhaps a secret, of ours."""
REMEMBERED: Final = 365 * 86400.0
"""Seconds for which is known what happened, and who was granted something."""


@dataclass(frozen=True, kw_only=True)
class Grant:
    """One grant, and whose it is."""

    id: str
    person: str
    principal: str
    person_name: str
    client: str
    client_name: str
    rights: Rights
    resource: str
    credential: bytes
    version: float
    dead: float | None
    created: float
    used: float


_WITH_PERSON = select(grants, persons.c.principal, persons.c.name).join(persons)


def grant_of(row: Row[Any]) -> Grant:
    """Make a grant of its row, joined with its person's."""
    return Grant(
        id=row.id,
        person=row.person,
        principal=row.principal,
        person_name=row.name,
        client=row.client,
        client_name=row.client_name,
        rights=Rights(frozenset(row.scopes.split()), Mode(row.mode)),
        resource=row.resource,
        credential=row.credential,
        version=row.version,
        dead=row.dead,
        created=row.created,
        used=row.used,
    )


def find(db: Connection, grant: str) -> Grant | None:
    """Return the grant of this id."""
    row = db.execute(_WITH_PERSON.where(grants.c.id == grant)).one_or_none()
    return None if row is None else grant_of(row)


def of_person(db: Connection, person: str) -> list[Grant]:
    """Return a person's grants, the newest first."""
    rows = db.execute(_WITH_PERSON.where(grants.c.person == person).order_by(grants.c.created.desc(), grants.c.id))
    return [grant_of(row) for row in rows]


def everyone(db: Connection, instance: str) -> list[Grant]:
    """Return all grants of an instance, by person; a database may be the store of several."""
    mine = persons.c.instance == instance
    rows = db.execute(_WITH_PERSON.where(mine).order_by(persons.c.principal, grants.c.created))
    return [grant_of(row) for row in rows]


def people(db: Connection, instance: str) -> list[str]:
    """Return the ids of all people of an instance with a grant that is not dead."""
    mine = (persons.c.instance == instance) & grants.c.dead.is_(None)
    alive = select(grants.c.person).join(persons).where(mine).distinct().order_by(grants.c.person)
    return list(db.execute(alive).scalars())


def person_of(db: Connection, instance: str, principal: str) -> str | None:
    """Return the id of one who is somebody at an instance, and may have granted nothing."""
    mine = (persons.c.instance == instance) & (persons.c.principal == principal)
    return db.execute(select(persons.c.id).where(mine)).scalar()


def remember(db: Connection, instance: str, who: Identity, now: float) -> str:
    """Return the id of a person, who may be new."""
    mine = (persons.c.instance == instance) & (persons.c.principal == who.principal)
    row = db.execute(select(persons.c.id).where(mine)).one_or_none()
    if row is None:
        made = {"id": new_id(), "instance": instance, "principal": who.principal, "name": who.name, "created": now}
        try:
            with db.begin_nested():
                db.execute(insert(persons).values(made))
        except IntegrityError:  # another replica was quicker
            row = db.execute(select(persons.c.id).where(mine)).one()
        else:
            return str(made["id"])
    db.execute(update(persons).where(mine).values(name=who.name))
    return row.id


def add(db: Connection, grant: Grant) -> None:
    """Keep a new grant."""
    db.execute(
        insert(grants).values(
            id=grant.id,
            person=grant.person,
            client=grant.client,
            client_name=grant.client_name,
            scopes=grant.rights.text,
            mode=grant.rights.mode.value,
            resource=grant.resource,
            credential=grant.credential,
            version=grant.version,
            claimed_until=0.0,
            created=grant.created,
            used=grant.used,
        )
    )
    # It keeps the id that it was given, and would come back with it to no avail.
    came = (clients.c.id == grant.client) & (clients.c.kind == REGISTERED)
    db.execute(update(clients).where(came).values(fresh_until=grant.created + REMEMBERED))
    note(
        db,
        grant.person,
        grant.id,
        f"granted {grant.client_name}: {grant.rights.mode}, {grant.rights.text}",
        grant.created,
    )


def set_rights(db: Connection, grant: Grant, rights: Rights, now: float) -> None:
    """Change what a grant covers; this acts on the next request."""
    db.execute(update(grants).where(grants.c.id == grant.id).values(scopes=rights.text, mode=rights.mode.value))
    note(db, grant.person, grant.id, f"changed {grant.client_name}: {rights.mode}, {rights.text}", now)


def set_used(db: Connection, grant: str, now: float) -> None:
    """Take note that a grant is in use."""
    db.execute(update(grants).where(grants.c.id == grant).values(used=now))


def claim(db: Connection, grant: Grant, now: float, until: float) -> bool:
    """Take on to renew a credential; of all who try at the same time, on all replicas, one is told that it may."""
    free = (grants.c.id == grant.id) & (grants.c.claimed_until < now) & (grants.c.version == grant.version)
    return db.execute(update(grants).where(free).values(claimed_until=until)).rowcount == 1


def let_go(db: Connection, grant: Grant) -> None:
    """Give up a claim, so that the next one may try."""
    db.execute(update(grants).where(grants.c.id == grant.id).values(claimed_until=0.0))


def set_credential(db: Connection, grant: Grant, credential: bytes) -> None:
    """Keep a renewed credential, and let go of the claim."""
    renewed = {"credential": credential, "version": grant.version + 1, "claimed_until": 0.0}
    db.execute(update(grants).where(grants.c.id == grant.id).values(renewed))


def mark_dead(db: Connection, grant: Grant, now: float) -> None:
    """Take note that the service no longer accepts a credential: its tokens end, and it is not sent again."""
    db.execute(update(grants).where(grants.c.id == grant.id).values(dead=now))
    db.execute(delete(tokens).where(tokens.c.grant == grant.id))
    note(db, grant.person, grant.id, f"ended {grant.client_name}: the service no longer accepts its credential", now)


def end(db: Connection, grant: Grant, why: str, now: float) -> bool:
    """Delete a grant with its tokens; tell whether it was still there."""
    gone = db.execute(delete(grants).where(grants.c.id == grant.id)).rowcount == 1
    if gone:
        note(db, grant.person, grant.id, f"ended {grant.client_name}: {why}", now)
    return gone


def forget(db: Connection, person: str) -> None:
    """Delete a person and all that hangs on them."""
    db.execute(delete(persons).where(persons.c.id == person))


def note(db: Connection, person: str, grant: str | None, what: str, now: float) -> None:
    """Keep what happened, for the person and the operator."""
    db.execute(insert(events).values(id=new_id(), person=person, grant=grant, what=what, at=now))
