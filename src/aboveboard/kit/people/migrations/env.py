"""Runs the migrations on the connection that the store hands over, within its transaction."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
