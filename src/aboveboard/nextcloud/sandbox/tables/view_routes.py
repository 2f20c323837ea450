"""Views of tables: some columns, the rows that pass their filters, in an order of their own."""

import sqlite3
from typing import Any, cast

from aboveboard.nextcloud.sandbox.calls import Call, Routes, to_int
from aboveboard.nextcloud.sandbox.tables import column_routes
from aboveboard.nextcloud.sandbox.tables.access import VIEW, Access, api_refusal, new_uuid, nothing, stamps
from aboveboard.nextcloud.sandbox.tables.row_routes import given_data, page_rows
from aboveboard.nextcloud.sandbox.tables.row_store import RowStore, describe_new
from aboveboard.nextcloud.sandbox.tables.table_facts import read_column
from aboveboard.nextcloud.sandbox.tables.view_settings import passes, rank
from aboveboard.nextcloud.sandbox.wire import bad_argument, json_response, page
from aboveboard.sandbox.wire import Response

V1 = "/apps/tables/api/1"
_LISTS = ("columnSettings", "sort", "filter")
_NEW: dict[str, Any] = {"description": "", "emoji": None, "columnSettings": [], "sort": [], "filter": []}

routes = Routes()


def described_views(access: Access, table: sqlite3.Row) -> list[dict[str, Any]]:
    """The views of a table that someone may see."""
    views = access.store.all("SELECT * FROM data_views WHERE table_id = ? ORDER BY id", table["id"])
    return [describe(access, view) for view in views if access.view_rights(view, table)]


def describe(access: Access, view: sqlite3.Row, *, fresh: bool = False) -> dict[str, Any]:
    """A view; of one that was just made or deleted, some things are not worked out."""
    owner = access.store.all("SELECT owner FROM data_tables WHERE id = ?", view["table_id"])[0]["owner"]
    return {
        "id": view["id"],
        "uuid": view["uuid"],
        "tableId": view["table_id"],
        "title": view["title"],
        "technicalName": f"view_{view['id']}",
        "ownership": owner,
        **stamps(view),
        "columns": [],
        "isShared": False,
        "favorite": access.favorite(VIEW, view["id"]),
        "onSharePermissions": None,
        "hasShares": access.has_shares("view", view["id"]),
        "rowsCount": 0 if fresh else len(rows_of(access, view)[1]),
        "ownerDisplayName": None if fresh else access.name_of(owner),
        **read_column(view["settings"]),
    }


def rows_of(access: Access, view: sqlite3.Row) -> tuple[RowStore, list[sqlite3.Row]]:
    """The rows that a view shows, in its order."""
    store, settings = RowStore(access, view["table_id"]), read_column(view["settings"])
    rows = store.all()
    cells = store.cells(rows)
    shown = [row for row in rows if passes(settings, cells[row["id"]])]
    for order in reversed(settings["sort"]):
        column, down = order["columnId"], order["mode"] == "DESC"
        shown.sort(key=lambda row, column=column: rank(cells[row["id"]].get(column)), reverse=down)
    return store, shown


def add_view(access: Access, table: int, title: str, settings: dict[str, Any]) -> int:
    """A new view; its number."""
    made = {**_NEW, **settings}
    uuid = new_uuid(access.store)
    return access.store.insert("data_views", table_id=table, uuid=uuid, title=title, settings=made, **access.signed())


def _view(call: Call, right: str = "read") -> tuple[Access, sqlite3.Row]:
    access = Access(call)
    view = call.store.one("SELECT * FROM data_views WHERE id = ?", call.number("viewId"))
    if view is None:
        raise nothing(404)
    table = cast("sqlite3.Row", call.store.one("SELECT * FROM data_tables WHERE id = ?", view["table_id"]))
    rights = access.view_rights(view, table)
    if right not in rights:
        raise nothing(403 if rights else 404)
    return access, view


