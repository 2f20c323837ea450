"""Tokens and codes: opaque, kept as hashes, worth nothing without the grant they belong to.

A refresh token is exchanged for a new pair. The old one works on for a while, since several processes of one client
share it and none tells the others; after that, whoever brings it has stolen it, or was stolen from: the grant ends.
"""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Row, delete, insert, select, update

from aboveboard.kit.people.grants import Grant, end, find
from aboveboard.kit.people.secrets import ACCESS_PREFIX, CODE_PREFIX, REFRESH_PREFIX, hash_secret, new_secret
from aboveboard.kit.people.store import put_row
from aboveboard.kit.people.tables import codes, tokens

ACCESS_LIFE: Final = 3600.0
REFRESH_LIFE: Final = 30 * 86400.0
GRACE: Final = 1800.0
CODE_LIFE: Final = 60.0

ACCESS: Final = "access"
REFRESH: Final = "refresh"
IDENTITY: Final = "identity"
"""Not handed out: a person and a client, by an identity provider's word, that stand for a grant."""
NEVER: Final = 1e10


@dataclass(frozen=True)
class Pair:
    """What a client is handed."""

    access: str
    refresh: str
    grant: Grant


@dataclass(frozen=True)
class Known:
    """A token that was found."""

    grant: Grant
    expires: float
    replaced: float | None


@dataclass(frozen=True, kw_only=True)
class Code:
    """A code on its way from the browser to the client."""

    grant: Grant
    challenge: str
    redirect: str
    explicit: bool
    expires: float


def issue(db: Connection, grant: Grant, now: float) -> Pair:
    """Hand out a new pair."""
    access, refresh = new_secret(ACCESS_PREFIX), new_secret(REFRESH_PREFIX)
    for secret, kind, life in ((access, ACCESS, ACCESS_LIFE), (refresh, REFRESH, REFRESH_LIFE)):
        db.execute(insert(tokens).values(hash=hash_secret(secret), grant=grant.id, kind=kind, expires=now + life))
    return Pair(access, refresh, grant)


def introduce(db: Connection, grant: str, identity: str, now: float) -> Grant | None:
    """Let an identity stand for a grant from now on; return the one that it stood for before."""
    known = look_up(db, identity, IDENTITY, now)
    put_row(db, tokens, {"hash": hash_secret(identity), "grant": grant, "kind": IDENTITY, "expires": now + NEVER})
    return None if known is None else known.grant


def look_up(db: Connection, token: str, kind: str, now: float) -> Known | None:
    """Return what a token stands for; None where it is unknown, expired, or its grant is dead."""
    row = db.execute(select(tokens).where(tokens.c.hash == hash_secret(token), tokens.c.kind == kind)).one_or_none()
    if row is None or row.expires <= now:
        return None
    grant = find(db, row.grant)
    return None if grant is None or grant.dead is not None else Known(grant, row.expires, row.replaced)


def is_alive(db: Connection, grant: str, token_hash: str, now: float) -> bool:
    """Tell whether a token, of which only the hash is known, is there and its grant is."""
    row = db.execute(select(tokens.c.expires).where(tokens.c.hash == token_hash, tokens.c.grant == grant)).one_or_none()
    found = find(db, grant)
    return row is not None and row.expires > now and found is not None and found.dead is None


def rotate(db: Connection, token: str, now: float) -> Pair | Grant | None:
    """Exchange a refresh token for a new pair; where it was stolen, return the grant, which then has ended."""
    known = look_up(db, token, REFRESH, now)
    if known is None:
        return None
    if known.replaced is not None and known.replaced + GRACE <= now:
        end(db, known.grant, "a refresh token was used again long after it was replaced", now)
        return known.grant
    if known.replaced is None:
        db.execute(update(tokens).where(tokens.c.hash == hash_secret(token)).values(replaced=now))
    return issue(db, known.grant, now)


def new_code(db: Connection, grant: str, challenge: str, redirect: str, *, explicit: bool, now: float) -> str:
    """Make the code that the browser carries to the client."""
    code = new_secret(CODE_PREFIX)
    kept = {"challenge": challenge, "redirect": redirect, "explicit": "yes" if explicit else "no"}
    db.execute(insert(codes).values(hash=hash_secret(code), grant=grant, expires=now + CODE_LIFE, **kept))
    return code


def look_up_code(db: Connection, code: str, now: float) -> Code | None:
    """Return what a code stands for."""
    row = db.execute(select(codes).where(codes.c.hash == hash_secret(code))).one_or_none()
    grant = None if row is None or row.expires <= now else find(db, row.grant)
    return None if row is None or grant is None else _code(row, grant)


def take_code(db: Connection, code: str, now: float) -> Pair | None:
    """Exchange a code for a pair; of all who try at the same time, on all replicas, one succeeds."""
    row = db.execute(delete(codes).where(codes.c.hash == hash_secret(code)).returning(codes)).one_or_none()
    grant = None if row is None or row.expires <= now else find(db, row.grant)
    return None if grant is None or grant.dead is not None else issue(db, grant, now)


def _code(row: Row[Any], grant: Grant) -> Code:
    return Code(
        grant=grant,
        challenge=row.challenge,
        redirect=row.redirect,
        explicit=row.explicit == "yes",
        expires=row.expires,
    )
