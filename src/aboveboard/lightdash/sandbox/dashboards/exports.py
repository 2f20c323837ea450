"""Exports of dashboards and new slugs: small errands that end as jobs or in silence."""

from aboveboard.lightdash.sandbox import access, contracts
from aboveboard.lightdash.sandbox.contracts import TEXT, Object, OneOf
from aboveboard.lightdash.sandbox.dashboards import dashboards
from aboveboard.lightdash.sandbox.routes import DONE, Call, Routes, storable
from aboveboard.lightdash.sandbox.schedules import scheduler_jobs
from aboveboard.lightdash.sandbox.wire import forbidden

routes = Routes()

_FORMATS = OneOf("csv", "xlsx", "image", "pdf")
_RENAMING = Object(resourceType=OneOf("chart", "dashboard", "space"), **{"from": TEXT, "to": TEXT})


@routes.post("/api/v1/dashboards/{dashboard}/exportCsv")
def export_csv(call: Call) -> object:
    """Every tile of a dashboard as a file, some time later."""
    row = dashboards.by_name(call)
    dashboards.readable(call, row)
    return {"jobId": scheduler_jobs.start(call, row["project"])}


@routes.post("/api/v2/dashboards/{dashboard}/exports")
def export(call: Call) -> object:
    """The same in a format of one's choice."""
    contracts.read(call.body, Object(format=_FORMATS))
    return export_csv(call)


@routes.post("/api/v1/projects/{project}/slugs/rename")
def rename_slug(call: Call) -> object:
    """Another slug for a thing; one that nothing has changes nothing, and is no error."""
    body = contracts.read(call.body, _RENAMING)
    project = access.project(call)["uuid"]
    if not access.role_in(call.store, call.user, project).may_make:
        raise forbidden()
    table = f"{body['resourceType']}s"
    call.store.run(
        f"UPDATE {table} SET slug = ? WHERE project = ? AND slug = ?",  # noqa: S608 - one of three tables
        storable(body["to"], 255),
        project,
        body["from"],
    )
    return DONE
