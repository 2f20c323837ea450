"""How things are deleted: for good, or into a bin they can be brought back from, as the instance is set up.

The bin keeps the rows that go with a thing (its versions, tiles, schedules, whatever a space holds) just as they were,
so that nothing else needs to know about deleted things.
"""

import json
from collections.abc import Iterator
from sqlite3 import Row
from typing import Any, cast

from aboveboard.lightdash.sandbox.routes import Call
from aboveboard.lightdash.sandbox.store import Store
from aboveboard.sandbox.table import Table

TRASH_TABLE = Table(
    "trash",
    "uuid TEXT PRIMARY KEY, type TEXT, project TEXT REFERENCES projects ON DELETE CASCADE, space TEXT, name TEXT,"
    " description TEXT, kind TEXT, source TEXT, deleted_by TEXT, rows TEXT, deleted_at TEXT",
    derived={"deleted_at"},
    json={"rows"},
)

KINDS = {"chart": "charts", "dashboard": "dashboards", "space": "spaces"}
Rows = list[tuple[str, dict[str, Any]]]


def remove(call: Call, kind: str, row: Row, table: str = "") -> None:
    """Delete a chart, dashboard or space and all that is part of it."""
    store, name = call.store, table or KINDS[kind]
    with store.change():
        if store.options.soft_delete:
            _keep(call, kind, name, row)
        store.run(f"DELETE FROM {name} WHERE uuid = ?", row["uuid"])  # noqa: S608 - a declared name


def bring_back(store: Store, item: Row) -> None:
    """Put a deleted thing and all that was part of it back where it was."""
    kept: dict[str, Any] = json.loads(item["rows"])
    with store.change():
        # A tile may come back before the chart it shows.
        store.run("PRAGMA defer_foreign_keys = ON")
        for table, row in cast("Rows", kept["rows"]):
            store.insert(table, **row)
        for table, keys, column, value in cast("list[tuple[str, dict[str, str], str, str]]", kept["pointers"]):
            where = " AND ".join(f"{key} = ?" for key in keys)
            store.run(f"UPDATE {table} SET {column} = ? WHERE {where}", value, *keys.values())  # noqa: S608
        store.run("DELETE FROM trash WHERE uuid = ?", item["uuid"])


def held(item: Row, table: str) -> int:
    """How many rows of a table went along with a deleted thing."""
    return sum(name == table for name, _ in cast("Rows", json.loads(item["rows"])["rows"]))


def maker(item: Row) -> str:
    """Who made a deleted SQL chart."""
    return cast("Rows", json.loads(item["rows"])["rows"])[0][1]["created_by"]


def _keep(call: Call, kind: str, table: str, row: Row) -> None:
    store = call.store
    found: Rows = []
    pointers: list[object] = []
    bare = store.all(f"SELECT * FROM {table} WHERE uuid = ?", row["uuid"])[0]  # noqa: S608 - a declared name
    _add(store, table, bare, found, pointers)
    space = row["parent"] if kind == "space" else row["space"]
    store.insert(
        "trash",
        uuid=row["uuid"],
        type=kind,
        project=row["project"],
        space=space,
        name=row["name"],
        description=None if kind == "space" else row["description"],
        kind=row["kind"] if kind == "chart" else None,
        source="sql" if table == "sql_charts" else "dbt_explore",
        deleted_by=call.user["uuid"],
        rows={"rows": found, "pointers": pointers},
        deleted_at=store.now(),
    )


def _add(store: Store, table: str, row: Row, found: Rows, pointers: list[object]) -> None:
    """A row and the rows that go with it; and who else points at it."""
    entry = (table, dict(row))
    if entry in found:
        return
    found.append(entry)
    for child, column, cascades in _children(store, table):
        for one in store.all(f"SELECT * FROM {child} WHERE {column} = ?", row["uuid"]):  # noqa: S608 - declared
            if cascades:
                _add(store, child, one, found, pointers)
            else:
                keys = {name: one[name] for name in store.schema.keys_of(child)}
                pointers.append((child, keys, column, one[column]))


def _children(store: Store, table: str) -> Iterator[tuple[str, str, bool]]:
    for other in store.schema.names:
        for link in store.all(f"PRAGMA foreign_key_list({other})"):
            if link["table"] == table:
                yield other, link["from"], link["on_delete"] == "CASCADE"
