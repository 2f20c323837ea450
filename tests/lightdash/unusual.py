"""Objects with every field set to something that nobody would set by default, put into the sandbox over its API."""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx2
from tests.lightdash import places

from aboveboard.lightdash.sandbox import Sandbox

Body = dict[str, Any]
PROJECT: Final = f"/api/v1/projects/{places.MAIN}"
EDITOR, VIEWER, DEVELOPER = (f"0b000000-0000-4000-8000-{number:012d}" for number in (2, 3, 4))
OPEN_TAB, HIDDEN_TAB = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
TILES: Final = [f"3333333{number}-3333-4333-8333-333333333333" for number in range(4)]

CUSTOM_METRIC: Final = "orders_total_revenue__pop__year_1__w6lwrj"
CUSTOM_DIMENSION: Final = "amount_range"
QUERY: Final[Body] = {
    "exploreName": "orders",
    "dimensions": ["orders_status", CUSTOM_DIMENSION],
    "metrics": [CUSTOM_METRIC, "orders_total_revenue"],
    "filters": {
        "dimensions": {
            "id": "f1",
            "or": [
                {
                    "id": "f2",
                    "target": {"fieldId": "orders_gone"},
                    "operator": "equals",
                    "values": ["x"],
                    "disabled": True,
                }
            ],
        }
    },
    "sorts": [{"fieldId": "share", "descending": True, "nullsFirst": True}],
    "limit": 77,
    "metricOverrides": {"orders_total_revenue": {"formatOptions": {"type": "percent", "round": 1}}},
    "tableCalculations": [{"name": "share", "displayName": "Share", "sql": "${orders.total_revenue} / 2"}],
    "additionalMetrics": [
        {
            **{"name": "total_revenue__pop__year_1__w6lwrj", "label": "Last year", "table": "orders", "type": "sum"},
            **{"sql": "${TABLE}.amount", "hidden": True, "generationType": "periodOverPeriod", "periodOffset": 1},
            **{"baseMetricId": "orders_total_revenue", "timeDimensionId": "orders_order_date_year"},
        }
    ],
    "customDimensions": [
        {
            **{"id": CUSTOM_DIMENSION, "name": "amount range", "type": "bin", "table": "orders"},
            **{"dimensionId": "orders_amount", "binType": "fixed_number", "binNumber": 5},
        }
    ],
    "timezone": "Asia/Kathmandu",
    "pivotDimensions": ["orders_status"],
}
CHART: Final[Body] = {
    "name": "Everything set",
    "description": "each field",
    "spaceUuid": places.SALES,
    "tableName": "orders",
    "metricQuery": QUERY,
    "chartConfig": {"type": "table", "config": {"showColumnCalculation": True, "columns": {"share": {"frozen": True}}}},
    "tableConfig": {
        "columnOrder": ["share", CUSTOM_METRIC, "orders_status", "orders_total_revenue", CUSTOM_DIMENSION],
    },
    "pivotConfig": {"columns": ["orders_status"]},
    "parameters": {"currency": "eur"},
}


def _tile(place: int, kind: str, tab: str, **properties: object) -> Body:
    where = {"x": 3, "y": 5 * place, "w": 7, "h": 5, "tabUuid": tab}
    return {"uuid": TILES[place], "type": kind, **where, "properties": properties}


