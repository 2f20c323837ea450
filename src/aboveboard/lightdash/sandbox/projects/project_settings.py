"""Making, changing and deleting projects, and the small things their pages ask for."""

import json
from sqlite3 import Row
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from aboveboard.lightdash.sandbox import access, contracts
from aboveboard.lightdash.sandbox.charts import charts
from aboveboard.lightdash.sandbox.content.saved import slug_of
from aboveboard.lightdash.sandbox.contracts import ANYTHING, FLAG, TEXT, UNDEFINED, All, Maybe, Object, OneOf, Union
from aboveboard.lightdash.sandbox.dashboards import dashboards
from aboveboard.lightdash.sandbox.projects import projects
from aboveboard.lightdash.sandbox.routes import DONE, Call, Routes, as_uuid, storable
from aboveboard.lightdash.sandbox.wire import CrashError, ServiceError, forbidden

routes = Routes()

_PROJECT = "/api/v1/projects/{project}"
_NEW = All(Object(name=TEXT, type=OneOf("DEFAULT", "PREVIEW"), dbtConnection=ANYTHING, dbtVersion=TEXT))
_DETAILS = Object(name=Maybe(Union(TEXT, UNDEFINED)))
_SECRETS = {"user", "password"}


@routes.post("/api/v1/org/projects")
def create_project(call: Call) -> object:
    """A new project with one space; its explores come from the command line, later."""
    body = contracts.read(call.body, _NEW)
    if call.user["role"] not in {"admin", "developer"}:
        text = (
            "You don't have permission to create projects in this organization. Please contact your organization admin."
        )
        why = {"requiredPermission": "create:project", "projectType": body["type"]}
        raise ServiceError(403, "ForbiddenError", text, why | {"organizationUuid": call.user["organization"]})
    uuid = call.store.new_uuid()
    with call.store.change():
        _add(call, uuid, body)
    made = Call(call.store, call.caller, {"project": uuid}, {}, {}, call.headers, call.address)
    return {"hasContentCopy": False, "project": projects.get_project(made)}


@routes.delete("/api/v1/org/projects/{project}")
def delete_project(call: Call) -> object:
    """Remove a project with all that is in it."""
    project = access.known_project(call)
    role = access.role(call, project)
    if role is None or not role.may_administer:
        raise forbidden("User does not have permission to delete project")
    with call.store.change():
        for table in ("dashboards", "charts", "spaces", "pins", "favorites"):
            call.store.run(f"DELETE FROM {table} WHERE project = ?", project["uuid"])  # noqa: S608 - one of these
        call.store.run("DELETE FROM projects WHERE uuid = ?", project["uuid"])
    return DONE


@routes.patch(f"{_PROJECT}/details")
def update_details(call: Call) -> object:
    """A new name."""
    body = contracts.read(call.body, _DETAILS)
    project = _developed(call)
    if body.get("name") is None:
        raise ServiceError(400, "ParameterError", "No project details to update")
    if not body["name"]:
        raise ServiceError(400, "ParameterError", "Project name cannot be empty")
    call.store.update("projects", project["uuid"], name=storable(body["name"], 255))
    row = access.project(call)
    return {
        "organizationUuid": row["organization"],
        "projectUuid": row["uuid"],
        "slug": row["slug"],
        "name": row["name"],
        "type": row["type"],
        "createdByUserUuid": row["created_by"],
        "provisioningSource": None,
    }


@routes.patch(f"{_PROJECT}/schedulerSettings")
def update_scheduler_settings(call: Call) -> object:
    """The time zone of deliveries that have none of their own; a bad one crashes, and is stored all the same."""
    body = contracts.read(call.body, Object(schedulerTimezone=Maybe(TEXT)))
    project = _developed(call)
    settings = json.loads(project["settings"]) | {"schedulerTimezone": body.get("schedulerTimezone")}
    call.store.update("projects", project["uuid"], settings=settings)
    try:
        ZoneInfo(str(body.get("schedulerTimezone")))
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise CrashError from error
    return DONE


@routes.patch(f"{_PROJECT}/hasDefaultUserSpaces")
def update_default_spaces(call: Call) -> object:
    """Whether everybody has a space of their own, which nobody has here."""
    contracts.read(call.body, Object(hasDefaultUserSpaces=FLAG))
    _developed(call)
    return DONE


