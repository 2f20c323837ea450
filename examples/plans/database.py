"""The state of an SQLite database: `database.py reset FILE` makes it anew, `show` prints every row of every table."""

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

SEED = """
DROP TABLE IF EXISTS notes; DROP TABLE IF EXISTS labels;
CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT);
INSERT INTO notes VALUES (1, 'milk'), (2, 'bread');
"""


def reset(file: Path) -> None:
    """Make the tables what they were; the file stays, as the server may have it open."""
    with closing(sqlite3.connect(file)) as database:
        database.executescript(SEED)


def show(file: Path) -> None:
    """Print tables, columns and rows."""
    with closing(sqlite3.connect(file)) as database:
        tables = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
        rows = {name: dict(_rows(database, name)) for name, _ in tables}
    sys.stdout.write(json.dumps({"definitions": dict(tables), "rows": rows}))


def _rows(database: sqlite3.Connection, table: str) -> list[tuple[str, list[str]]]:
    found = database.execute(f'SELECT rowid, * FROM "{table}"')  # noqa: S608 (the name is the database's own)
    return [(str(row[0]), [str(value) for value in row[1:]]) for row in found]


if __name__ == "__main__":
    {"reset": reset, "show": show}[sys.argv[1]](Path(sys.argv[2]))
