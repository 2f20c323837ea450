"""Charts as code: reading them as documents, and making or changing one from such a document."""

import json
from collections.abc import Callable
from sqlite3 import Row
from typing import Any

from aboveboard.lightdash.sandbox import access, contracts
from aboveboard.lightdash.sandbox.charts import chart_edits, charts
from aboveboard.lightdash.sandbox.checks import Checks
from aboveboard.lightdash.sandbox.code import changes
from aboveboard.lightdash.sandbox.content.saved import verification
from aboveboard.lightdash.sandbox.contracts import ANYTHING, TEXT, All, Maybe, Object
from aboveboard.lightdash.sandbox.routes import Call, Routes, storable
from aboveboard.lightdash.sandbox.wire import ServiceError, forbidden, missing

routes = Routes()

_CHARTS = "/api/v1/projects/{project}/code/charts"
_MOST = 100
_DOCUMENT = All(
    Object(
        name=TEXT,
        description=Maybe(TEXT),
        tableName=TEXT,
        metricQuery=ANYTHING,
        slug=TEXT,
        version=ANYTHING,
        spaceSlug=TEXT,
    ),
    Object(chartConfig=ANYTHING),
)


@routes.get(_CHARTS)
@routes.get("/api/v1/projects/{project}/charts/code")
def download(call: Call) -> object:
    """Charts as documents, at most a hundred, from an offset on or those asked for by slug or UUID."""
    project = downloading(call, "charts")
    rows = call.store.all(f"{charts.CHARTS} WHERE charts.project = ? ORDER BY charts.rowid", project)
    return downloaded(call, "charts", rows, lambda row: _document(call, row), _words)


@routes.post(f"{_CHARTS}/{{slug}}")
@routes.post("/api/v1/projects/{project}/charts/{slug}/code")
def upsert(call: Call) -> object:
    """Change the chart that the path names, or make one with the body's slug, unless that is there already."""
    body = contracts.read(call.body, _DOCUMENT, "chart")
    project = uploading(call)
    chart_edits.read_content(body)
    row = _by_slug(call, project, call.params["slug"])
    if row is None:
        return _create(call, project, body)
    space, made = space_of(call, project, body)
    place = {
        "name": storable(body["name"], 255),
        "description": body.get("description", row["description"]),
        "space": space,
    }
    call.store.update("charts", row["uuid"], **place)
    # A document that does not say it is newer than the chart changes its name and place at most.
    newer = body.get("force") or not body.get("updatedAt") or body["updatedAt"] > row["updated_at"]
    if newer:
        # What a document leaves out is kept, unlike in a version.
        chart_edits.save_version(call, row["uuid"], chart_edits.read_content({**charts.content(row), **body}))
    action = "update" if newer or any(row[column] != value for column, value in place.items()) else "no changes"
    data = changes.chart(charts.by_uuid(call, row["uuid"]))
    return {"spaces": space_changes(call, space, made), "dashboards": [], "charts": [changes.entry(action, data)]}


def downloading(call: Call, noun: str) -> str:
    """The project of the path, for those who may make content in it."""
    project = access.known_project(call)
    role = access.role(call, project)
    if role is None or not role.may_make:
        raise forbidden(f"You are not allowed to download {noun}")
    return project["uuid"]


def downloaded(
    call: Call, key: str, rows: list[Row], document: Callable[[Row], dict[str, object]], words: Callable[[Row], object]
) -> dict[str, object]:
    """A page of documents; an id that is unknown, or before the offset, is called missing."""
    checks = Checks(call.query)
    ids = checks.texts("ids")
    offset = checks.number("offset") or 0
    language = checks.flag("languageMap")
    checks.done()
    if offset < 0:
        raise ServiceError(400, "ParameterError", f"offset must be >= 0, received {offset:g}")
    spaces = access.spaces_of(call.store, call.user)
    seen = [row for row in rows if row["space"] in spaces and spaces[row["space"]].role]
    found = [row for row in seen if not ids or row["slug"] in ids or row["uuid"] in ids]
    page = found[round(offset) : round(offset) + _MOST]
    known = {name for row in page for name in (row["slug"], row["uuid"])}
    held = {row["space_path"]: row["space_name"] for row in page}
    return {
        key: [document(row) for row in page],
        **({"languageMap": [{key.removesuffix("s"): {row["slug"]: words(row)}} for row in page]} if language else {}),
        "missingIds": [name for name in ids if name not in known],
        "spaces": [
            {"contentType": "space", "spaceName": name, "slug": changes.code_slug(path)} for path, name in held.items()
        ],
        "total": len(found),
        "offset": min(round(offset) + len(page), len(found)),
    }


def uploading(call: Call, slug: str = "") -> str:
    """The project of the path, for those who may make content in it."""
    project = access.known_project(call)
    role = access.role(call, project)
    if role is None or not role.may_make:
        name = slug or call.params["slug"]
        text = f'You don\'t have permission to upload content as code to this project (content slug "{name}")'
        raise forbidden(text)
    return project["uuid"]


def space_of(call: Call, project: str, body: dict[str, Any]) -> tuple[str, list[str]]:
    """The space that a document names, made where it is not there unless that is not wanted; and what was made."""
    slug = body["spaceSlug"]
    if body.get("skipSpaceCreate") and changes.find_space(call.store, project, slug) is None:
        raise missing(f"Space {slug} does not exist, skipping creation")
    with call.store.change():
        return changes.make_space(call, project, slug, public=bool(body.get("publicSpaceCreate")))


def space_changes(call: Call, space: str, made: list[str]) -> list[dict[str, object]]:
    """What became of the space of a document that changed something."""
    if made:
        return [changes.entry("create", changes.space(call.store, uuid, new=True)) for uuid in made]
    return [changes.entry("no changes", changes.space(call.store, space))]


def _create(call: Call, project: str, body: dict[str, Any]) -> dict[str, object]:
    slug = storable(body["slug"], 255)
    row = _by_slug(call, project, slug)
    made: list[str] = []
    if row is None:
        space, made = space_of(call, project, body)
        name = storable(body["name"], 255)
        with call.store.change():
            uuid = chart_edits.add(call, project, body, name=name, slug=slug, space=space)
        row = charts.by_uuid(call, uuid)
    spaces = [changes.entry("create", changes.space(call.store, uuid, new=True)) for uuid in made]
    data = changes.chart(row, slug_path=True)
    return {"charts": [changes.entry("create", data)], "spaces": spaces, "dashboards": []}


def _by_slug(call: Call, project: str, slug: str) -> Row | None:
    return call.store.one(f"{charts.CHARTS} WHERE charts.project = ? AND charts.slug = ?", project, storable(slug))


def _document(call: Call, row: Row) -> dict[str, object]:
    return {
        "name": row["name"],
        "description": row["description"],
        "updatedAt": row["updated_at"],
        **charts.content(row),
        "slug": row["slug"],
        "spaceSlug": changes.code_slug(row["space_path"]),
        "version": 1,
        **({"dashboardSlug": row["dashboard_slug"]} if row["dashboard_slug"] else {}),
        "contentType": "chart",
        "downloadedAt": call.store.clock().strftime("%Y-%m-%dT%H:%M:%S.000Z"),
        "verification": verification(row),
    }


def _words(row: Row) -> dict[str, object]:
    """The words of a document, for translators."""
    config = json.loads(row["chart_config"])
    return {"name": row["name"], "description": row["description"], "chartConfig": config}
