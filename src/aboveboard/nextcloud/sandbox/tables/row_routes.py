"""Rows: made by either API, listed, read, changed and deleted by the first one."""

import json
import sqlite3
from collections.abc import Callable
from typing import Any, cast

from aboveboard.nextcloud.sandbox.calls import Call, Routes, to_int
from aboveboard.nextcloud.sandbox.ocs import OcsError
from aboveboard.nextcloud.sandbox.tables.access import Access, api_refusal, none_found, nothing
from aboveboard.nextcloud.sandbox.tables.column_routes import columns_of
from aboveboard.nextcloud.sandbox.tables.row_store import RowStore, describe_new
from aboveboard.nextcloud.sandbox.wire import Halt, json_response, page
from aboveboard.sandbox.wire import Response

V1, V2 = "/apps/tables/api/1", "/apps/tables/api/2"
_SOMETHING = (
    "An unexpected error occurred. More details can be found in the logs. Please reach out to your administration."
)

routes = Routes()


def given_data(call: Call, problem: str) -> dict[str, Any]:
    """The cells of a request: a map, the same as a JSON text, or a list, whose places count as ids."""
    data = call.arguments.get("data")
    if isinstance(data, str):
        data = json.loads(data)
    if isinstance(data, list):
        return {str(place): value for place, value in enumerate(cast("list[Any]", data))}
    if not isinstance(data, dict):
        raise api_refusal(500, problem)
    return {str(key): value for key, value in cast("dict[str, Any]", data).items()}


@routes.page("POST", f"{V1}/tables/{{tableId}}/rows")
def create_v1(call: Call) -> Response:
    """A new row."""
    access = Access(call)
    table = access.table(call.arguments["tableId"], "create")["id"]
    data = {str(to_int(key)): value for key, value in given_data(call, "Could not create row.").items()}
    number, cells = RowStore(access, table).add(data)
    return json_response(describe_new(table, number, cells))


@routes.ocs("POST", f"{V2}/tables/{{nodeId}}/rows")
def create_v2(call: Call) -> dict[str, Any]:
    """A new row; what the first API explains, this one does not."""
    access, number = Access(call), call.number("nodeId")
    table = access.table(number)
    if "create" not in access.rights(table):
        raise OcsError(403, f"User {call.uid} cannot create rows on node {number} (type 0)")
    try:
        data = {str(to_int(key)): value for key, value in given_data(call, "").items()}
        row, cells = RowStore(access, number).add(data)
    except Halt as halt:
        known = halt.response.status == 400
        data = json.loads(halt.response.body) if known else {"message": _SOMETHING}
        raise OcsError(halt.response.status, data=data) from None
    return describe_new(number, row, cells)


def page_rows(call: Call, rows: list[sqlite3.Row]) -> list[sqlite3.Row]:
    """A page of rows; a limit that is no number, or none at all, is an error of the server."""
    start = call.number("offset")
    if "limit" not in call.arguments:
        return rows[start:]
    limit = to_int(call.arguments["limit"])
    if limit < 1:
        raise Halt(page("Internal Server Error", 500))
    return rows[start : start + limit]


@routes.page("GET", f"{V1}/tables/{{tableId}}/rows")
def list_rows(call: Call) -> Response:
    """Some or all rows of a table."""
    access = Access(call)
    rows = RowStore(access, access.table(call.arguments["tableId"])["id"])
    return json_response(rows.described(page_rows(call, rows.all())))


@routes.page("GET", f"{V1}/tables/{{tableId}}/rows/simple")
def list_simple(call: Call) -> Response:
    """The titles of the columns, then the values of the rows."""
    access = Access(call)
    table = access.table(call.arguments["tableId"])["id"]
    columns, rows = columns_of(access, table), RowStore(access, table)
    some = page_rows(call, rows.all())
    cells = rows.cells(some)
    values = [[cells[row["id"]].get(column["id"], "") for column in columns] for row in some]
    return json_response([[column["title"] for column in columns], *values])


def _row(call: Call, missing: Halt, refusal: Callable[[int], Halt], right: str) -> tuple[RowStore, sqlite3.Row]:
    access, number = Access(call), call.number("rowId")
    row = call.store.one("SELECT * FROM data_rows WHERE id = ?", number)
    if row is None:
        raise missing
    try:
        access.table(row["table_id"], right)
    except Halt:
        raise refusal(number) from None
    return RowStore(access, row["table_id"]), row


def _missing(status: int, where: str) -> Halt:
    return none_found(status, "row_sleeves", f"OCA\\Tables\\Service\\RowService - {where}: ")


@routes.page("GET", f"{V1}/rows/{{rowId}}")
def get_row(call: Call) -> Response:
    rows, row = _row(
        call,
        _missing(404, "find"),
        lambda number: api_refusal(403, f"PermissionError: can not read row with id {number}"),
        "read",
    )
    return json_response(rows.described([row])[0])


@routes.page("PUT", f"{V1}/rows/{{rowId}}")
def update_row(call: Call) -> Response:
    """Write some cells of a row."""
    missing = _missing(500, "updateSet: OCA\\Tables\\Service\\RowService - getRowById")
    rows, row = _row(call, missing, lambda _: nothing(404), "update")
    data = {str(to_int(key)): value for key, value in given_data(call, "Could not update row.").items()}
    given = rows.change(row["id"], data)
    changed = call.store.all("SELECT * FROM data_rows WHERE id = ?", row["id"])
    answer = rows.described(changed)[0]
    for column, value in given.items():
        if value == [] and f"column_{column}" not in answer["dataByAlias"]:
            # People that were just taken out are still named as nobody.
            entry: dict[str, Any] = {"columnId": column, "value": []}
            answer["data"].append(entry)
            answer["dataByAlias"] = {**(answer["dataByAlias"] or {}), f"column_{column}": entry}
    return json_response(answer)


@routes.page("DELETE", f"{V1}/rows/{{rowId}}")
def delete_row(call: Call) -> Response:
    """Delete a row; there is no bin."""
    missing = _missing(500, "delete: OCA\\Tables\\Service\\RowService - getRowById")
    rows, row = _row(call, missing, lambda _: nothing(404), "delete")
    answer = rows.described([row])[0]
    call.store.run("DELETE FROM data_rows WHERE id = ?", row["id"])
    return json_response(answer)
