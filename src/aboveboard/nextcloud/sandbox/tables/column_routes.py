"""Columns: an update is a full replacement but for a few settings, and lists come in as JSON texts."""

import json
import sqlite3
from typing import Any, cast

from aboveboard.nextcloud.sandbox.calls import Call, Routes
from aboveboard.nextcloud.sandbox.ocs import OcsError
from aboveboard.nextcloud.sandbox.tables.access import Access, api_refusal, new_uuid, none_found, stamps
from aboveboard.nextcloud.sandbox.tables.table_facts import read_column
from aboveboard.nextcloud.sandbox.tables.view_settings import without_column
from aboveboard.nextcloud.sandbox.wire import Halt, bad_argument, json_response
from aboveboard.sandbox.wire import Response

V1, V2 = "/apps/tables/api/1", "/apps/tables/api/2"
TYPES = ("text", "number", "datetime", "selection", "usergroup", "relation")
_PLAIN = (
    *("description", "numberDefault", "numberMin", "numberMax", "numberDecimals"),
    *("textDefault", "textAllowedPattern", "textMaxLength", "textUnique", "datetimeDefault"),
    *("usergroupMultipleItems", "usergroupSelectUsers", "usergroupSelectGroups", "usergroupSelectTeams"),
)
"""What an update clears where it is not given."""
_TEXTS = frozenset(("description", "textDefault", "textAllowedPattern", "datetimeDefault"))
_FLAGS = ("textUnique", *_PLAIN[-4:], "showUserStatus")
_STORED = {**dict.fromkeys(_FLAGS, False), "numberDecimals": 0}
"""What the database puts in the place of what a new column leaves out."""

routes = Routes()


def describe(access: Access, column: sqlite3.Row, information: object = None) -> dict[str, Any]:
    """A column with all its settings."""
    number = column["id"]
    return {
        "id": number,
        "uuid": column["uuid"],
        "tableId": column["table_id"],
        "title": column["title"],
        "technicalName": f"column_{number}",
        **stamps(column),
        "createdByDisplayName": access.name_of(column["created_by"]),
        "lastEditByDisplayName": access.name_of(column["edited_by"]),
        "viewColumnInformation": information,
        **read_column(column["settings"]),
    }


def columns_of(access: Access, table: int) -> list[sqlite3.Row]:
    return access.store.all("SELECT * FROM data_columns WHERE table_id = ? ORDER BY id", table)


def described_columns(access: Access, table: int) -> list[dict[str, Any]]:
    """The columns of a table, in full."""
    return [describe(access, column) for column in columns_of(access, table)]


def add_column(access: Access, table: int, title: str, settings: dict[str, Any]) -> sqlite3.Row:
    """A new column; a title that is taken gets a number."""
    taken = {column["title"] for column in columns_of(access, table)}
    free, count = title, 0
    while free in taken:
        count += 1
        free = f"{title} ({count})"
    kept = {key: _STORED.get(key) if value is None else value for key, value in settings.items()}
    number = access.store.insert(
        "data_columns",
        table_id=table,
        uuid=new_uuid(access.store),
        title=free,
        settings=kept,
        **access.signed(),
    )
    return cast("sqlite3.Row", access.store.one("SELECT * FROM data_columns WHERE id = ?", number))


def new_settings(kind: str, given: dict[str, Any], *, version: int = 1) -> dict[str, Any]:
    """The settings of a new column, in the words of a request."""
    settings: dict[str, Any] = {
        "type": kind,
        "subtype": given.get("subtype") or "",
        "mandatory": bool(given.get("mandatory")),
        **{key: given.get(key) for key in _PLAIN},
        "numberPrefix": given.get("numberPrefix") or "",
        "numberSuffix": given.get("numberSuffix") or "",
        "selectionOptions": _decoded(given.get("selectionOptions")) or [],
        "selectionDefault": _default(given.get("selectionDefault")),
        "usergroupDefault": _decoded(given.get("usergroupDefault")) or [],
        "showUserStatus": given.get("usergroupShowUserStatus" if version == 1 else "showUserStatus"),
        "customSettings": given.get("customSettings") or {},
    }
    settings["description"] = settings["description"] or ""
    if version == 1:
        settings["datetimeDefault"] = settings["datetimeDefault"] or ""
    elif kind == "text":
        settings["textUnique"] = bool(settings["textUnique"])
    return settings


def _decoded(text: object) -> Any:
    """A list that came as a JSON text; a list as such is refused."""
    if text in (None, ""):
        return None
    if not isinstance(text, str):
        raise bad_argument()
    try:
        return json.loads(text)
    except ValueError:
        raise bad_argument() from None


def _default(text: object) -> str:
    value = _decoded(text)
    if isinstance(value, list):
        value = [int(one) for one in cast("list[Any]", value)]
    return json.dumps(value, separators=(",", ":"))


def _checked(given: dict[str, Any]) -> dict[str, Any]:
    """The arguments, none of a wrong type."""
    for name in (*_TEXTS, "numberPrefix", "numberSuffix", "subtype"):
        if not isinstance(given.get(name), str | None):
            raise bad_argument()
    return given


