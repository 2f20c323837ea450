"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "clients",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=64), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("fresh_until", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "pendings",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("browser", sa.String(length=64), nullable=True),
        sa.Column("state", sa.LargeBinary(), nullable=True),
        sa.Column("polled", sa.Float(), nullable=False),
        sa.Column("expires", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_pendings_expires"), "pendings", ["expires"], unique=False)
    op.create_table(
        "persons",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("instance", sa.Text(), nullable=False),
        sa.Column("principal", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("instance", "principal"),
    )
    op.create_table(
        "events",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("person", sa.String(length=64), nullable=False),
        sa.Column("grant", sa.String(length=64), nullable=True),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["persons.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("events_of_person", "events", ["person"], unique=False)
    op.create_table(
        "grants",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("person", sa.String(length=64), nullable=False),
        sa.Column("client", sa.Text(), nullable=False),
        sa.Column("client_name", sa.Text(), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("mode", sa.String(length=64), nullable=False),
        sa.Column("resource", sa.Text(), nullable=False),
        sa.Column("credential", sa.LargeBinary(), nullable=False),
        sa.Column("version", sa.Float(), nullable=False),
        sa.Column("claimed_until", sa.Float(), nullable=False),
        sa.Column("dead", sa.Float(), nullable=True),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("used", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["persons.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("grants_of_person", "grants", ["person"], unique=False)
    op.create_table(
        "sessions",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("person", sa.String(length=64), nullable=False),
        sa.Column("expires", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["persons.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_index(op.f("ix_sessions_expires"), "sessions", ["expires"], unique=False)
    op.create_table(
        "codes",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("grant", sa.String(length=64), nullable=False),
        sa.Column("challenge", sa.Text(), nullable=False),
        sa.Column("redirect", sa.Text(), nullable=False),
        sa.Column("explicit", sa.String(length=64), nullable=False),
        sa.Column("expires", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["grant"], ["grants.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_index(op.f("ix_codes_expires"), "codes", ["expires"], unique=False)
    op.create_table(
        "tokens",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("grant", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=64), nullable=False),
        sa.Column("expires", sa.Float(), nullable=False),
        sa.Column("replaced", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["grant"], ["grants.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_index(op.f("ix_tokens_expires"), "tokens", ["expires"], unique=False)
    op.create_index("tokens_of_grant", "tokens", ["grant"], unique=False)