DASHBOARD: Final[Body] = {
    "name": "Everything set",
    "description": "each field",
    "spaceUuid": places.SALES,
    "tabs": [
        {"uuid": OPEN_TAB, "name": "Main", "order": 0, "hidden": False},
        {"uuid": HIDDEN_TAB, "name": "Secret", "order": 1, "hidden": True},
    ],
    "tiles": [
        _tile(0, "saved_chart", OPEN_TAB, savedChartUuid=places.MAIN_CHART, title="Own title", hideTitle=True),
        _tile(1, "markdown", HIDDEN_TAB, title="Note", content="**hi**", hideTitle=True, hideFrame=True),
        _tile(2, "heading", OPEN_TAB, text="Part two", showDivider=True),
        _tile(3, "loom", OPEN_TAB, title="Film", url="https://loom.example/1", hideTitle=True),
    ],
    "filters": {
        "dimensions": [
            {
                "id": "7b000000-0000-4000-8000-0000000000ff",
                "target": {"fieldId": "orders_status", "tableName": "orders"},
                "operator": "equals",
                "values": ["shipped"],
                "label": "State",
                "required": True,
                "tileTargets": {TILES[0]: False},
                "lockedTabUuids": [OPEN_TAB],
            }
        ],
        "metrics": [
            {
                "id": "m",
                "target": {"fieldId": "orders_order_count", "tableName": "orders"},
                "operator": "greaterThan",
                "values": [1],
            }
        ],
        "tableCalculations": [
            {"id": "t", "target": {"fieldId": "share", "tableName": "orders"}, "operator": "notNull", "values": []}
        ],
    },
    "parameters": {"currency": {"parameterName": "currency", "value": "eur"}},
    "config": {"isDateZoomDisabled": True, "isAddFilterDisabled": True, "pinnedParameters": ["currency"]},
}
_SCHEDULED: Final[Body] = {
    **{"name": "Everything set", "message": "Hello", "cron": "0 9 * * 1", "timezone": "Europe/London"},
    **{"format": "csv", "options": {"formatted": False, "limit": "all", "asAttachment": True}},
    **{"enabled": True, "includeLinks": False, "plainTextEmail": True, "customViewportWidth": 1200},
    "filters": [
        {"id": "s", "target": {"fieldId": "orders_status", "tableName": "orders"}, "operator": "isNull", "values": []}
    ],
    "parameters": {"currency": "eur"},
    "targets": [{"recipient": "ada@corner-shop.example"}, {"channel": "C123"}, {"webhook": "https://teams.example/1"}],
}
ALERT: Final[Body] = {
    **_SCHEDULED,
    **{"appUuid": None, "appName": None, "notificationFrequency": "once"},
    "filters": {
        "dimensions": {
            "id": "g",
            "and": [{"id": "s", "target": {"fieldId": "orders_status"}, "operator": "isNull", "values": []}],
        }
    },
    "thresholds": [{"operator": "greaterThan", "fieldId": "orders_total_revenue", "value": 5}],
}
DELIVERY: Final[Body] = {**_SCHEDULED, "selectedTabs": [OPEN_TAB, HIDDEN_TAB]}
SQL_CHART: Final[Body] = {
    **{"name": "Everything set", "description": "each field", "spaceUuid": places.SALES, "limit": 77},
    "sql": "select 1 as a -- kept",
    "config": {
        **{
            "type": "table",
            "metadata": {"version": 1},
            "columns": {"a": {"visible": False, "reference": "a", "label": "A", "frozen": True}},
        },
        "display": {"novel": [1]},
    },
}
AGENT: Final[Body] = {
    **{"name": "Analyst", "description": "d", "instruction": "Be brief", "version": 2, "projectUuid": places.MAIN},
    **{
        "tags": ["core"],
        "imageUrl": "https://image.example/1.png",
        "integrations": [{"type": "slack", "channelId": "C"}],
    },
    **{"userAccess": [EDITOR], "groupAccess": ["0c000000-0000-4000-8000-000000000001"], "spaceAccess": [places.SALES]},
    **{"enableDataAccess": True, "enableSelfImprovement": True, "enableContentTools": False, "enableUserContext": True},
    **{
        "enableSqlMode": True,
        "adminOnly": True,
        "modelConfig": {"modelName": "m", "modelProvider": "openai"},
        "threadRetentionHours": 5,
    },
}


class Raw:
    """The service itself, asked without our client."""

    def __init__(self, service: httpx2.AsyncBaseTransport) -> None:
        self._service = service

    async def ask(self, method: str, path: str, body: object = None) -> Any:
        """Return the results of a request that should succeed."""
        answer = await self._send(method, path, body)
        assert answer.status_code < 300, answer.text
        return answer.json().get("results")

    async def status(self, method: str, path: str, body: object) -> int:
        """Return the status of a request, whatever comes of it."""
        return (await self._send(method, path, body)).status_code

    async def answer(self, method: str, path: str, body: object) -> Any:
        """Return all that is answered to a request, whatever comes of it."""
        return (await self._send(method, path, body)).json()

    async def _send(self, method: str, path: str, body: object) -> httpx2.Response:
        client = httpx2.AsyncClient(transport=self._service, base_url="http://lightdash")
        sent = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"ApiKey {Sandbox.token}", "Content-Type": "application/json"}
        return await client.request(method, path, content=sent, headers=headers)


@dataclass(frozen=True)
class Thing:
    """An object that was put there: its id, and where it is read."""

    id: str
    path: str
    inside: Mapping[str, str]
    """Ids that a call needs beside it."""


