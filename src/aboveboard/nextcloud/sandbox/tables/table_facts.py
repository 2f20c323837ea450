"""What the app keeps, and everyone's tables as facts: by owner and table, a fact for each setting and each cell."""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

from aboveboard.nextcloud.sandbox.store import ID, PERSON
from aboveboard.sandbox.table import DERIVED, Fact, Rows, Table

_STAMPS = "created_by TEXT, created_at INTEGER, edited_by TEXT, edited_at INTEGER"
_OF_TABLE = "table_id INTEGER REFERENCES data_tables ON DELETE CASCADE"
_TOLD = "told with its table"


def _tell(rows: Rows) -> Iterator[Fact]:
    for table in rows.all("SELECT * FROM data_tables"):
        at = f"tables/{table['owner']}/{table['id']}"
        for name in ("title", "emoji", "description"):
            yield f"{at}/{name}", table[name]
        yield f"{at}/archived", bool(table["archived"])
        yield from _stamps(at, table)
        for kind in ("columns", "views"):
            for row in rows.all(f"SELECT * FROM data_{kind} WHERE table_id = ?", table["id"]):  # noqa: S608
                yield from _settings(f"{at}/{kind}/{row['id']}", row)
        yield from _rows(rows, at, table["id"])


def _settings(at: str, row: sqlite3.Row) -> Iterator[Fact]:
    yield f"{at}/title", row["title"]
    yield f"{DERIVED}{at}/uuid", row["uuid"]
    yield from ((f"{at}/{name}", value) for name, value in json.loads(row["settings"]).items())
    yield from _stamps(at, row)


def _rows(rows: Rows, at: str, table: int) -> Iterator[Fact]:
    for row in rows.all("SELECT * FROM data_rows WHERE table_id = ?", table):
        yield f"{at}/rows/{row['id']}/author", row["created_by"]
        yield from _stamps(f"{at}/rows/{row['id']}", row)
    cells = "SELECT data_cells.* FROM data_cells JOIN data_rows ON data_rows.id = row_id WHERE table_id = ?"
    for cell in rows.all(cells, table):
        yield f"{at}/rows/{cell['row_id']}/cells/{cell['column_id']}", json.loads(cell["value"])


def _stamps(at: str, row: sqlite3.Row) -> Iterable[Fact]:
    return ((f"{DERIVED}{at}/{name}", row[name]) for name in ("created_at", "edited_by", "edited_at"))


TABLES = Table(
    "data_tables",
    f"{ID}, title TEXT, emoji TEXT, description TEXT, archived INTEGER, owner TEXT REFERENCES users ON DELETE CASCADE,"
    f" {_STAMPS}",
    tell=_tell,
)
COLUMNS = Table(
    "data_columns",
    f"{ID}, {_OF_TABLE}, uuid TEXT, title TEXT, settings TEXT, {_STAMPS}",
    hidden=_TOLD,
    indexes=("table_id",),
)
VIEWS = Table(
    "data_views",
    f"{ID}, {_OF_TABLE}, uuid TEXT, title TEXT, settings TEXT, {_STAMPS}",
    hidden=_TOLD,
    indexes=("table_id",),
)
ROWS = Table("data_rows", f"{ID}, {_OF_TABLE}, {_STAMPS}", hidden=_TOLD, indexes=("table_id",))
CELLS = Table(
    "data_cells",
    "row_id INTEGER REFERENCES data_rows ON DELETE CASCADE,"
    " column_id INTEGER REFERENCES data_columns ON DELETE CASCADE, value TEXT, PRIMARY KEY (row_id, column_id)",
    hidden=_TOLD,
    indexes=("column_id",),
)
SHARES = Table(
    "data_shares",
    f"{ID}, node_type TEXT, node_id INTEGER, sender TEXT, receiver TEXT, receiver_type TEXT, rights TEXT, {_STAMPS}",
    at="tables/{sender}/shares/{id}",
    derived={"created_at", "edited_by", "edited_at"},
    json={"rights"},
)
FAVORITES = Table(
    "data_favorites",
    f"{PERSON}, node_type INTEGER, node_id INTEGER, PRIMARY KEY (uid, node_type, node_id)",
    at="tables/{uid}/favorites/{node_type}/{node_id}",
)
GREETED = Table("data_greeted", f"{PERSON}, PRIMARY KEY (uid)", at="tables/{uid}/greeted")


def read_column(text: str) -> Any:
    """What a column of JSON holds."""
    return json.loads(text)
