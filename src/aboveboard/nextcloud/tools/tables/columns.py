"""Columns of tables: add, change, delete."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from aboveboard.effects import DELETE, ENSURE, REPLACE
from aboveboard.errors import BadInput, Conflict
from aboveboard.kit.gone import FOR_GOOD
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.tables.columns import Column, Kind
from aboveboard.nextcloud.client.tables.settings import Settings, clear_setting
from aboveboard.nextcloud.client.tables.tables import View
from aboveboard.nextcloud.tools.tables.area import ColumnId, OfTable, TableId, tools
from aboveboard.nextcloud.tools.tables.shown import ChangedColumn, DeletedColumn
from aboveboard.nextcloud.tools.tables.tables import AMOUNT

GONE = DeletedColumn(gone="Amount", to_get_back=FOR_GOOD, id=21, widened_views=["Large ones"])
CHANGED = ChangedColumn.model_validate(AMOUNT.model_dump())
Clearable = Literal["description", "minimum", "maximum", "max_length", "default"]

Title = Annotated[str, Field(description="What no other column of the table is called.", min_length=1, max_length=200)]
Description = Annotated[str | None, Field(description="A hint for people.")]
Options = Annotated[list[str] | None, Field(description="Labels to choose from, all of them.", min_length=1)]
Minimum = Annotated[float | None, Field(description="Smallest number.")]
Maximum = Annotated[float | None, Field(description="Largest number.")]
Decimals = Annotated[int | None, Field(description="Decimals of a number.", ge=0, le=10)]
Prefix = Annotated[str | None, Field(description="Before a number, e.g. €.")]
Suffix = Annotated[str | None, Field(description="After a number.")]
MaxLength = Annotated[int | None, Field(description="Most characters of a text-line.", ge=1)]
Default = Annotated[
    str | None, Field(description="What the web form proposes, as text: a label, true, today for a date, else now.")
]


# A title that is taken is refused, so the same call again adds nothing: Nextcloud itself would number the second one.
@tools.tool("Add Table Column", ENSURE, example=CHANGED)
async def add_column(
    nextcloud: NextcloudClient,
    table_id: TableId,
    title: Title,
    type: Annotated[Kind, Field(description="What it takes; selection and selection-multi need options.")],  # noqa: A002
    mandatory: Annotated[bool, Field(description="True: every new row must have a value.")] = False,
    description: Description = None,
    options: Options = None,
    minimum: Minimum = None,
    maximum: Maximum = None,
    decimals: Decimals = None,
    prefix: Prefix = None,
    suffix: Suffix = None,
    max_length: MaxLength = None,
    default: Default = None,
) -> ChangedColumn:
    """Add a column to a table, unless one has that title; it is empty in all rows that are there."""
    kind, _, subtype = type.partition("-")
    new = Column(id=0, table_id=table_id, title=title, type=kind, subtype=subtype)
    if options is None and type in ("selection", "selection-multi"):
        raise BadInput(f"A column of the type {type} needs options.", next_step="Give the labels to choose from.")
    settings = Settings(
        mandatory=mandatory,
        description=description,
        options=options,
        minimum=minimum,
        maximum=maximum,
        decimals=decimals,
        prefix=prefix,
        suffix=suffix,
        max_length=max_length,
        default=default,
    ).worded(new)
    if kind == "usergroup":
        settings |= {"usergroupMultipleItems": True, "usergroupSelectUsers": True, "usergroupSelectGroups": True}
    if type == "text-link":
        settings["textAllowedPattern"] = "url"
    _unless_taken(await nextcloud.table_columns.list(table_id), title)
    return ChangedColumn.after(nextcloud, await nextcloud.table_columns.create(table_id, title, type, settings))


def _unless_taken(columns: Sequence[Column], title: str) -> None:
    taken = [f"{column.id} ({column.kind})" for column in columns if column.title == title]
    if taken:
        raise Conflict(
            f"The table has a column {title!r} already: {', '.join(taken)}. Nothing was changed.",
            next_step="Choose another title, or update that column.",
        )


@tools.tool("Update Table Column", REPLACE, example=CHANGED)
async def update_column(
    nextcloud: NextcloudClient,
    column_id: ColumnId,
    title: Annotated[str | None, Field(description="New title.", min_length=1, max_length=200)] = None,
    mandatory: Annotated[bool | None, Field(description="Whether every new row must have a value.")] = None,
    description: Description = None,
    options: Annotated[
        list[str] | None,
        Field(description="All labels anew: known ones keep their cells, cells of others lose theirs."),
    ] = None,
    minimum: Minimum = None,
    maximum: Maximum = None,
    decimals: Decimals = None,
    prefix: Prefix = None,
    suffix: Suffix = None,
    max_length: MaxLength = None,
    default: Default = None,
    clear: Annotated[list[Clearable] | None, Field(description="Settings to take away.")] = None,
    table_id: OfTable = None,
) -> ChangedColumn:
    """Change settings of a column; all that is left out stays as it is, and so do the cells. Its type cannot change.

    Nextcloud has no version check here: of two edits in the same moment, one is lost.
    """
    settings = Settings(
        title=title,
        mandatory=mandatory,
        description=description,
        options=options,
        minimum=minimum,
        maximum=maximum,
        decimals=decimals,
        prefix=prefix,
        suffix=suffix,
        max_length=max_length,
        default=default,
    )
    del table_id
    if not settings.given and not clear:
        raise BadInput("There is nothing to change.", next_step="Give a setting, or name one in clear.")
    if title is not None:
        table = (await nextcloud.table_columns.get(column_id)).table_id
        others = [column for column in await nextcloud.table_columns.list(table) if column.id != column_id]
        _unless_taken(others, title)

    def changes(column: Column) -> dict[str, object]:
        taken_away = [clear_setting(name, column) for name in clear or ()]
        return {key: value for part in (settings.worded(column), *taken_away) for key, value in part.items()}

    return ChangedColumn.after(nextcloud, await nextcloud.table_columns.update(column_id, changes))


@tools.tool("Delete Table Column", DELETE, example=GONE)
async def delete_column(nextcloud: NextcloudClient, column_id: ColumnId, table_id: OfTable = None) -> DeletedColumn:
    """Delete a column for good, with its values in all rows; views that filter by it show more rows from then on."""
    del table_id
    column = await nextcloud.table_columns.find(column_id)
    if column is None:
        return DeletedColumn.before("column", column_id)
    views = (await nextcloud.tables.get(column.table_id)).views
    if not await nextcloud.table_columns.delete(column_id):
        return DeletedColumn.before("column", column_id)
    widened = [view.title for view in views if _filters_by(view, column_id)]
    return DeletedColumn(gone=column.title, to_get_back=FOR_GOOD, id=column_id, widened_views=widened or None)


def _filters_by(view: View, column: int) -> bool:
    return any(condition.column_id == column for group in view.filter for condition in group)
