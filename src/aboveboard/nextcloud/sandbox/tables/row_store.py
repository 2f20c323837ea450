"""Rows and their cells, as the routes of tables, views and imports want them."""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

from aboveboard.nextcloud.sandbox.tables.access import Access, api_refusal, stamps
from aboveboard.nextcloud.sandbox.tables.cells import ORDER, is_empty, show_cell, take_cell
from aboveboard.nextcloud.sandbox.tables.column_routes import any_column, columns_of
from aboveboard.nextcloud.sandbox.tables.table_facts import read_column


class RowStore:
    """The rows of one table."""

    def __init__(self, access: Access, table: int) -> None:
        self.access, self.store, self.table = access, access.store, table
        self.settings = {column["id"]: read_column(column["settings"]) for column in columns_of(access, table)}

    def add(self, data: Mapping[str, Any]) -> tuple[int, dict[int, Any]]:
        """A new row; its number, and its cells as they were taken."""
        cells: dict[int, Any] = {}
        for key, value in data.items():
            column = any_column(self.access, self.table, int(key))
            cells[column["id"]] = take_cell(self.access, column, value)
        for column in columns_of(self.access, self.table):
            if read_column(column["settings"])["mandatory"] and is_empty(cells.get(column["id"])):
                raise api_refusal(400, f'Mandatory column "{column["title"]}" cannot be empty.')
        number = self.store.insert("data_rows", table_id=self.table, **self.access.signed())
        self._write(number, cells)
        return number, cells

    def change(self, row: int, data: Mapping[str, Any]) -> dict[int, Any]:
        """Write some cells of a row; the others stay."""
        cells: dict[int, Any] = {}
        for key, value in data.items():
            column = any_column(self.access, self.table, int(key))
            cells[column["id"]] = take_cell(self.access, column, value, row)
            if read_column(column["settings"])["mandatory"] and is_empty(cells[column["id"]]):
                raise api_refusal(400, f'Mandatory column "{column["title"]}" cannot be empty or invalid.')
        self._write(row, cells)
        self.store.update("data_rows", row, **self.access.edited())
        return cells

    def _write(self, row: int, cells: Mapping[int, Any]) -> None:
        for column, value in cells.items():
            self.store.run("DELETE FROM data_cells WHERE row_id = ? AND column_id = ?", row, column)
            if value != [] or self.settings[column]["type"] != "usergroup":
                text = json.dumps(value, ensure_ascii=False)
                self.store.insert("data_cells", row_id=row, column_id=column, value=text)

    def all(self) -> list[sqlite3.Row]:
        """Every row, in the order of their numbers."""
        return self.store.all("SELECT * FROM data_rows WHERE table_id = ? ORDER BY id", self.table)

    def cells(self, rows: Iterable[sqlite3.Row]) -> dict[int, dict[int, Any]]:
        """The cells of rows, as they are shown, by row and column."""
        found: dict[int, dict[int, Any]] = {row["id"]: {} for row in rows}
        sql = "SELECT data_cells.* FROM data_cells JOIN data_rows ON row_id = data_rows.id WHERE table_id = ?"
        for cell in self.store.all(sql, self.table):
            if cell["row_id"] in found:
                settings = self.settings[cell["column_id"]]
                found[cell["row_id"]][cell["column_id"]] = show_cell(self.access, settings, json.loads(cell["value"]))
        return {row: dict(sorted(cells.items(), key=self._place)) for row, cells in found.items()}

    def _place(self, cell: tuple[int, Any]) -> tuple[int, int]:
        return ORDER.index(self.settings[cell[0]]["type"]), cell[0]

    def described(self, rows: list[sqlite3.Row], columns: Iterable[int] | None = None) -> list[dict[str, Any]]:
        """Rows as answers have them, all their cells or those of some columns."""
        wanted = None if columns is None else set(columns)
        cells = self.cells(rows)
        return [
            describe(row, {key: one for key, one in cells[row["id"]].items() if wanted is None or key in wanted})
            for row in rows
        ]


def describe(row: sqlite3.Row, cells: Mapping[int, Any]) -> dict[str, Any]:
    """A row with some cells."""
    return {"id": row["id"], "tableId": row["table_id"], **stamps(row), **_data(cells)}


def describe_new(table: int, number: int, cells: Mapping[int, Any]) -> dict[str, Any]:
    """A row that was just made: who made it is not told."""
    unknown = dict.fromkeys(("createdBy", "createdAt", "lastEditBy", "lastEditAt"))
    return {"id": number, "tableId": table, **unknown, **_data(cells)}


def _data(cells: Mapping[int, Any]) -> dict[str, Any]:
    entries = [{"columnId": column, "value": value} for column, value in cells.items()]
    by_alias = {f"column_{entry['columnId']}": entry for entry in entries}
    return {"data": entries, "dataByAlias": by_alias or []}
