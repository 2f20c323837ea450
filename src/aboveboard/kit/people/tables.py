"""What is kept of people: tables for SQLite and PostgreSQL alike; deleting a person deletes all that hangs on them."""

from typing import Any

from sqlalchemy import Column, Float, ForeignKey, Index, LargeBinary, MetaData, String, Table, Text, UniqueConstraint

metadata = MetaData()
ID = String(64)


def _of(table: str, *, required: bool = True) -> Column[Any]:
    return Column(table.rstrip("s"), ID, ForeignKey(f"{table}.id", ondelete="CASCADE"), nullable=not required)


persons = Table(
    "persons",
    metadata,
    Column("id", ID, primary_key=True),
    Column("instance", Text, nullable=False),
    Column("principal", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("created", Float, nullable=False),
    UniqueConstraint("instance", "principal"),
)

# `kind` says how the client became known: it registered, or its id is the address of its document. `fresh_until` says
# when a document is fetched again, and when a registration without a grant is forgotten.
clients = Table(
    "clients",
    metadata,
    Column("id", Text, primary_key=True),
    Column("kind", ID, nullable=False),
    Column("document", Text, nullable=False),
    Column("created", Float, nullable=False),
    Column("fresh_until", Float, nullable=False),
)

# A sign-in on its way; `browser` is the hash of the cookie of the one browser that may go on with it.
pendings = Table(
    "pendings",
    metadata,
    Column("id", ID, primary_key=True),
    Column("request", Text, nullable=False),
    Column("browser", ID),
    Column("state", LargeBinary),
    Column("polled", Float, nullable=False),
    Column("expires", Float, nullable=False, index=True),
)

# Rights stand here and not in a token, so that a change of them acts on the next request. `version` moves with the
# credential, `claimed_until` is when whoever renews it must be done.
grants = Table(
    "grants",
    metadata,
    Column("id", ID, primary_key=True),
    _of("persons"),
    Column("client", Text, nullable=False),
    Column("client_name", Text, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("mode", ID, nullable=False),
    Column("resource", Text, nullable=False),
    Column("credential", LargeBinary, nullable=False),
    Column("version", Float, nullable=False),
    Column("claimed_until", Float, nullable=False),
    Column("dead", Float),
    Column("created", Float, nullable=False),
    Column("used", Float, nullable=False),
    Index("grants_of_person", "person"),
)

codes = Table(
    "codes",
    metadata,
    Column("hash", ID, primary_key=True),
    _of("grants"),
    Column("challenge", Text, nullable=False),
    Column("redirect", Text, nullable=False),
    Column("explicit", ID, nullable=False),
    Column("expires", Float, nullable=False, index=True),
)

# `kind` is access or refresh; `replaced` is when a refresh token was exchanged for its successor.
tokens = Table(
    "tokens",
    metadata,
    Column("hash", ID, primary_key=True),
    _of("grants"),
    Column("kind", ID, nullable=False),
    Column("expires", Float, nullable=False, index=True),
    Column("replaced", Float),
    Index("tokens_of_grant", "grant"),
)

# A browser that is signed in to /account.
sessions = Table(
    "sessions",
    metadata,
    Column("hash", ID, primary_key=True),
    _of("persons"),
    Column("expires", Float, nullable=False, index=True),
)

events = Table(
    "events",
    metadata,
    Column("id", ID, primary_key=True),
    _of("persons"),
    Column("grant", ID),
    Column("what", Text, nullable=False),
    Column("at", Float, nullable=False),
    Index("events_of_person", "person"),
)