@routes.patch(f"{_PROJECT}/metadata")
def update_metadata(call: Call) -> object:
    """The project that content is promoted to; a body without one, or one that is not there, crashes."""
    project = _developed(call)
    body: dict[str, Any] = contracts.read(call.body, Object(upstreamProjectUuid=Maybe(TEXT)))
    if "upstreamProjectUuid" not in body:
        raise CrashError
    upstream = body["upstreamProjectUuid"]
    uuid = as_uuid(upstream) if upstream else None
    if uuid and call.store.one("SELECT 1 FROM projects WHERE uuid = ?", uuid) is None:
        raise CrashError
    call.store.update("projects", project["uuid"], upstream=uuid)
    return DONE


@routes.post(f"{_PROJECT}/createPreview")
def create_preview(call: Call) -> object:
    """A copy to try things in; refused here, where one is there to begin with."""
    contracts.read(call.body, Object(copyContent=FLAG, name=TEXT))
    project = access.project(call)
    why = {"requiredPermission": "create:preview_project", "projectType": "PREVIEW"}
    why |= {"organizationUuid": project["organization"], "upstreamProjectUuid": project["uuid"]}
    text = f'You don\'t have permission to create preview projects from "{project["name"]}". Contact your admin'
    raise ServiceError(
        403, "ForbiddenError", f"{text} to request access.", why | {"upstreamProjectName": project["name"]}
    )


@routes.get(f"{_PROJECT}/hasSavedCharts")
def has_saved_charts(call: Call) -> object:
    """Whether there is any chart."""
    query = "SELECT 1 FROM charts WHERE project = ?"
    return call.store.one(query, access.project(call)["uuid"]) is not None


@routes.get(f"{_PROJECT}/most-popular-and-recently-updated")
def list_popular(call: Call) -> object:
    """The ten most read and the ten newest things that the caller may see."""
    project = access.project(call)["uuid"]
    spaces = access.spaces_of(call.store, call.user)
    found: list[dict[str, Any]] = []
    for module, select, table in ((charts, charts.CHARTS, "charts"), (dashboards, dashboards.DASHBOARDS, "dashboards")):
        rows = call.store.all(f"{select} WHERE {table}.project = ?", project)
        found += [module.summary(call, row) for row in rows if spaces[row["space"]].role]
    popular = sorted((one for one in found if one["views"]), key=lambda one: -one["views"])
    newest = sorted(found, key=lambda one: str(one["updatedAt"]), reverse=True)
    return {"mostPopular": popular[:10], "recentlyUpdated": newest[:10]}


@routes.get("/api/v1/analytics/user-activity/{project}")
def get_activity(call: Call) -> object:
    """Who does how much, for those who look after the project."""
    project = _developed(call)
    people = call.store.all("SELECT * FROM users WHERE organization = ?", project["organization"])
    roles = [row["role"] for row in people]
    names = {"numberInteractiveViewers": "interactive_viewer", "numberViewers": "viewer", "numberEditors": "editor"}
    counts = {name: roles.count(role) for name, role in {**names, "numberAdmins": "admin"}.items()}
    makers = call.store.all(
        "SELECT users.uuid, first_name, last_name, count(*) AS number FROM charts"
        " JOIN users ON users.uuid = charts.updated_by WHERE project = ? GROUP BY users.uuid ORDER BY number DESC",
        project["uuid"],
    )
    made = [_person(row) | {"count": str(row["number"])} for row in makers]
    views = {kind: _views(call, f"{kind}s", project["uuid"]) for kind in ("dashboard", "chart")}
    nothing = ("tableMostQueries", "tableNoQueries", "chartWeeklyQueryingUsers", "chartWeeklyAverageQueries")
    return {
        "numberUsers": len(people),
        **counts,
        "numberWeeklyQueryingUsers": 0,
        "tableMostCreatedCharts": made,
        **{name: [] for name in nothing},
        "dashboardViews": views["dashboard"],
        "userMostViewedDashboards": [],
        "chartViews": views["chart"],
    }


