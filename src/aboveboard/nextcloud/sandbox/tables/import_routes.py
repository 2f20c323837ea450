"""Import of a CSV file that is among the person's files: columns by title, and a count of what was done."""

import csv
import io

from aboveboard.nextcloud.sandbox.calls import Call, Routes
from aboveboard.nextcloud.sandbox.tables.access import Access, api_refusal
from aboveboard.nextcloud.sandbox.tables.column_routes import add_column, columns_of, new_settings
from aboveboard.nextcloud.sandbox.tables.row_store import RowStore
from aboveboard.nextcloud.sandbox.wire import Halt, json_response, page
from aboveboard.sandbox.wire import Response

V1 = "/apps/tables/api/1"
_COUNTS = ("found_columns", "matching_columns", "created_columns", "inserted_rows", "updated_rows", "errors_parsing")

routes = Routes()


@routes.page("POST", f"{V1}/import/table/{{tableId}}")
def import_file(call: Call) -> Response:
    """Add a row for each line; a column that is missing is made, or else it is an error of the server."""
    access = Access(call)
    table = access.table(call.arguments["tableId"], "create")["id"]
    lines = _lines(call)
    counts: dict[str, int] = {}
    if lines:
        known = {column["title"]: column["id"] for column in columns_of(access, table)}
        missing = [title for title in lines[0] if title not in known]
        if missing and not call.flag("createMissingColumns"):
            raise Halt(page("Internal Server Error", 500))
        for title in missing:
            known[title] = add_column(access, table, title, new_settings("text", {"subtype": "line"}))["id"]
        rows = RowStore(access, table)
        for line in lines[1:]:
            rows.add({str(known[title]): value for title, value in zip(lines[0], line, strict=False)})
        found = len(lines[0])
        counts = {
            "found_columns": found,
            "matching_columns": found - len(missing),
            "created_columns": len(missing),
            "inserted_rows": len(lines) - 1,
        }
    return json_response({f"{name}_count": counts.get(name, 0) for name in (*_COUNTS, "errors")})


@routes.page("POST", f"{V1}/import/views/{{viewId}}")
def import_into_view(_: Call) -> Response:
    """Never seen to work."""
    return page("Internal Server Error", 500)


def _lines(call: Call) -> list[list[str]]:
    files = call.files()
    place = files.find(call.text("path"))
    if place is None:
        raise api_refusal(404, "File for import could not be found.")
    text = files.tree.content(place.node).decode("utf-8-sig", "replace")
    return list(csv.reader(io.StringIO(text))) if place.name.endswith(".csv") else []
