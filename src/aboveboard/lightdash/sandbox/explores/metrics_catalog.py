"""The metrics catalog: every metric of the project in one paginated list, and one at a time."""

from aboveboard.lightdash.sandbox import access
from aboveboard.lightdash.sandbox.checks import Checks
from aboveboard.lightdash.sandbox.engine.describe import field_json
from aboveboard.lightdash.sandbox.engine.fields import Explore, Metric
from aboveboard.lightdash.sandbox.explores import catalog, explores
from aboveboard.lightdash.sandbox.paging import Page, list_body, read_page, wanted_page
from aboveboard.lightdash.sandbox.routes import Call, Routes
from aboveboard.lightdash.sandbox.wire import CrashError, missing

routes = Routes()

_METRICS = "/api/v1/projects/{project}/dataCatalog/metrics"
_SORTS = {"name": "name", "label": "label", "tableLabel": "tableLabel", "chartUsage": "chartUsage"}


@routes.get(_METRICS)
def list_metrics(call: Call) -> object:
    """A page of metrics; without both numbers, the first fifty."""
    checks = Checks(call.query)
    number, size = read_page(checks)
    search = checks.text("search")
    sort, order = checks.text("sort"), checks.literal("order", ("asc", "desc"))
    tables, categories = checks.texts("tables"), checks.texts("categories")
    checks.done()
    project = access.project(call)
    page = wanted_page(number, size) or Page(1, 50)
    if sort and sort not in _SORTS:
        raise CrashError
    entries = _entries(call, project["uuid"], search, tables) if not categories else []
    if sort:
        entries.sort(key=lambda entry: entry[_SORTS[sort]], reverse=order != "asc")  # pyright: ignore[reportArgumentType]
    return list_body(entries, page, pagination_first=True)


@routes.get(f"{_METRICS}/has")
def has_metrics(call: Call) -> object:
    """Whether there is any metric."""
    project = access.project(call)
    return bool(_entries(call, project["uuid"], None, []))


@routes.get(f"{_METRICS}/{{table}}/{{metric}}")
def get_metric(call: Call) -> object:
    """One metric by table and short name."""
    project = access.project(call)
    table, name = call.params["table"], call.params["metric"]
    explore = {one.name: one for one in explores.listed(call.store, project["uuid"])}.get(table)
    one = explore.tables[table].metrics.get(name) if explore else None
    if explore is None or one is None:
        raise missing(f"Metric not found for {table}.{name}")
    return _with_time(explore, one)


@routes.get("/api/v1/projects/{project}/dataCatalog/metrics-with-time-dimensions")
def list_plotted(call: Call) -> object:
    """The metrics of a table that can be plotted over time, whole."""
    project = access.project(call)
    wanted = call.query.get("tableName")
    return [
        _with_time(explore, one)
        for explore in explores.listed(call.store, project["uuid"])
        if wanted in {None, explore.name} and explore.tables[explore.base].time
        for one in explore.tables[explore.base].metrics.values()
        if not one.hidden
    ]


@routes.get("/api/v2/projects/{project}/dataCatalog/metrics-with-time-dimensions")
def list_plotted_short(call: Call) -> object:
    """The metrics that can be plotted over time, as the catalog lists them."""
    checks = Checks(call.query)
    number, size = read_page(checks)
    checks.done()
    project = access.project(call)
    timed = {one.name for one in explores.listed(call.store, project["uuid"]) if one.tables[one.base].time}
    entries = _entries(call, project["uuid"], None, sorted(timed))
    return list_body(entries, wanted_page(number, size) or Page(1, 50), pagination_first=True)


def _entries(call: Call, project: str, search: str | None, tables: list[str]) -> list[dict[str, object]]:
    hits: list[tuple[float, dict[str, object]]] = []
    for explore in explores.listed(call.store, project):
        if tables and explore.name not in tables:
            continue
        for one in explore.tables[explore.base].metrics.values():
            score = catalog.rank(search, one.name, one.label, one.description) if search else 0
            if not one.hidden and (score or not search):
                hits.append((score, catalog.found_entry(call, project, explore, one, score)))
    return [entry for _, entry in sorted(hits, key=lambda hit: -hit[0])]


def _with_time(explore: Explore, one: Metric) -> dict[str, object]:
    time = explore.tables[one.table].time
    plotted = {"timeDimension": {"field": time, "interval": "MONTH", "table": one.table}} if time else {}
    return field_json(explore, one) | plotted
