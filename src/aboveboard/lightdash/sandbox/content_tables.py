"""Tables of what people make and decide beside charts and dashboards: versions, pins, schedules, grants, comments."""

from aboveboard.lightdash.sandbox.table import TIMES, Table

_CASCADE = "ON DELETE CASCADE"
_ITEM = (
    f"chart TEXT REFERENCES charts {_CASCADE}, dashboard TEXT REFERENCES dashboards {_CASCADE},"
    f" space TEXT REFERENCES spaces {_CASCADE}"
)

_CONTENT = (
    Table(
        "chart_versions",
        f"chart TEXT REFERENCES charts {_CASCADE}, uuid TEXT, explore TEXT, kind TEXT, query TEXT, chart_config TEXT,"
        " table_config TEXT, pivot_config TEXT, parameters TEXT, created_by TEXT, created_at TEXT",
        key=("chart", "uuid"),
        derived=TIMES,
        json=frozenset({"query", "chart_config", "table_config", "pivot_config", "parameters"}),
        extra="PRIMARY KEY (chart, uuid)",
    ),
    Table(
        "dashboard_versions",
        f"dashboard TEXT REFERENCES dashboards {_CASCADE}, uuid TEXT, id INTEGER, tiles TEXT, tabs TEXT, filters TEXT,"
        " config TEXT, parameters TEXT, created_by TEXT, created_at TEXT",
        key=("dashboard", "uuid"),
        derived=TIMES | {"id"},
        json=frozenset({"tiles", "tabs", "filters", "config", "parameters"}),
        extra="PRIMARY KEY (dashboard, uuid)",
    ),
    Table("pins", f"item TEXT PRIMARY KEY, project TEXT, {_ITEM}, position INTEGER", key=("item",)),
    Table(
        "favorites",
        f"user TEXT REFERENCES users {_CASCADE}, item TEXT, project TEXT, {_ITEM}",
        key=("user", "item"),
        extra="PRIMARY KEY (user, item)",
    ),
    Table(
        "verifications",
        f"item TEXT PRIMARY KEY, uuid TEXT, project TEXT, {_ITEM}, verified_by TEXT, verified_at TEXT",
        key=("item",),
        derived=frozenset({"verified_at"}),
    ),
    Table(
        "comments",
        f"uuid TEXT PRIMARY KEY, dashboard TEXT REFERENCES dashboards {_CASCADE}, tile TEXT, text TEXT, html TEXT,"
        f" reply_to TEXT REFERENCES comments {_CASCADE}, mentions TEXT, user TEXT, resolved INTEGER, created_at TEXT",
        derived=TIMES,
        json=frozenset({"mentions"}),
        flags=frozenset({"resolved"}),
    ),
    Table(
        "schedulers",
        f"uuid TEXT PRIMARY KEY, project TEXT, chart TEXT REFERENCES charts {_CASCADE},"
        f" dashboard TEXT REFERENCES dashboards {_CASCADE}, slug TEXT, name TEXT, message TEXT, cron TEXT,"
        " timezone TEXT, format TEXT, options TEXT, more TEXT, targets TEXT, enabled INTEGER, include_links INTEGER,"
        " created_by TEXT, created_at TEXT, updated_at TEXT",
        derived=TIMES,
        json=frozenset({"options", "more", "targets"}),
        flags=frozenset({"enabled", "include_links"}),
    ),
    Table(
        "scheduler_runs",
        f"id INTEGER PRIMARY KEY, scheduler TEXT REFERENCES schedulers {_CASCADE}, user TEXT, error TEXT,"
        " scheduled_at TEXT, finished_at TEXT",
        key=("id",),
        derived=frozenset(["scheduler", "user", "error", "scheduled_at", "finished_at"]),
    ),
    Table(
        "validations",
        f"uuid TEXT PRIMARY KEY, project TEXT REFERENCES projects {_CASCADE}, {_ITEM}, error TEXT, error_type TEXT,"
        " field_name TEXT, table_name TEXT, chart_name TEXT, created_at TEXT",
        derived=TIMES,
    ),
    Table(
        "tags",
        f"uuid TEXT PRIMARY KEY, project TEXT REFERENCES projects {_CASCADE}, name TEXT, color TEXT,"
        " yaml_reference TEXT, created_by TEXT, created_at TEXT",
        derived=TIMES,
    ),
    Table(
        "trash",
        f"uuid TEXT PRIMARY KEY, type TEXT, project TEXT REFERENCES projects {_CASCADE}, space TEXT, name TEXT,"
        " description TEXT, kind TEXT, source TEXT, deleted_by TEXT, rows TEXT, deleted_at TEXT",
        derived=frozenset({"deleted_at"}),
        json=frozenset({"rows"}),
    ),
    Table(
        "share_links",
        "nanoid TEXT PRIMARY KEY, organization TEXT, path TEXT, params TEXT, created_by TEXT",
        key=("nanoid",),
    ),
)

