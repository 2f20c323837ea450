"""Schedules, and when each of them ran."""

from aboveboard.lightdash.sandbox.store import TIMES
from aboveboard.sandbox.table import Table

SCHEDULERS_TABLE = Table(
    "schedulers",
    "uuid TEXT PRIMARY KEY, project TEXT, chart TEXT REFERENCES charts ON DELETE CASCADE, dashboard TEXT"
    " REFERENCES dashboards ON DELETE CASCADE, slug TEXT, name TEXT, message TEXT, cron TEXT, timezone TEXT,"
    " format TEXT, options TEXT, more TEXT, targets TEXT, enabled INTEGER, include_links INTEGER, created_by TEXT,"
    " created_at TEXT, updated_at TEXT",
    derived=TIMES,
    json={"more", "options", "targets"},
    flags={"enabled", "include_links"},
)

SCHEDULER_RUNS_TABLE = Table(
    "scheduler_runs",
    "id INTEGER PRIMARY KEY, scheduler TEXT REFERENCES schedulers ON DELETE CASCADE, user TEXT, error TEXT,"
    " scheduled_at TEXT, finished_at TEXT",
    fleeting=True,
)