def _made(create: str, body: Body, key: str, path: str, inside: Mapping[str, str] | None = None) -> "Maker":
    async def make(raw: Raw) -> Thing:
        uuid = (await raw.ask("POST", create, body))[key]
        return Thing(uuid, path.format(uuid), inside or {})

    return make


async def _group(raw: Raw) -> Thing:
    members = [{"userUuid": user} for user in (EDITOR, VIEWER)]
    made = await raw.ask("POST", "/api/v1/org/groups", {"name": "Everything set", "members": members})
    return Thing(made["uuid"], f"/api/v1/groups/{made['uuid']}?includeMembers=100", {})


async def _delivery(raw: Raw) -> Thing:
    board = await raw.ask("POST", f"{PROJECT}/dashboards", DASHBOARD)
    made = await raw.ask("POST", f"/api/v1/dashboards/{board['uuid']}/schedulers", DELIVERY)
    return Thing(made["schedulerUuid"], f"/api/v1/schedulers/{made['schedulerUuid']}", {})


async def _space(raw: Raw) -> Thing:
    body = {"name": "Everything set", "inheritParentPermissions": False, "parentSpaceUuid": places.SALES}
    made = await raw.ask("POST", f"{PROJECT}/spaces", body)
    at = f"{PROJECT}/spaces/{made['uuid']}"
    await raw.ask("POST", f"{at}/share", {"userUuid": EDITOR, "spaceRole": "editor"})
    group = {"groupUuid": "0c000000-0000-4000-8000-000000000001", "spaceRole": "viewer"}
    await raw.ask("POST", f"{at}/group/share", group)
    await raw.ask("POST", f"{PROJECT}/saved", {**CHART, "spaceUuid": made["uuid"]})
    await raw.ask("POST", f"{PROJECT}/dashboards", {**DASHBOARD, "spaceUuid": made["uuid"]})
    return Thing(made["uuid"], at, {})


async def _shares(raw: Raw) -> Thing:
    space = await _space(raw)
    return Thing(space.id, f"{space.path}/access?directOnly=true", {})


async def _evaluation(raw: Raw) -> Thing:
    agent = (await raw.ask("POST", f"{PROJECT}/aiAgents", AGENT))["uuid"]
    prompts = [
        {"prompt": "How many orders?", "expectedResponse": "12"},
        {"prompt": "And now?", "expectedResponse": "13"},
    ]
    body = {"title": "Everything set", "description": "each field", "prompts": prompts}
    made = await raw.ask("POST", f"{PROJECT}/aiAgents/{agent}/evaluations", body)
    at = f"{PROJECT}/aiAgents/{agent}/evaluations/{made['evalUuid']}"
    return Thing(made["evalUuid"], at, {"agent_uuid": agent})


async def _assignments(raw: Raw) -> Thing:
    at = f"/api/v2/projects/{places.MAIN}/roles/assignments"
    for user in (EDITOR, VIEWER):
        await raw.ask("POST", f"{at}/user/{user}", {"roleId": "developer", "sendEmail": False})
    return Thing("", at, {})


async def _tag(raw: Raw) -> Thing:
    return Thing(places.MAIN_TAG, f"{PROJECT}/tags", {})


async def _settings(raw: Raw) -> Thing:
    return Thing("", "/api/v1/aiAgents/admin/settings", {})


Maker = Callable[[Raw], Awaitable[Thing]]
chart: Final = _made(f"{PROJECT}/saved", CHART, "uuid", "/api/v1/saved/{}")
dashboard: Final = _made(f"{PROJECT}/dashboards", DASHBOARD, "uuid", "/api/v1/dashboards/{}")
alert: Final = _made(f"/api/v1/saved/{places.MAIN_CHART}/schedulers", ALERT, "schedulerUuid", "/api/v1/schedulers/{}")
sql_chart: Final = _made(f"{PROJECT}/sqlRunner/saved", SQL_CHART, "savedSqlUuid", f"{PROJECT}/sqlRunner/saved/{{}}")
agent: Final = _made(f"{PROJECT}/aiAgents", AGENT, "uuid", f"{PROJECT}/aiAgents/{{}}")
delivery, group, space, shares, evaluation = _delivery, _group, _space, _shares, _evaluation
assignments, tag, settings = _assignments, _tag, _settings
