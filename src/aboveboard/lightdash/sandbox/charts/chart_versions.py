"""The history of a chart: every query it ever had. Going back is one more version."""

from sqlite3 import Row

from aboveboard.lightdash.sandbox import contracts
from aboveboard.lightdash.sandbox.charts import charts
from aboveboard.lightdash.sandbox.charts.chart_edits import read_content, save_version
from aboveboard.lightdash.sandbox.content.saved import version_head
from aboveboard.lightdash.sandbox.routes import DONE, Call, Routes
from aboveboard.lightdash.sandbox.store import TIMES
from aboveboard.lightdash.sandbox.wire import CrashError, missing
from aboveboard.sandbox.table import Table

CHART_VERSIONS_TABLE = Table(
    "chart_versions",
    "chart TEXT REFERENCES charts ON DELETE CASCADE, uuid TEXT, explore TEXT, kind TEXT, query TEXT, chart_config"
    " TEXT, table_config TEXT, pivot_config TEXT, parameters TEXT, created_by TEXT, created_at TEXT, PRIMARY KEY"
    " (chart, uuid)",
    derived=TIMES,
    json={"chart_config", "parameters", "pivot_config", "query", "table_config"},
)

routes = Routes()

_VERSIONS = (
    "SELECT chart_versions.*, first_name, last_name FROM chart_versions LEFT JOIN users ON users.uuid = created_by"
    " WHERE chart = ?"
)


@routes.post("/api/v1/saved/{chart}/version")
def add_version(call: Call) -> object:
    """A new query for a chart; the same one again is one more version all the same."""
    row = charts.by_uuid(call)
    space = charts.editable(call, row)
    body = contracts.as_map(call.body)
    if not isinstance(body.get("tableConfig"), dict):
        raise CrashError
    save_version(call, row["uuid"], read_content(body))
    return charts.full(charts.by_uuid(call), space)


@routes.get("/api/v1/saved/{chart}/history")
def get_history(call: Call) -> object:
    """The versions of a chart, the newest first."""
    row = charts.by_uuid(call)
    charts.readable(call, row)
    versions = call.store.all(f"{_VERSIONS} ORDER BY chart_versions.rowid DESC", row["uuid"])
    return {"history": [version_head(version, "chart") for version in versions]}


@routes.get("/api/v1/saved/{chart}/version/{version}")
def get_version(call: Call) -> object:
    """A chart as it was: its query then, with its name and place of today."""
    row = charts.by_uuid(call)
    space = charts.readable(call, row)
    version = _find(call, "Chart version not found")
    names = {"updated_by": "created_by", "updated_at": "created_at", "author_first": "first_name"}
    names |= {"author_last": "last_name"} | {name: name for name in charts.CONTENT}
    then = dict(row) | {ours: version[theirs] for ours, theirs in names.items()}
    return version_head(version, "chart") | {"chart": charts.full(then, space)}


@routes.post("/api/v1/saved/{chart}/rollback/{version}")
def roll_back(call: Call) -> object:
    """Make a former version the newest one again."""
    row = charts.by_uuid(call)
    charts.editable(call, row)
    version = _find(call, "Saved query not found")
    save_version(call, row["uuid"], {name: version[name] for name in charts.CONTENT})
    return DONE


def _find(call: Call, message: str) -> Row:
    version = call.store.one(f"{_VERSIONS} AND chart_versions.uuid = ?", call.uuid("chart"), call.uuid("version"))
    if version is None:
        raise missing(message)
    return version
