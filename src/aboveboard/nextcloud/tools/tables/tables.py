"""Tables themselves: list, look at, make, change, delete."""

from typing import Annotated

from pydantic import Field

from aboveboard.effects import ADD, DELETE, READ, REPLACE
from aboveboard.kit.gone import FOR_GOOD
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.tools.gone import Deleted
from aboveboard.nextcloud.tools.ids import AS_TEXT, OrTitle
from aboveboard.nextcloud.tools.tables.area import TableId, tools
from aboveboard.nextcloud.tools.tables.shown import (
    ColumnInfo,
    TableInfo,
    TableList,
    TableSchema,
    ViewInfo,
    ViewList,
)

_URL = "https://cloud.example/..."
TABLE = TableInfo(id=7, title="Expenses", emoji="💶", rows=4, columns=2, url=f"{_URL}/table/7")
AMOUNT = ColumnInfo(id=21, title="Amount", type="number", minimum=0, decimals=2, prefix="€")
VIEW = ViewInfo(id=3, title="Large ones", table_id=7, rows=2, columns=3, filtered=True, url=f"{_URL}/view/3")

Title = Annotated[str, Field(description="Up to 200 bytes.", min_length=1)]


@tools.tool("List Tables", READ, example=TableList(items=[TABLE], total=1))
async def list_tables(nextcloud: NextcloudClient) -> TableList:
    """List all tables that the user has or that others share with them, archived ones too."""
    every = await nextcloud.tables.list()
    return TableList(items=[TableInfo.of(nextcloud, table) for table in every], total=len(every))


@tools.tool("Get Table Schema", READ, example=TableSchema(table=TABLE, columns=[AMOUNT]))
async def get_schema(nextcloud: NextcloudClient, table_id: TableId) -> TableSchema:
    """Show a table's columns with what each takes, and its views: read this before writing rows."""
    table = await nextcloud.tables.get(table_id)
    columns = await nextcloud.table_columns.list(table_id)
    return TableSchema(
        table=TableInfo.of(nextcloud, table),
        columns=[ColumnInfo.of(column) for column in columns],
        views=[ViewInfo.of(nextcloud, view) for view in table.views] or None,
    )


@tools.tool("List Table Views", READ, example=ViewList(items=[VIEW], total=1))
async def list_views(
    nextcloud: NextcloudClient,
    table_id: Annotated[
        int | None, OrTitle, AS_TEXT, Field(description="Only views of this table (id or title).")
    ] = None,
) -> ViewList:
    """List views: chosen columns and rows of a table, filtered and sorted. read_view shows their rows."""
    views = await nextcloud.tables.views() if table_id is None else (await nextcloud.tables.get(table_id)).views
    return ViewList(items=[ViewInfo.of(nextcloud, view) for view in views], total=len(views))


@tools.tool("Create Table", ADD, example=TABLE.model_copy(update={"rows": 0, "columns": 0}))
async def create_table(
    nextcloud: NextcloudClient,
    title: Title,
    emoji: Annotated[str | None, Field(description="One emoji as its icon.")] = None,
    description: Annotated[str, Field(description="Markdown.")] = "",
) -> TableInfo:
    """Create an empty table without columns: add_column makes these. A title may be there twice."""
    return TableInfo.of(nextcloud, await nextcloud.tables.create(title, emoji=emoji, description=description))


@tools.tool("Update Table", REPLACE, example=TABLE)
async def update_table(
    nextcloud: NextcloudClient,
    table_id: TableId,
    title: Annotated[str | None, Field(description="New title, up to 200 bytes.", min_length=1)] = None,
    emoji: Annotated[str | None, Field(description="New emoji.", min_length=1)] = None,
    description: Annotated[str | None, Field(description="New description; empty clears it.")] = None,
    archived: Annotated[bool | None, Field(description="True archives the table, false brings it back.")] = None,
) -> TableInfo:
    """Change a table's title, emoji or description, or archive it; what is left out stays, rows are not touched."""
    table = await nextcloud.tables.update(
        table_id, title=title, emoji=emoji, description=description, archived=archived
    )
    return TableInfo.of(nextcloud, table)


@tools.tool("Delete Table", DELETE, example=Deleted(gone="Expenses", to_get_back=FOR_GOOD, id=7))
async def delete_table(nextcloud: NextcloudClient, table_id: TableId) -> Deleted:
    """Delete a table for good, with all its rows, columns, views and shares; there is no bin."""
    table = await nextcloud.tables.get(table_id)
    await nextcloud.tables.delete(table_id)
    return Deleted(gone=table.title, to_get_back=FOR_GOOD, id=table_id)
