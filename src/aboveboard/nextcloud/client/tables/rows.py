"""Rows: read in pages, made, changed cell by cell, deleted."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import Field

from aboveboard.errors import ApiError
from aboveboard.http import Path, path
from aboveboard.nextcloud.client.model import Model
from aboveboard.nextcloud.client.tables.api import TablesApi, is_gone, word_error

PAGE: Final = 500
"""Rows that are asked for at once where all are wanted."""


class Cell(Model):
    """A value and its column."""

    column_id: int
    value: Any = None


class Row(Model):
    """A row with the cells that it has."""

    id: int
    table_id: int
    data: list[Cell] = Field(default_factory=list[Cell])

    @property
    def cells(self) -> dict[int, Any]:
        """The values by column."""
        return {cell.column_id: cell.value for cell in self.data}


class Rows:
    """The rows of the tables that one user may see."""

    def __init__(self, api: TablesApi) -> None:
        self._api = api

    async def page(self, table: int, *, limit: int, offset: int = 0) -> list[Row]:
        at = path("/index.php/apps/tables/api/1/tables/{table}/rows", table=str(table))
        return await self._api.get(at, list[Row], f"table {table}", {"limit": limit, "offset": offset or None})

    async def page_of_view(self, view: int, *, limit: int, offset: int = 0) -> list[Row]:
        """Read some rows of a view, in its order."""
        at = path("/index.php/apps/tables/api/1/views/{view}/rows", view=str(view))
        return await self._api.get(at, list[Row], f"view {view}", {"limit": limit, "offset": offset or None})

    async def get(self, row: int) -> Row:
        return await self._api.get(_at(row), Row, f"row {row}")

    async def find(self, row: int) -> Row | None:
        """Get a row, or nothing where there provably is none."""
        answer = await self._api.send("GET", _at(row))
        return None if is_gone(answer) else await self._api.read(answer, Row, f"row {row}")

    async def create(self, table: int, cells: Mapping[int, object]) -> Row:
        """Add a row, whose cells are as the app wants them."""
        at = path("/ocs/v2.php/apps/tables/api/2/tables/{table}/rows", table=str(table))
        try:
            return await self._api.ocs.post(at, Row, {"data": _as_sent(cells)})
        except ApiError as error:
            raise word_error(error, f"table {table}") from None

    async def update(self, row: int, cells: Mapping[int, object]) -> Row:
        """Write some cells; the others stay, also what somebody else writes into them meanwhile."""
        answer = await self._api.send("PUT", _at(row), body={"data": _as_sent(cells)})
        return await self._api.read(answer, Row, f"row {row}")

    async def delete(self, row: int) -> bool:
        """Delete a row; tell whether it was there.

        For one that is gone, the app has an error of the server, so a second look has to prove it.
        """
        answer = await self._api.send("DELETE", _at(row))
        if (answer.status == 404 or is_gone(answer)) and is_gone(await self._api.send("GET", _at(row))):
            return False
        await self._api.read(answer, object, f"row {row}")
        return True


def _as_sent(cells: Mapping[int, object]) -> dict[str, object]:
    return {str(column): value for column, value in cells.items()}


def _at(row: int) -> Path:
    return path("/index.php/apps/tables/api/1/rows/{row}", row=str(row))
