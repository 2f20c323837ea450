"""The published contract of the Tables app, which what our client sends and what our sandbox answers is held to.

Its document is made from the types of the app's source, which say less than they mean, and in places something else
than the app does: what recordings show to be otherwise is put right here, each with where it is recorded.
"""

from collections.abc import Iterator
from typing import Any, Final, cast

from tests.contract import Contract, Schema
from tests.shared import SHARED

OPENAPI: Final = SHARED / "data" / "nextcloud-tables-openapi.json"
_V1: Final = "/index.php/apps/tables/api/1"
_V2: Final = "/ocs/v2.php/apps/tables/api/2"


def _mend(document: Schema) -> None:
    for schema in _inside(document):
        # What may be anything is called an object.
        if schema.get("type") == "object" and not schema.keys() & {"properties", "additionalProperties", "$ref"}:
            del schema["type"]
    schemas = document["components"]["schemas"]
    _mend_rows(schemas["Row"])
    _mend_columns(schemas["Column"])
    schemas["View"]["required"].remove("dataByAlias")  # tables: views-shares-import/view-get
    schemas["Share"]["required"].remove("createdBy")  # tables: views-shares-import/share-table-bob-read
    schemas["Share"]["properties"]["receiverDisplayName"]["nullable"] = True  # objects: context-and-share/share-get
    paths = document["paths"]
    simple = paths[f"{_V1}/tables/{{tableId}}/rows/simple"]["get"]["responses"]["200"]
    simple["content"]["application/json"]["schema"]["items"] = {"type": "array"}  # tables: rows/list-simple
    for path in (f"{_V1}/tables/{{tableId}}/columns", f"{_V1}/columns"):
        kinds = _body(paths[path]["post"])["properties"]["type"]["enum"]
        kinds[kinds.index("select")] = "selection"  # tables: columns/create-select
    del _body(paths[f"{_V1}/columns/{{columnId}}"]["put"])["required"]  # tables: columns/update-title-only
    for kind in (
        "text",
        "number",
        "selection",
        "datetime",
    ):  # tables: columns/create-v2-text, objects: columns/create-v2-number-full
        del _body(paths[f"{_V2}/columns/{kind}"]["post"])["properties"]["subtype"]["enum"]


def _mend_rows(row: Schema) -> None:
    cells = row["properties"]["data"]
    entry = {key: value for key, value in cells.items() if key != "nullable"}
    row["properties"]["data"] = {"type": "array", "items": entry}  # tables: rows/get
    by_name = row["properties"]["dataByAlias"]
    row["properties"]["dataByAlias"] = {"anyOf": [by_name, {"type": "array"}]}  # objects: rows/create-empty
    for name in ("createdBy", "createdAt", "lastEditBy", "lastEditAt"):
        row["properties"][name]["nullable"] = True  # tables: rows/create-full-v1


def _mend_columns(column: Schema) -> None:
    column["required"].remove("orderWeight")  # tables: columns/get
    del column["properties"]["customSettings"]["required"]  # tables: columns/get
    for name, schema in column["properties"].items():
        if name in {"selectionOptions", "usergroupDefault"}:
            schema["type"] = "array"  # tables: columns/get
        if name not in {"id", "tableId", "title", "type", "mandatory"}:
            schema["nullable"] = True  # tables: columns/update-title-only


def _body(operation: Schema) -> Schema:
    return operation["requestBody"]["content"]["application/json"]["schema"]


def _inside(value: Any) -> Iterator[Schema]:
    if isinstance(value, dict):
        known = cast("Schema", value)
        yield known
        for inner in known.values():
            yield from _inside(inner)
    elif isinstance(value, list):
        for inner in cast("list[Any]", value):
            yield from _inside(inner)


CONTRACT: Final = Contract("Tables", OPENAPI, mended=_mend)
