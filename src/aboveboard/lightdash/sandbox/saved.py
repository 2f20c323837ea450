"""What saved charts and dashboards have in common: a UUID or a slug to find them by, an author, views."""

from sqlite3 import Row

from aboveboard.lightdash.sandbox.routes import Call, as_uuid, is_uuid, storable
from aboveboard.lightdash.sandbox.store import Store


def find(call: Call, select: str, table: str, parameter: str) -> Row | None:
    """The row that the path names by UUID or slug, within the project if the path has one.

    A slug alone may stand in several projects; the oldest thing wins.
    """
    name = storable(call.params[parameter])
    column, values = ("uuid", [as_uuid(name)]) if is_uuid(name) else ("slug", [name])
    where = f"{table}.{column} = ?"
    if "project" in call.params:
        where = f"{where} AND {table}.project = ?"
        values.append(call.uuid("project"))
    return call.store.one(f"{select} WHERE {where} ORDER BY {table}.rowid", *values)


def updated_by(row: Row) -> dict[str, object] | None:
    """The last author of a row, whose names were selected with it."""
    if row["updated_by"] is None:
        return None
    return {"userUuid": row["updated_by"], "firstName": row["author_first"], "lastName": row["author_last"]}


def count_view(store: Store, table: str, row: Row) -> None:
    """Reading a chart or a dashboard counts as a view, after the answer was made."""
    first = row["first_viewed_at"] or store.now()
    store.run(f"UPDATE {table} SET views = views + 1, first_viewed_at = ? WHERE uuid = ?", first, row["uuid"])  # noqa: S608