@routes.page("POST", f"{V1}/tables/{{tableId}}/columns")
def create_v1(call: Call) -> Response:
    """A new column of any type."""
    given = _checked(call.arguments)
    title, kind = given.get("title"), given.get("type")
    if not (isinstance(title, str) and isinstance(kind, str) and given.get("mandatory") is not None):
        raise bad_argument()
    if kind not in TYPES:
        raise api_refusal(400, f'"{kind}" is not a valid backing value for enum OCA\\Tables\\Constants\\ColumnType')
    access = Access(call)
    table = access.table(given["tableId"], "manage")
    settings = new_settings(kind, given)
    made = add_column(access, table["id"], title, settings)
    # The answer is what was sent; only the next one knows what the database made of it.
    return json_response({**describe(access, made), **settings})


def _create_v2(call: Call, kind: str) -> dict[str, Any]:
    given = _checked(call.arguments)
    title, access = given.get("title"), Access(call)
    if not isinstance(title, str):
        raise bad_argument()
    try:
        table = access.table(given.get("baseNodeId"), "manage")
    except Halt:
        raise OcsError(500, "Internal Server Error\n", code=996) from None
    settings = new_settings(kind, given, version=2)
    return {**describe(access, add_column(access, table["id"], title, settings)), **settings}


for _kind in TYPES[:-1]:

    def _create(call: Call, kind: str = _kind) -> dict[str, Any]:
        return _create_v2(call, kind)

    routes.ocs("POST", f"{V2}/columns/{_kind}")(_create)


def _readable(call: Call) -> tuple[Access, int]:
    access, number = Access(call), call.number("tableId")
    try:
        access.table(number)
    except Halt:
        raise api_refusal(403, f"no read access to table id = {number}") from None
    return access, number


@routes.page("GET", f"{V1}/tables/{{tableId}}/columns")
def list_v1(call: Call) -> Response:
    """The columns of a table; one that is not there cannot be told from one that is not shared."""
    return json_response(described_columns(*_readable(call)))


@routes.ocs("GET", f"{V2}/columns/table/{{tableId}}")
def list_v2(call: Call) -> list[dict[str, Any]]:
    """The same."""
    return described_columns(*_readable(call))


def _column(call: Call, missing: Halt, right: str) -> tuple[Access, sqlite3.Row]:
    access = Access(call)
    column = call.store.one("SELECT * FROM data_columns WHERE id = ?", call.number("columnId"))
    if column is None:
        raise missing
    try:
        access.table(column["table_id"], right)
    except Halt:
        raise api_refusal(403, f"PermissionError: can not {right} column with id {column['id']}") from None
    return access, column


@routes.page("GET", f"{V1}/columns/{{columnId}}")
def get_column(call: Call) -> Response:
    access, column = _column(call, none_found(404, "columns"), "read")
    return json_response(describe(access, column))


@routes.page("PUT", f"{V1}/columns/{{columnId}}")
def update_column(call: Call) -> Response:
    """Replace a column's settings: what is not given is cleared, but for those that are kept."""
    access, column = _column(call, none_found(500, "columns"), "manage")
    given, old = _checked(call.arguments), read_column(column["settings"])
    new: dict[str, Any] = {**old, **{key: given.get(key) for key in _PLAIN}}
    new["showUserStatus"] = given.get("usergroupShowUserStatus")
    new["customSettings"] = given.get("customSettings") or {}
    for key in ("subtype", "mandatory", "numberPrefix", "numberSuffix"):
        if given.get(key) is not None:
            new[key] = given[key]
    if given.get("selectionDefault") is not None:
        new["selectionDefault"] = _default(given["selectionDefault"])
        new["selectionOptions"] = _decoded(given.get("selectionOptions")) if new["type"] == "selection" else []
    if given.get("selectionOptions") is not None:
        new["selectionOptions"] = _decoded(given["selectionOptions"])
    if given.get("usergroupDefault") is not None:
        new["usergroupDefault"] = _decoded(given["usergroupDefault"])
    title = given.get("title") or column["title"]
    access.store.update("data_columns", column["id"], title=title, settings=new, **access.edited())
    return get_column(call)


@routes.page("DELETE", f"{V1}/columns/{{columnId}}")
def delete_column(call: Call) -> Response:
    """Delete a column with its cells; views forget it, and show more where they filtered by it."""
    missing = none_found(404, "columns", "OCA\\Tables\\Service\\ColumnService - delete: ")
    access, column = _column(call, missing, "manage")
    for view in access.store.all("SELECT * FROM data_views WHERE table_id = ?", column["table_id"]):
        access.store.update(
            "data_views", view["id"], settings=without_column(read_column(view["settings"]), column["id"])
        )
    access.store.run("DELETE FROM data_columns WHERE id = ?", column["id"])
    return json_response(describe(access, column))


def any_column(access: Access, table: int, number: int, node: str = "table", node_id: int = 0) -> sqlite3.Row:
    """A column by its id, in the words of the row routes where it is not one of them."""
    found = access.store.one("SELECT * FROM data_columns WHERE id = ? AND table_id = ?", number, table)
    if found is None:
        raise api_refusal(500, f"Column with id {number} is not part of {node} with id {node_id or table}")
    return found
