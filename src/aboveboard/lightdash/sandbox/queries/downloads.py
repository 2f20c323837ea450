"""Results to take away: a job writes the file, and only its owner can fetch it."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from aboveboard.lightdash.sandbox import contracts
from aboveboard.lightdash.sandbox.contracts import UNDEFINED, Object, OneOf, Optional, Union
from aboveboard.lightdash.sandbox.explores import explores
from aboveboard.lightdash.sandbox.queries import runs
from aboveboard.lightdash.sandbox.queries.spreadsheets import csv_file, xlsx_file
from aboveboard.lightdash.sandbox.routes import Call, Routes, as_uuid, is_uuid
from aboveboard.lightdash.sandbox.schedules import scheduler_jobs
from aboveboard.lightdash.sandbox.wire import ServiceError, etag, missing
from aboveboard.sandbox.table import Table
from aboveboard.sandbox.wire import Response

FILES_TABLE = Table(
    "files",
    "id TEXT PRIMARY KEY, user TEXT, name TEXT, type TEXT, content BLOB",
    unseen={"content"},
)

routes = Routes()

_TYPES = ("csv", "image", "jsonl", "s3_jsonl", "xlsx")
_MEDIA = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_BAD_UUID = (
    'select * from "query_history" where "query_uuid" = $1 and "project_uuid" = $2 and "created_by_user_uuid" = $3'
    ' limit $4 - invalid input syntax for type uuid: "{}"'
)


@routes.post("/api/v2/projects/{project}/query/{query}/schedule-download")
def schedule_download(call: Call) -> object:
    """Start writing a file; whether there is anything to write shows in the job alone."""
    options = contracts.read(call.body, Object(type=Optional(Union(OneOf(*_TYPES), UNDEFINED))))
    kind = options.get("type", "csv")
    project = call.uuid("project")
    try:
        details = _write(call, project, kind, raw=bool(options.get("onlyRaw")))
    except ServiceError as error:
        return {"jobId": scheduler_jobs.start(call, project, error=error.message)}
    return {"jobId": scheduler_jobs.start(call, project, details)}


@routes.get("/api/v1/file/{file}", public=True)
def get_file(call: Call) -> object:
    """A file, for whoever had it written; for anybody else it is not there."""
    token = call.headers.get("authorization", "").removeprefix("ApiKey ")
    row = call.store.one(
        "SELECT files.* FROM files JOIN tokens ON tokens.user = files.user WHERE id = ? AND token = ?",
        call.params["file"],
        token,
    )
    if row is None:
        raise missing("Cannot find file")
    name = row["name"]
    disposition = f"attachment; filename=\"{name}\"; filename*=UTF-8''{name}"
    headers = {"content-type": row["type"], "content-disposition": disposition, "etag": etag(row["content"])}
    return Response(200, headers, row["content"])


def _write(call: Call, project: str, kind: str, *, raw: bool) -> dict[str, object]:
    row = call.store.one("SELECT * FROM projects WHERE uuid = ?", project)
    if row and row["organization"] != call.user["organization"]:
        raise ServiceError(403, "ForbiddenError", "You don't have access to this resource or action")
    name = call.params["query"]
    if not is_uuid(name):
        raise ServiceError(500, "DatabaseError", _BAD_UUID.format(name))
    query = runs.find_by(call.store, project, as_uuid(name), call.user["uuid"])
    result = runs.result_of(call.store, query["uuid"])
    if result is None:
        raise ServiceError(404, "NotFoundError", f"Result file not found for query {name}")
    stamp = call.store.clock().strftime("%Y-%m-%d-%H-%M-%S-0000")
    cache = hashlib.sha256(query["request"].encode()).hexdigest()
    if kind in {"jsonl", "s3_jsonl"}:
        return {"fileUrl": _stored(cache)}
    request = json.loads(query["request"])
    header = [_label(call, project, request, column) for column in result.columns]
    cells = [[_shown(cell, raw=raw) for cell in line] for line in result.rows]
    content = xlsx_file(header, cells) if kind == "xlsx" else csv_file(header, cells)
    identity = call.store.new_uuid().replace("-", "")[:21]
    call.store.insert(
        "files",
        id=identity,
        user=call.user["uuid"],
        name=f"{kind}-{cache}-{identity}-{stamp}.{kind}",
        type=_MEDIA.get(kind, _MEDIA["csv"]),
        content=content,
    )
    host = call.headers.get("host", "localhost")
    return {"fileUrl": f"http://{host}/api/v1/file/{identity}", "truncated": False}


def _shown(cell: tuple[Any, str], *, raw: bool) -> Any:
    return cell[0] if raw else cell[1]


def _label(call: Call, project: str, request: Mapping[str, Any], column: str) -> str:
    if "exploreName" not in request:
        return column
    explore = explores.find(call.store, project, request["exploreName"])
    one = explore.dimensions.get(column) or explore.metrics.get(column)
    calculations: list[dict[str, Any]] = request.get("tableCalculations") or []
    names = {item.get("name"): item.get("displayName") for item in calculations}
    return one.label if one else str(names.get(column) or column)


def _stored(cache: str) -> str:
    """A signed address at the object store, which is another host than the server's."""
    signed = "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=259200&X-Amz-SignedHeaders=host&x-id=GetObject"
    return f"http://storage.corner-shop.example/default/{cache}.jsonl?{signed}"
