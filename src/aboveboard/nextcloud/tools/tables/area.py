"""The area of tables: its toolset, and what its tools take alike."""

from typing import Annotated

from pydantic import Field

from aboveboard.kit.json_object import JsonObject
from aboveboard.kit.toolset import Toolset
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.tables.sheet import Sheet
from aboveboard.nextcloud.tools.ids import AS_TEXT, OrTitle

tools = Toolset[NextcloudClient](
    "tables",
    title="Tables",
    icon="M3 4h18v16H3zm2 5v3h5V9zm7 0v3h7V9zm-7 5v4h5v-4zm7 0v4h7v-4z",
    prefix="nc_tables_",
    app="tables",
)

TableId = Annotated[int, OrTitle, AS_TEXT, Field(description="Table id or title.")]
OfTable = Annotated[int | None, OrTitle, AS_TEXT, Field(description="Its table, if column_id is a title.")]
RowId = Annotated[int, Field(description="The row's id.", ge=1)]
ColumnId = Annotated[int, OrTitle, AS_TEXT, Field(description="Column id or title.")]
Limit = Annotated[int, Field(description="How many rows at most.", ge=1, le=500)]
Offset = Annotated[int, Field(description="Rows to skip: next_offset of the page before.", ge=0)]
Data = Annotated[
    JsonObject,
    Field(
        description="JSON object: values by column title or id, e.g. "
        '{"Amount": 12.5, "Kind": "Travel"}; null empties a cell.'
    ),
]


async def sheet_of(nextcloud: NextcloudClient, table: int) -> Sheet:
    """Read the columns of a table."""
    return Sheet(await nextcloud.table_columns.list(table), f"Table {table}")