def _plain(path: str, answer: object) -> None:
    """A page's small question that always has the same answer."""

    def handler(call: Call) -> object:
        access.project(call)
        return answer

    routes.get(f"{_PROJECT}/{path}")(handler)


_plain("colorPalette", charts.PALETTE)
_plain("table-groups", {})
_plain("user-credentials", DONE)
_plain("pull-requests", {"data": []})
_plain("agentSqlScope", None)
_plain("tablesConfiguration", {"tableSelection": {"type": "ALL", "value": None}})


@routes.get("/api/v2/projects/{project}/defaults")
def get_defaults(call: Call) -> object:
    """What the project's YAML sets for all of its content."""
    return json.loads(access.project(call)["settings"]).get("projectDefaults", {})


@routes.get("/api/v2/projects/{project}/query-sources")
def list_query_sources(call: Call) -> object:
    """Queries over several sources are not switched on."""
    access.project(call)
    raise forbidden("Multi-source queries are not enabled")


@routes.get(f"{_PROJECT}/previews-config")
def get_previews_config(call: Call) -> object:
    """How long previews live."""
    project = access.project(call)["uuid"]
    return {"projectUuid": project, "defaultPreviewExpirationHours": 720, "maxPreviewExpirationHours": 720}


@routes.get(f"{_PROJECT}/results-cache-config")
def get_cache_config(call: Call) -> object:
    """How long results are kept."""
    project = access.project(call)["uuid"]
    return {"projectUuid": project, "cacheTtlSeconds": None, "instanceDefaultTtlSeconds": 86400}


@routes.get(f"{_PROJECT}/dbt-sources")
def list_dbt_sources(call: Call) -> object:
    """Where the project's models come from."""
    project = access.project(call)
    nothing = dict.fromkeys(("repository", "branch", "projectSubPath"))
    kind = json.loads(project["settings"])["dbtConnection"]["type"]
    first = {"projectDbtSourceUuid": project["uuid"], "name": "Project dbt connection", "isPrimary": True}
    return [{**first, "precedence": 0, "type": kind, "hasCredentialError": False, **nothing}]


@routes.get(f"{_PROJECT}/git/branches")
@routes.get(f"{_PROJECT}/git/branches/{{branch}}/files")
def list_git(call: Call) -> object:
    """No repository is connected."""
    project = access.project(call)
    kind = json.loads(project["settings"])["dbtConnection"]["type"]
    text = f"invalid dbt connection type {kind} for project {project['name']}"
    raise ServiceError(400, "ParameterError", text)


def _developed(call: Call) -> Row:
    project = access.project(call)
    if not access.role_in(call.store, call.user, project["uuid"]).may_develop:
        raise forbidden()
    return project


def _add(call: Call, uuid: str, body: dict[str, Any]) -> None:
    warehouse = contracts.as_map(body.get("warehouseConnection"))
    settings: dict[str, object] = {
        "dbtConnection": body["dbtConnection"],
        "warehouseConnection": {key: value for key, value in warehouse.items() if key not in _SECRETS},
        "pinnedListUuid": None,
        "dbtVersion": body["dbtVersion"],
    }
    name, home = storable(body["name"], 255), call.user["organization"]
    author = {"created_by": call.user["uuid"], "created_at": call.store.now()}
    slug: dict[str, object] = {"slug": slug_of(call.store, name), "type": body["type"], "settings": settings}
    call.store.insert("projects", uuid=uuid, organization=home, name=name, **slug, **author)
    shared = {"name": "Shared", "slug": "shared", "path": "shared", "inherits": True}
    call.store.insert("spaces", uuid=call.store.new_uuid(), project=uuid, **shared, **author)


def _person(row: Row) -> dict[str, object]:
    return {"userUuid": row["uuid"], "firstName": row["first_name"], "lastName": row["last_name"]}


def _views(call: Call, table: str, project: str) -> list[dict[str, object]]:
    rows = call.store.all(
        f"SELECT uuid, slug, name, views FROM {table} WHERE project = ? AND views > 0 ORDER BY views DESC",  # noqa: S608 - one of two
        project,
    )
    return [{"count": str(row["views"]), "uuid": row["uuid"], "slug": row["slug"], "name": row["name"]} for row in rows]