_PEOPLE = (
    Table(
        "space_group_access",
        f"space TEXT REFERENCES spaces {_CASCADE}, group_uuid TEXT REFERENCES groups {_CASCADE}, role TEXT",
        key=("space", "group_uuid"),
        extra="PRIMARY KEY (space, group_uuid)",
    ),
    Table(
        "project_access",
        f"project TEXT REFERENCES projects {_CASCADE}, user TEXT REFERENCES users {_CASCADE}, role TEXT,"
        " created_at TEXT",
        key=("project", "user"),
        derived=TIMES,
        extra="PRIMARY KEY (project, user)",
    ),
    Table(
        "project_group_access",
        f"project TEXT REFERENCES projects {_CASCADE}, group_uuid TEXT REFERENCES groups {_CASCADE}, role TEXT,"
        " created_at TEXT",
        key=("project", "group_uuid"),
        derived=TIMES,
        extra="PRIMARY KEY (project, group_uuid)",
    ),
    Table(
        "roles",
        "uuid TEXT PRIMARY KEY, organization TEXT, name TEXT, description TEXT, scopes TEXT, created_by TEXT,"
        " created_at TEXT, updated_at TEXT",
        derived=TIMES,
        json=frozenset({"scopes"}),
    ),
    Table(
        "user_attributes",
        "uuid TEXT PRIMARY KEY, organization TEXT, name TEXT, description TEXT, defaults TEXT, users TEXT, groups TEXT,"
        " created_at TEXT",
        derived=TIMES,
        json=frozenset({"defaults", "users", "groups"}),
        extra="UNIQUE (organization, name)",
    ),
    Table(
        "organization_settings",
        "organization TEXT PRIMARY KEY, expiry INTEGER",
        key=("organization",),
    ),
    Table(
        "color_palettes",
        "uuid TEXT PRIMARY KEY, organization TEXT, name TEXT, colors TEXT, dark_colors TEXT, created_at TEXT",
        derived=TIMES,
        json=frozenset({"colors", "dark_colors"}),
    ),
    Table(
        "warehouse_credentials",
        f"uuid TEXT PRIMARY KEY, user TEXT REFERENCES users {_CASCADE}, name TEXT, credentials TEXT, created_at TEXT,"
        " updated_at TEXT",
        derived=TIMES,
        json=frozenset({"credentials"}),
    ),
)

_AGENTS = (
    Table(
        "agent_settings",
        "organization TEXT PRIMARY KEY, visible INTEGER",
        key=("organization",),
        flags=frozenset({"visible"}),
    ),
    Table(
        "agents",
        f"uuid TEXT PRIMARY KEY, project TEXT REFERENCES projects {_CASCADE}, settings TEXT, created_at TEXT,"
        " updated_at TEXT",
        derived=TIMES,
        json=frozenset({"settings"}),
    ),
    Table(
        "threads",
        f"uuid TEXT PRIMARY KEY, agent TEXT REFERENCES agents {_CASCADE}, user TEXT, title TEXT, titled_at TEXT,"
        " origin TEXT, created_at TEXT",
        derived=TIMES | {"titled_at"},
    ),
    Table(
        "messages",
        f"uuid TEXT PRIMARY KEY, thread TEXT REFERENCES threads {_CASCADE}, prompt TEXT, response TEXT, score INTEGER,"
        " feedback TEXT, created_at TEXT",
        derived=TIMES,
    ),
    Table(
        "evaluations",
        f"uuid TEXT PRIMARY KEY, agent TEXT REFERENCES agents {_CASCADE}, title TEXT, description TEXT, prompts TEXT,"
        " created_at TEXT, updated_at TEXT",
        derived=TIMES,
        json=frozenset({"prompts"}),
    ),
    Table(
        "evaluation_runs",
        f"uuid TEXT PRIMARY KEY, evaluation TEXT REFERENCES evaluations {_CASCADE}, results TEXT, created_at TEXT",
        derived=TIMES | {"results"},
        json=frozenset({"results"}),
    ),
)

TABLES = (*_CONTENT, *_PEOPLE, *_AGENTS)

INDEXES = (
    "CREATE INDEX IF NOT EXISTS pin_projects ON pins (project)",
    "CREATE INDEX IF NOT EXISTS comment_dashboards ON comments (dashboard)",
    "CREATE INDEX IF NOT EXISTS validation_charts ON validations (chart)",
    "CREATE INDEX IF NOT EXISTS validation_dashboards ON validations (dashboard)",
    "CREATE INDEX IF NOT EXISTS access_users ON space_access (user)",
)