@routes.page("POST", f"{V1}/tables/{{tableId}}/views")
def create_view(call: Call) -> Response:
    """A new view, which shows all."""
    title = call.arguments.get("title")
    if not isinstance(title, str):
        raise bad_argument()
    access = Access(call)
    table = access.table(call.arguments["tableId"], "manage")
    number = add_view(access, table["id"], title, {"emoji": call.arguments.get("emoji")})
    made = call.store.all("SELECT * FROM data_views WHERE id = ?", number)[0]
    return json_response(describe(access, made, fresh=True))


@routes.page("GET", f"{V1}/tables/{{tableId}}/views")
def list_views(call: Call) -> Response:
    """The views of a table."""
    access = Access(call)
    return json_response(described_views(access, access.table(call.arguments["tableId"])))


@routes.page("GET", f"{V1}/views/{{viewId}}")
def get_view(call: Call) -> Response:
    return json_response(describe(*_view(call)))


@routes.page("PUT", "/apps/tables/view/{viewId}")
@routes.page("PUT", f"{V1}/views/{{viewId}}")
def update_view(call: Call) -> Response:
    """Change what is given below `data`; lists as JSON texts, and the old list of columns, are errors of the server."""
    data = call.arguments.get("data")
    if not isinstance(data, dict):
        raise bad_argument()
    given = cast("dict[str, Any]", data)
    access, view = _view(call, "manage")
    if given.get("columns") or any(isinstance(given.get(key), str) for key in _LISTS):
        return page("Internal Server Error", 500)
    settings = read_column(view["settings"])
    settings |= {key: given[key] for key in _NEW if given.get(key) is not None}
    plain = {"readonly": False, "mandatory": False}
    settings["columnSettings"] = [plain | entry for entry in settings["columnSettings"]]
    title = given.get("title") or view["title"]
    access.store.update("data_views", view["id"], title=title, settings=settings, **access.edited())
    return get_view(call)


@routes.page("DELETE", f"{V1}/views/{{viewId}}")
def delete_view(call: Call) -> Response:
    """Delete a view; the rows stay."""
    access, view = _view(call, "manage")
    answer = describe(access, view, fresh=True)
    call.store.run("DELETE FROM data_shares WHERE node_type = 'view' AND node_id = ?", view["id"])
    call.store.run("DELETE FROM data_views WHERE id = ?", view["id"])
    return json_response(answer)


def _columns(view: sqlite3.Row) -> dict[int, dict[str, Any]] | None:
    """What a view says of its columns; None where it shows all."""
    chosen = sorted(read_column(view["settings"])["columnSettings"], key=lambda entry: entry.get("order", 0))
    return {entry["columnId"]: entry for entry in chosen} or None


@routes.page("GET", f"{V1}/views/{{viewId}}/rows")
def list_rows(call: Call) -> Response:
    """Some or all rows of a view, with the columns that it shows."""
    access, view = _view(call)
    store, rows = rows_of(access, view)
    return json_response(store.described(page_rows(call, rows), _columns(view)))


@routes.page("GET", f"{V1}/views/{{viewId}}/columns")
def list_columns(call: Call) -> Response:
    """The columns of a view, in its order."""
    access, view = _view(call)
    chosen = _columns(view)
    known = {column["id"]: column for column in column_routes.columns_of(access, view["table_id"])}
    wanted = dict.fromkeys(known) if chosen is None else chosen
    return json_response(
        [column_routes.describe(access, known[number], entry) for number, entry in wanted.items() if number in known]
    )


@routes.page("POST", f"{V1}/views/{{viewId}}/rows")
def create_row(call: Call) -> Response:
    """A new row by way of a view: what is read-only in it is dropped without a word."""
    access, view = _view(call, "create")
    chosen = _columns(view)
    data: dict[str, Any] = {}
    for key, value in given_data(call, "Could not create row.").items():
        if chosen is not None and to_int(key) not in chosen:
            raise api_refusal(500, f"Column with id {to_int(key)} is not part of view with id {view['id']}")
        if chosen is None or not chosen[to_int(key)]["readonly"]:
            data[key] = value
    number, cells = RowStore(access, view["table_id"]).add(data)
    return json_response(describe_new(view["table_id"], number, cells))
