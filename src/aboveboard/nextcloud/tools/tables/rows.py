"""Rows of tables and views: read, find, insert, change, delete."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Annotated, Final

from pydantic import Field

from aboveboard.effects import ADD, DELETE, READ, REPLACE
from aboveboard.errors import BadInput
from aboveboard.kit.call import Call
from aboveboard.kit.gone import FOR_GOOD, shorten_text
from aboveboard.kit.json_object import JsonObject
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.tables.rows import PAGE, Row
from aboveboard.nextcloud.client.tables.searching import Search
from aboveboard.nextcloud.client.tables.sheet import Sheet
from aboveboard.nextcloud.tools.gone import Deleted
from aboveboard.nextcloud.tools.ids import AS_TEXT, OrTitle
from aboveboard.nextcloud.tools.tables.area import Data, Limit, Offset, RowId, TableId, sheet_of, tools
from aboveboard.nextcloud.tools.tables.shown import FoundRows, RowInfo, RowPage, WrittenRow, table_url

MOST_SEARCHED: Final = 20_000
ROW = RowInfo(id=41, values={"What": "Taxi", "Amount": 12.5, "Paid": True})
WRITTEN = WrittenRow(id=41, table_id=7, values=ROW.values)


async def _page(
    sheet: Sheet, rows: Sequence[Row], limit: int, offset: int, count: Callable[[], Awaitable[int]]
) -> RowPage:
    """Show a page; only where it does not tell itself how many there are, they are counted."""
    last = len(rows) < limit and (rows or not offset)
    total = offset + len(rows) if last else await count()
    onward = offset + len(rows)
    items = [RowInfo.of(sheet, row) for row in rows]
    return RowPage(items=items, total=total, next_offset=onward if rows and onward < total else None)


@tools.tool("Read Table Rows", READ, example=RowPage(items=[ROW], total=120, next_offset=1), core=True)
async def read_table(nextcloud: NextcloudClient, table_id: TableId, limit: Limit = 100, offset: Offset = 0) -> RowPage:
    """Read rows of a table in the order in which they were made, with their values by column title."""
    sheet = await sheet_of(nextcloud, table_id)
    rows = await nextcloud.table_rows.page(table_id, limit=limit, offset=offset)

    async def count() -> int:
        return (await nextcloud.tables.get(table_id)).rows_count

    return await _page(sheet, rows, limit, offset, count)


@tools.tool("Read Table View", READ, example=RowPage(items=[ROW], total=1))
async def read_view(
    nextcloud: NextcloudClient,
    view_id: Annotated[int, OrTitle, AS_TEXT, Field(description="View id or title.")],
    limit: Limit = 100,
    offset: Offset = 0,
) -> RowPage:
    """Read the rows that a view shows, in its order, with the columns that it has."""
    sheet = Sheet(await nextcloud.table_columns.of_view(view_id), f"View {view_id}")
    rows = await nextcloud.table_rows.page_of_view(view_id, limit=limit, offset=offset)

    async def count() -> int:
        return (await nextcloud.tables.view(view_id)).rows_count

    return await _page(sheet, rows, limit, offset, count)


@tools.tool("Find Table Rows", READ, example=FoundRows(items=[ROW], total=1, searched=120))
async def find_rows(
    nextcloud: NextcloudClient,
    call: Call,
    table_id: TableId,
    query: Annotated[str | None, Field(description="Words that must all occur in the row, in any case.")] = None,
    where: Annotated[
        JsonObject | None,
        Field(description='JSON object: values that columns must have, e.g. {"Paid": true}; null: an empty cell.'),
    ] = None,
    limit: Limit = 50,
    offset: Annotated[int, Field(description="Hits to skip: next_offset of the page before.", ge=0)] = 0,
) -> FoundRows:
    """Find rows of a table by words, by values of columns, or both. All rows are looked at, up to 20,000."""
    if not (query and query.strip()) and not where:
        raise BadInput("There is nothing to search for.", next_step="Give a query, or values in where.")
    sheet = await sheet_of(nextcloud, table_id)
    search = Search(sheet, query or "", where or {})
    found, searched, more = list[Row](), 0, True
    while more and searched < MOST_SEARCHED:
        rows = await nextcloud.table_rows.page(table_id, limit=PAGE, offset=searched)
        searched, more = searched + len(rows), len(rows) == PAGE
        found += [row for row in rows if search.fits(row)]
        await call.progress(searched, message=f"{len(found)} found in {searched} rows")
    onward = offset + limit
    return FoundRows(
        items=[RowInfo.of(sheet, row) for row in found[offset:onward]],
        total=len(found),
        next_offset=onward if onward < len(found) else None,
        searched=searched,
        note=f"Only the first {searched} rows were searched: make a view for more." if more else None,
    )


@tools.tool("Insert Table Row", ADD, example=WRITTEN)
async def insert_row(nextcloud: NextcloudClient, table_id: TableId, data: Data) -> WrittenRow:
    """Add a row. Values are checked against their columns first; columns left out stay empty, defaults are not put in.

    Choose options by label; write dates as 2026-01-31, times as 18:30, people as user ids.
    """
    sheet = await sheet_of(nextcloud, table_id)
    cells = sheet.cells(data, whole=True)
    return _written(nextcloud, sheet, cells, await nextcloud.table_rows.create(table_id, cells))


@tools.tool("Update Table Row", REPLACE, example=WRITTEN)
async def update_row(nextcloud: NextcloudClient, row_id: RowId, data: Data) -> WrittenRow:
    """Replace values of a row; columns that are left out keep theirs, and the old values are gone.

    Values are checked against their columns before anything is written.
    """
    if not data:
        raise BadInput("There is nothing to change.", next_step="Give at least one value in data.")
    row = await nextcloud.table_rows.get(row_id)
    sheet = await sheet_of(nextcloud, row.table_id)
    cells = sheet.cells(data, whole=False)
    return _written(nextcloud, sheet, cells, await nextcloud.table_rows.update(row_id, cells))


def _written(nextcloud: NextcloudClient, sheet: Sheet, cells: Mapping[int, object], row: Row) -> WrittenRow:
    lost = sheet.not_kept(cells, row)
    warning = f"Nextcloud kept nothing for {', '.join(map(repr, lost))}: read the row." if lost else None
    url = table_url(nextcloud, row.table_id)
    return WrittenRow(id=row.id, table_id=row.table_id, values=sheet.shown(row), warning=warning, url=url)


@tools.tool("Delete Table Row", DELETE, example=Deleted(gone="row 41: Taxi, 12.5", to_get_back=FOR_GOOD, id=41))
async def delete_row(nextcloud: NextcloudClient, row_id: RowId) -> Deleted:
    """Delete a row for good; there is no bin. One that is gone is said to be gone."""
    row = await nextcloud.table_rows.find(row_id)
    if row is None or not await nextcloud.table_rows.delete(row_id):
        return Deleted.before("row", row_id)
    return Deleted(gone=f"row {row_id}: {_start_of(row)}", to_get_back=FOR_GOOD, id=row_id)


def _start_of(row: Row) -> str:
    """Show what a row is known by: the start of its values, which are its only name."""
    words = ", ".join(str(value) for value in row.cells.values() if isinstance(value, str | int | float))
    return shorten_text(words) or "empty"
