"""Tables themselves: list, make, change, delete, star; the first API and the second answer alike, but for envelopes."""

import sqlite3
from typing import Any

from aboveboard.nextcloud.sandbox.calls import Call, Routes
from aboveboard.nextcloud.sandbox.ocs import NOTHING, OcsError
from aboveboard.nextcloud.sandbox.tables.access import NODES, RIGHTS, TABLE, Access, api_refusal, nothing, stamps
from aboveboard.nextcloud.sandbox.tables.column_routes import described_columns
from aboveboard.nextcloud.sandbox.tables.templates import greet, make_template
from aboveboard.nextcloud.sandbox.tables.view_routes import described_views
from aboveboard.nextcloud.sandbox.wire import bad_argument, json_response, page
from aboveboard.sandbox.wire import Response

LONGEST_TITLE = 200
V1, V2 = "/apps/tables/api/1", "/apps/tables/api/2"

routes = Routes()


def describe(access: Access, table: sqlite3.Row) -> dict[str, Any]:
    """A table with its views, as its reader may see it."""
    own, rights, number = table["owner"] == access.uid, access.rights(table), table["id"]
    return {
        **_head(access, table),
        "isShared": not own,
        "favorite": access.favorite(TABLE, number),
        "onSharePermissions": {right: right == "read" if own else right in rights for right in RIGHTS},
        "hasShares": access.has_shares("table", number) and "manage" in rights,
        "rowsCount": access.count("rows", number),
        "columnsCount": access.count("columns", number),
        "views": described_views(access, table),
    }


def _head(access: Access, table: sqlite3.Row) -> dict[str, Any]:
    return {
        "id": table["id"],
        "title": table["title"],
        "emoji": table["emoji"],
        "ownership": table["owner"],
        "ownerDisplayName": access.name_of(table["owner"]),
        **stamps(table),
        "archived": bool(table["archived"]),
        "description": table["description"],
        "columnOrder": [],
        "sort": [],
    }


def _listed(call: Call) -> list[dict[str, Any]]:
    access = Access(call)
    greet(access)
    return [describe(access, table) for table in access.tables()]


@routes.page("GET", f"{V1}/tables")
def list_v1(call: Call) -> Response:
    """All tables that someone may see; whoever comes for the first time gets one that explains."""
    return json_response(_listed(call))


@routes.ocs("GET", f"{V2}/tables", public=True)
def list_v2(call: Call) -> object:
    """The same; who is not logged in gets nothing at all, and is not told why."""
    return Response(200) if call.caller is None else _listed(call)


@routes.ocs("GET", f"{V2}/init")
def init(call: Call) -> dict[str, Any]:
    """The tables, and the views of other people's tables that are shared alone."""
    tables, access = _listed(call), Access(call)
    shown = {table["id"] for table in tables}
    others = [table for table in call.store.all("SELECT * FROM data_tables ORDER BY id") if table["id"] not in shown]
    return {"tables": tables, "views": [view for table in others for view in described_views(access, table)]}


def _created(call: Call) -> dict[str, Any]:
    title = call.arguments.get("title")
    if not isinstance(title, str):
        raise bad_argument()
    if not title:
        raise api_refusal(400, "Title is missing.")
    if len(title.encode()) > LONGEST_TITLE:
        raise api_refusal(400, f"Title exceed maximum length of {LONGEST_TITLE} bytes")
    access = Access(call)
    number = call.store.insert(
        "data_tables",
        title=title,
        emoji=call.arguments.get("emoji"),
        description=call.text("description"),
        archived=0,
        owner=call.uid,
        **access.signed(),
    )
    make_template(access, number, call.text("template"))
    return describe(access, access.table(number))


def _changed(call: Call, name: str, *, archived: bool | None) -> dict[str, Any]:
    """Change what is given; null is nothing given."""
    access = Access(call)
    table = access.table(call.arguments[name], "manage")
    given: dict[str, object] = {
        key: call.text(key) for key in ("title", "emoji", "description") if call.arguments.get(key) is not None
    }
    if archived is not None:
        given["archived"] = archived
    call.store.update("data_tables", table["id"], **given, **access.edited())
    return describe(access, access.table(table["id"]))


