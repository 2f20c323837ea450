"""Tables of what is asked of the warehouse: saved SQL and files, which are state; queries and jobs, which are not."""

from aboveboard.lightdash.sandbox.table import TIMES, Table


def _fleeting(name: str, columns: str, *, key: str = "uuid", json: str = "") -> Table:
    """A table of things that come and go with questions: none of it is state."""
    names = frozenset(column.split()[0] for column in columns.split(","))
    return Table(name, columns, key=(key,), derived=names, json=frozenset({json} - {""}))


TABLES = (
    Table(
        "sql_charts",
        "uuid TEXT PRIMARY KEY, project TEXT, space TEXT REFERENCES spaces ON DELETE CASCADE, slug TEXT, name TEXT,"
        " description TEXT, sql TEXT, row_limit INTEGER, config TEXT, kind TEXT, version_uuid TEXT, created_by TEXT,"
        " updated_by TEXT, created_at TEXT, updated_at TEXT, views INTEGER, first_viewed_at TEXT",
        derived=TIMES | {"views", "first_viewed_at", "version_uuid"},
        json=frozenset({"config"}),
    ),
    Table(
        "virtual_views",
        "project TEXT, name TEXT, label TEXT, sql TEXT, columns TEXT",
        key=("project", "name"),
        json=frozenset({"columns"}),
        extra="PRIMARY KEY (project, name)",
    ),
    _fleeting(
        "queries",
        "uuid TEXT PRIMARY KEY, project TEXT, user TEXT, kind TEXT, status TEXT, polls INTEGER, outcome TEXT,"
        " page_size REAL, request TEXT, error TEXT, created_at TEXT, errored_at TEXT",
        json="request",
    ),
    Table("query_results", "query TEXT PRIMARY KEY, columns TEXT, rows TEXT", key=("query",), hidden=True),
    _fleeting(
        "jobs",
        "uuid TEXT PRIMARY KEY, project TEXT, user TEXT, status TEXT, polls INTEGER, outcome TEXT, error TEXT,"
        " created_at TEXT, updated_at TEXT, started_at TEXT",
    ),
    _fleeting(
        "scheduler_jobs",
        "id INTEGER PRIMARY KEY, project TEXT, organization TEXT, user TEXT, status TEXT, outcome TEXT, details TEXT",
        key="id",
        json="details",
    ),
    Table(
        "files",
        "id TEXT PRIMARY KEY, user TEXT, name TEXT, type TEXT, content BLOB",
        key=("id",),
        bulk=frozenset({"content"}),
    ),
)
