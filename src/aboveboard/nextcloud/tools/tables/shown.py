"""Tables, columns, views and rows as tools show them: what is empty or usual is left out."""

import json
from typing import Any, Self

from pydantic import BaseModel

from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.tables import tables as client
from aboveboard.nextcloud.client.tables.columns import Column
from aboveboard.nextcloud.client.tables.rows import Row
from aboveboard.nextcloud.client.tables.sheet import Sheet
from aboveboard.nextcloud.client.tables.values import show_value
from aboveboard.nextcloud.tools.gone import Deleted


def table_url(nextcloud: NextcloudClient, table: int) -> str:
    """Return where people open a table."""
    return f"{nextcloud.app_url('tables')}#/table/{table}"


class TableInfo(BaseModel):
    """A table; `owner` and what one `may` do where it is somebody else's."""

    id: int
    title: str
    emoji: str | None = None
    description: str | None = None
    rows: int
    columns: int
    views: int | None = None
    archived: bool | None = None
    owner: str | None = None
    may: list[str] | None = None
    url: str

    @classmethod
    def of(cls, nextcloud: NextcloudClient, table: client.Table) -> Self:
        """Show a table."""
        rights = table.on_share_permissions if table.is_shared else None
        return cls(
            id=table.id,
            title=table.title,
            emoji=table.emoji or None,
            description=table.description or None,
            rows=table.rows_count,
            columns=table.columns_count,
            views=len(table.views) or None,
            archived=table.archived or None,
            owner=table.ownership if table.is_shared else None,
            may=[name for name, given in rights.model_dump().items() if given] if rights else None,
            url=table_url(nextcloud, table.id),
        )


class TableList(BaseModel):
    """The tables that the user may see."""

    items: list[TableInfo]
    total: int


class ColumnInfo(BaseModel):
    """A column: what it is called, what it takes, and what the web form proposes for it."""

    id: int
    title: str
    type: str
    mandatory: bool | None = None
    description: str | None = None
    options: list[str] | None = None
    minimum: float | None = None
    maximum: float | None = None
    decimals: int | None = None
    prefix: str | None = None
    suffix: str | None = None
    max_length: int | None = None
    several: bool | None = None
    default: Any = None

    @classmethod
    def of(cls, column: Column) -> Self:
        """Show a column."""
        plain = column.kind == "number"
        return cls(
            id=column.id,
            title=column.title,
            type=column.kind,
            mandatory=column.mandatory or None,
            description=column.description or None,
            options=[option.label for option in column.options] or None,
            minimum=column.number_min if plain else None,
            maximum=column.number_max if plain else None,
            decimals=column.number_decimals or 0 if plain else None,
            prefix=column.number_prefix or None,
            suffix=column.number_suffix or None,
            max_length=column.text_max_length if column.type == "text" else None,
            several=column.usergroup_multiple_items or None,
            default=default_of(column),
        )


class ChangedColumn(ColumnInfo):
    """A column after a call; its table is at `url`."""

    url: str | None = None

    @classmethod
    def after(cls, nextcloud: NextcloudClient, column: Column) -> Self:
        """Show a column that was written."""
        return cls.of(column).model_copy(update={"url": table_url(nextcloud, column.table_id)})


def default_of(column: Column) -> Any:
    """Return what the web form proposes for a column, as people write it."""
    if column.type == "selection":
        try:
            return show_value(column, json.loads(column.selection_default or "null"))
        except ValueError:
            return None
    proposed = {"text": column.text_default, "number": column.number_default, "datetime": column.datetime_default}
    return show_value(column, proposed.get(column.type))


class ViewInfo(BaseModel):
    """A view of a table; `columns` is left out where it shows all."""

    id: int
    title: str
    table_id: int
    emoji: str | None = None
    description: str | None = None
    rows: int
    columns: int | None = None
    filtered: bool | None = None
    sorted: bool | None = None
    url: str

    @classmethod
    def of(cls, nextcloud: NextcloudClient, view: client.View) -> Self:
        """Show a view."""
        return cls(
            id=view.id,
            title=view.title,
            table_id=view.table_id,
            emoji=view.emoji or None,
            description=view.description or None,
            rows=view.rows_count,
            columns=len(view.column_settings) or None,
            filtered=any(view.filter) or None,
            sorted=bool(view.sort) or None,
            url=f"{nextcloud.app_url('tables')}#/view/{view.id}",
        )


class ViewList(BaseModel):
    """Views of tables."""

    items: list[ViewInfo]
    total: int


class TableSchema(BaseModel):
    """What a table is made of."""

    table: TableInfo
    columns: list[ColumnInfo]
    views: list[ViewInfo] | None = None


class RowInfo(BaseModel):
    """A row: its values by column title (by id, where a title is there twice), without empty ones."""

    id: int
    values: dict[str, Any]

    @classmethod
    def of(cls, sheet: Sheet, row: Row) -> Self:
        """Show a row."""
        return cls(id=row.id, values=sheet.shown(row))


class WrittenRow(RowInfo):
    """A row that was written; a warning names what Nextcloud did not keep of it."""

    table_id: int
    warning: str | None = None
    url: str | None = None
    """Where people open the table."""


class RowPage(BaseModel):
    """Some rows, how many there are, and where the next ones begin."""

    items: list[RowInfo]
    total: int
    next_offset: int | None = None


class FoundRows(RowPage):
    """Rows that were found; `total` counts them all. A note says so where not every row could be searched."""

    searched: int
    note: str | None = None


class DeletedColumn(Deleted):
    """A column that is gone, and the views that filtered by it and now show more."""

    widened_views: list[str] | None = None
