"""Tables: list, make, change, delete. All by the app's second API, whose updates keep what they do not name."""

import builtins
from typing import Final

from pydantic import Field

from aboveboard.errors import ApiError, BadInput
from aboveboard.http import Path, path
from aboveboard.nextcloud.client.model import Model
from aboveboard.nextcloud.client.tables.api import TablesApi, word_error

LONGEST_TITLE: Final = 200
"""Bytes, not characters."""


class Condition(Model):
    """What a view wants of one column."""

    column_id: int
    operator: str
    value: str | int | float | bool | None = None


class Sorting(Model):
    """By which column a view is sorted."""

    column_id: int
    mode: str


class Shown(Model):
    """A column that a view shows."""

    column_id: int
    order: int = 0
    readonly: bool = False


class View(Model):
    """A view of a table."""

    id: int
    table_id: int
    title: str
    emoji: str | None = None
    description: str | None = None
    rows_count: int = 0
    column_settings: list[Shown] = Field(default_factory=list[Shown])
    sort: list[Sorting] = Field(default_factory=list[Sorting])
    filter: list[list[Condition]] = Field(default_factory=list[list[Condition]])


class Permissions(Model):
    """What someone may do with a table that another one shares."""

    read: bool = False
    create: bool = False
    update: bool = False
    delete: bool = False
    manage: bool = False


class Table(Model):
    """A table without its rows and columns."""

    id: int
    title: str
    emoji: str | None = None
    description: str | None = None
    ownership: str
    archived: bool = False
    favorite: bool = False
    is_shared: bool = False
    on_share_permissions: Permissions | None = None
    rows_count: int = 0
    columns_count: int = 0
    views: list[View] = Field(default_factory=list[View])


class _Start(Model):
    tables: list[Table]
    views: list[View] = Field(default_factory=list[View])


class Tables:
    """The tables that one user may see."""

    def __init__(self, api: TablesApi) -> None:
        self._api = api

    async def list(self) -> list[Table]:
        return await self._api.ocs.get(path("/ocs/v2.php/apps/tables/api/2/tables"), list[Table])

    async def views(self) -> builtins.list[View]:
        """List the views of all tables, and those that others share alone."""
        start = await self._api.ocs.get(path("/ocs/v2.php/apps/tables/api/2/init"), _Start)
        return [view for table in start.tables for view in table.views] + start.views

    async def view(self, view: int) -> View:
        at = path("/index.php/apps/tables/api/1/views/{view}", view=str(view))
        return await self._api.get(at, View, f"view {view}")

    async def get(self, table: int) -> Table:
        return await self._api.get_ocs(_at(table), Table, f"table {table}")

    async def create(self, title: str, *, emoji: str | None = None, description: str = "") -> Table:
        body = {"title": _title(title), "emoji": emoji, "description": description, "template": "custom"}
        return await self._api.ocs.post(path("/ocs/v2.php/apps/tables/api/2/tables"), Table, body)

    async def update(
        self,
        table: int,
        *,
        title: str | None = None,
        emoji: str | None = None,
        description: str | None = None,
        archived: bool | None = None,
    ) -> Table:
        """Change what is given; an empty text clears it."""
        given = {"title": title, "emoji": emoji, "description": description, "archived": archived}
        body = {name: value for name, value in given.items() if value is not None}
        if not body:
            raise BadInput("There is nothing to change.", next_step="Give a title, emoji, description or archived.")
        if title is not None:
            _title(title)
        try:
            return await self._api.ocs.put(_at(table), Table, body)
        except ApiError as error:
            raise word_error(error, f"table {table}") from None

    async def delete(self, table: int) -> None:
        try:
            await self._api.ocs.delete(_at(table))
        except ApiError as error:
            raise word_error(error, f"table {table}") from None


def _title(title: str) -> str:
    if not title.strip():
        raise BadInput("A table needs a title.")
    if (length := len(title.encode())) > LONGEST_TITLE:
        raise BadInput(f"The title has {length} bytes; {LONGEST_TITLE} are allowed.", next_step="Shorten it.")
    return title


def _at(table: int) -> Path:
    return path("/ocs/v2.php/apps/tables/api/2/tables/{table}", table=str(table))