def _deleted(call: Call, name: str) -> dict[str, Any]:
    access = Access(call)
    table = access.table(call.arguments[name], "manage")
    call.store.run("DELETE FROM data_shares WHERE node_type = 'table' AND node_id = ?", table["id"])
    call.store.run("DELETE FROM data_tables WHERE id = ?", table["id"])
    no = dict.fromkeys(("isShared", "favorite", "hasShares"), False)
    gone: dict[str, Any] = {
        "rowsCount": 0,
        "columnsCount": 0,
        "views": [],
        "onSharePermissions": None,
        "ownerDisplayName": "",
    }
    return {**_head(access, table), **no, **gone}


@routes.page("POST", f"{V1}/tables")
def create_v1(call: Call) -> Response:
    """A new table."""
    return json_response(_created(call))


@routes.ocs("POST", f"{V2}/tables")
def create_v2(call: Call) -> dict[str, Any]:
    """A new table, with a description."""
    return _created(call)


@routes.ocs("POST", f"{V2}/tables/scheme")
def create_from_scheme(call: Call) -> dict[str, Any]:
    """A new table like another one; of the scheme, only what the table itself is called is taken here."""
    return _created(call)


@routes.page("GET", f"{V1}/tables/{{tableId}}")
def get_v1(call: Call) -> Response:
    """One table; a word in the place of its id is an error of the server."""
    if not str(call.arguments["tableId"]).isdecimal():
        return page("Internal Server Error", 500)
    access = Access(call)
    return json_response(describe(access, access.table(call.arguments["tableId"])))


@routes.ocs("GET", f"{V2}/tables/{{id}}")
def get_v2(call: Call) -> dict[str, Any]:
    """One table."""
    access = Access(call)
    return describe(access, access.table(call.arguments["id"]))


@routes.page("PUT", f"{V1}/tables/{{tableId}}")
def update_v1(call: Call) -> Response:
    """Change a table; where nothing is said of it, it is no longer archived."""
    return json_response(_changed(call, "tableId", archived=call.flag("archived")))


@routes.ocs("PUT", f"{V2}/tables/{{id}}")
def update_v2(call: Call) -> dict[str, Any]:
    """Change a table; what is not given stays."""
    given = call.arguments.get("archived") is not None
    return _changed(call, "id", archived=call.flag("archived") if given else None)


@routes.page("DELETE", f"{V1}/tables/{{tableId}}")
def delete_v1(call: Call) -> Response:
    """Delete a table with all that is in it."""
    return json_response(_deleted(call, "tableId"))


@routes.ocs("DELETE", f"{V2}/tables/{{id}}")
def delete_v2(call: Call) -> dict[str, Any]:
    """The same."""
    return _deleted(call, "id")


@routes.page("GET", f"{V1}/tables/{{tableId}}/scheme")
def scheme_v1(call: Call) -> Response:
    """What a table is made of, without its rows."""
    access = Access(call)
    table = access.table(call.arguments["tableId"])
    known = describe(access, table)
    kept = ("title", "emoji", "views", "description", "columnOrder", "sort")
    columns = described_columns(access, table["id"])
    scheme = {**{key: known[key] for key in kept}, "columns": columns, "tablesVersion": "2.2.2"}
    return json_response(scheme, headers={"content-disposition": f'attachment; filename="{table["title"]}.json"'})


@routes.ocs("GET", f"{V2}/tables/scheme/{{id}}")
def scheme_v2(_: Call) -> object:
    """The second API has a defect here."""
    raise OcsError(500, "Internal Server Error\n", code=996)


def _starred(call: Call) -> tuple[object, ...]:
    kind = call.number("nodeType")
    if kind not in NODES.values():
        raise nothing(400)
    return call.uid, kind, call.number("nodeId")


@routes.ocs("POST", f"{V2}/favorites/{{nodeType}}/{{nodeId}}")
def star(call: Call) -> list[object]:
    """Star a table or a view, for oneself."""
    call.store.run("INSERT OR IGNORE INTO data_favorites VALUES (?, ?, ?)", *_starred(call))
    return NOTHING


@routes.ocs("DELETE", f"{V2}/favorites/{{nodeType}}/{{nodeId}}")
def unstar(call: Call) -> list[object]:
    """Take a star away."""
    sql = "DELETE FROM data_favorites WHERE uid = ? AND node_type = ? AND node_id = ?"
    call.store.run(sql, *_starred(call))
    return NOTHING


@routes.ocs("GET", f"{V2}/contexts")
def contexts(_: Call) -> list[object]:
    """The applications made of tables: there are none."""
    return NOTHING
