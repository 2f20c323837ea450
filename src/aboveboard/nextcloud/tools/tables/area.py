"""The area of tables: its toolset, and what its tools take alike."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from aboveboard.kit.toolset import Toolset
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.tables.sheet import Sheet

tools = Toolset[NextcloudClient](
    "tables",
    title="Tables",
    icon="M3 4h18v16H3zm2 5v3h5V9zm7 0v3h7V9zm-7 5v4h5v-4zm7 0v4h7v-4z",
    prefix="nc_tables_",
    app="tables",
)

TableId = Annotated[int, Field(description="The table's id, from list_tables.", ge=1)]
RowId = Annotated[int, Field(description="The row's id.", ge=1)]
ColumnId = Annotated[int, Field(description="The column's id, from get_schema.", ge=1)]
Limit = Annotated[int, Field(description="How many rows at most.", ge=1, le=500)]
Offset = Annotated[int, Field(description="Rows to skip: next_offset of the page before.", ge=0)]
Data = Annotated[
    Mapping[str, Any],
    Field(description='Values by column title or id, e.g. {"Amount": 12.5, "Kind": "Travel"}; null empties a cell.'),
]


async def sheet_of(nextcloud: NextcloudClient, table: int) -> Sheet:
    """Read the columns of a table."""
    return Sheet(await nextcloud.table_columns.list(table), f"Table {table}")
