"""Tables that come with something in them: the one that explains, for whoever comes first, and a to-do list."""

from typing import Any

from aboveboard.nextcloud.sandbox.tables.access import Access
from aboveboard.nextcloud.sandbox.tables.column_routes import add_column, new_settings
from aboveboard.nextcloud.sandbox.tables.row_store import RowStore
from aboveboard.nextcloud.sandbox.tables.view_routes import add_view

Column = tuple[str, str, dict[str, Any]]

_LINE: dict[str, Any] = {"subtype": "line"}
_TUTORIAL: tuple[Column, ...] = (
    ("What", "text", _LINE),
    ("How to do", "text", {"subtype": "rich"}),
    ("Ease of use", "number", {"subtype": "stars"}),
    ("Done", "selection", {"subtype": "check"}),
)
_LESSONS = (
    ("Open the tables app", "Reachable via the app menu.", 5, "true"),
    ("Add your first row", "Just click on New row.", 5, "false"),
    ("Edit a row", "Hover a row you want to edit and click on the pencil.", 4, "false"),
    ("Add a new column", "Add, remove or adjust columns as you need.", 4, "false"),
    ("Read the docs", "If you want to know more, the docs are for you.", 3, "false"),
    ("Check out views", "A view shows some of the rows.", 4, "false"),
    ("Share with others", "Tables are nicer together.", 5, "false"),
)
_TODO: tuple[Column, ...] = (
    ("Task", "text", {"subtype": "line", "mandatory": True}),
    ("Description", "text", {"subtype": "rich"}),
    ("Target", "text", _LINE),
    ("Status", "selection", {"subtype": "check"}),
    ("Progress", "number", {"subtype": "progress"}),
    ("Comments", "text", {"subtype": "rich"}),
)


def add_columns(access: Access, table: int, columns: tuple[Column, ...]) -> list[int]:
    """Several columns; their numbers."""
    return [add_column(access, table, title, new_settings(kind, given))["id"] for title, kind, given in columns]


def greet(access: Access) -> None:
    """Whoever comes for the first time gets a table that explains."""
    if not access.store.run("INSERT OR IGNORE INTO data_greeted VALUES (?)", access.uid):
        return
    table = access.store.insert(
        "data_tables",
        title="Welcome to Nextcloud Tables!",
        emoji="🚀",
        description="",
        archived=0,
        owner=access.uid,
        **access.signed(),
    )
    columns = add_columns(access, table, _TUTORIAL)
    rows = RowStore(access, table)
    for lesson in _LESSONS:
        rows.add({str(column): value for column, value in zip(columns, lesson, strict=True)})
    plain = {"readonly": False, "mandatory": False}
    shown = [{"columnId": column, "order": order, **plain} for order, column in enumerate(columns)]
    undone = [[{"columnId": columns[-1], "operator": "is-equal", "value": "@unchecked"}]]
    add_view(access, table, "Check yourself!", {"emoji": "🏁", "columnSettings": shown, "filter": undone})


def make_template(access: Access, table: int, name: str) -> None:
    """What a template puts into a new table; an unknown one puts nothing."""
    if name == "todo":
        columns = add_columns(access, table, _TODO)
        rows = RowStore(access, table)
        for task in ("Create initial milestones", "Kickoff meeting", "Set up some documentation", "Add more actions"):
            rows.add({str(columns[0]): task})
