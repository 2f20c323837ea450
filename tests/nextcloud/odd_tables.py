"""A table of which every field is set to something unusual: a column of each type, a row with all cells, a view."""

import json
from collections.abc import Awaitable, Callable
from typing import Any, Final

import httpx2

Send = Callable[..., Awaitable[httpx2.Response]]

_V1: Final = "/index.php/apps/tables/api/1"
_V2: Final = "/ocs/v2.php/apps/tables/api/2"
_OPTIONS: Final = json.dumps([{"id": 3, "label": "röt", "hue": 7}, {"id": 5, "label": "5"}, {"id": 9, "label": "blau"}])
_MOMENT: Final = {"type": "datetime", "datetimeDefault": "now"}
COLUMNS: Final[dict[str, tuple[dict[str, Any], Any]]] = {
    "line": (
        {"type": "text", "subtype": "line", "textDefault": "döf", "textMaxLength": 50, "textUnique": True},
        "Ünï 🚀",
    ),
    "long": ({"type": "text", "subtype": "long", "textDefault": "l"}, "two\nlines"),
    "rich": ({"type": "text", "subtype": "rich", "textDefault": "**d**"}, "# r\n**b**"),
    "link": (
        {"type": "text", "subtype": "link", "textAllowedPattern": "url,files"},
        '{"title": "Ex", "value": "https://example.com", "providerId": "url"}',
    ),
    "number": (
        {
            **{"type": "number", "numberPrefix": "€", "numberSuffix": "net", "numberDecimals": 2},
            **{"numberMin": 0.5, "numberMax": 99.5, "numberDefault": 1.25},
        },
        12.25,
    ),
    "stars": ({"type": "number", "subtype": "stars", "numberDefault": 3}, 4),
    "progress": ({"type": "number", "subtype": "progress", "numberDefault": 40}, 70),
    "check": ({"type": "selection", "subtype": "check", "selectionDefault": "true"}, "true"),
    "select": ({"type": "selection", "selectionOptions": _OPTIONS, "selectionDefault": "5"}, 3),
    "multi": (
        {"type": "selection", "subtype": "multi", "selectionOptions": _OPTIONS, "selectionDefault": "[3, 9]"},
        [5, 9],
    ),
    "datetime": (_MOMENT, "2026-12-01 10:30"),
    "date": ({**_MOMENT, "subtype": "date", "datetimeDefault": "today"}, "2026-12-01"),
    "time": ({**_MOMENT, "subtype": "time"}, "10:30"),
    "usergroup": (
        {
            **{"type": "usergroup", "usergroupDefault": '[{"id": "bob", "type": 0}]', "usergroupMultipleItems": True},
            **{"usergroupSelectUsers": True, "usergroupSelectGroups": True, "usergroupShowUserStatus": True},
        },
        [{"id": "bob", "type": 0}, {"id": "team", "type": 1}],
    ),
}


async def make_odd_table(send: Send) -> dict[str, int]:
    """Make it, and return the ids: of the table, the row, the view, and of columns by what they are."""
    body = {"title": "Ödd table", "emoji": "📋", "description": "# desc"}
    table = (await send("POST", f"{_V2}/tables", json=body)).json()["ocs"]["data"]["id"]
    ids: dict[str, int] = {"table": table}
    for name, (settings, _) in COLUMNS.items():
        usual = {"title": f"Ödd {name}", "mandatory": name == "line", "description": f"desc {name}"}
        column = {**usual, "customSettings": {"width": 222}, **settings}
        ids[f"{name} column"] = (await send("POST", f"{_V1}/tables/{table}/columns", json=column)).json()["id"]
    cells = {str(ids[f"{name} column"]): value for name, (_, value) in COLUMNS.items()}
    ids["row"] = (await send("POST", f"{_V1}/tables/{table}/rows", json={"data": cells})).json()["id"]
    ids["view"] = (await send("POST", f"{_V1}/tables/{table}/views", json={"title": "Ödd view"})).json()["id"]
    await send("PUT", f"{_V1}/views/{ids['view']}", json={"data": _view(ids)})
    share = {"nodeId": table, "nodeType": "table", "receiver": "bob", "receiverType": "user", "permissionRead": True}
    await send("POST", f"{_V1}/shares", json=share)
    await send("POST", f"{_V2}/favorites/0/{table}")
    await send("PUT", f"{_V2}/tables/{table}", json={"archived": True})
    return ids


def _view(ids: dict[str, int]) -> dict[str, Any]:
    return {
        "description": "vdesc",
        "emoji": "🔭",
        "filter": [
            [{"columnId": ids["number column"], "operator": "is-greater-than", "value": "10"}],
            [{"columnId": ids["line column"], "operator": "contains", "value": "ü"}],
        ],
        "sort": [{"columnId": ids["number column"], "mode": "DESC"}],
        "columnSettings": [
            {"columnId": ids["line column"], "order": 0, "readonly": False},
            {"columnId": ids["number column"], "order": 1, "readonly": True},
        ],
    }
