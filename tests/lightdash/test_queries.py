"""Queries: what is asked of an explore, of a saved chart, of a whole dashboard, and who may ask it."""

import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import anyio
import httpx2
import pytest
from tests.lightdash import places
from tests.lightdash.analyst import analyst, body_of
from tests.lightdash.sandbox.asking import table
from tests.lightdash.sessions import TOOLS, connected, error, ok, raw_path, serving, text_of

from aboveboard.errors import NotFound, Refused
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.server import connect

pytestmark = pytest.mark.anyio

ORDERS: Final = table("orders")
BY_STATUS: Final[Mapping[str, Any]] = {
    "explore": "orders",
    "dimensions": ["orders_status"],
    "metrics": ["orders_order_count"],
}
FORBIDDEN: Final = f"Lightdash answered 403: You don't have access to this resource or action. {Refused.advice}"
QUERY: Final = "5a000000-0000-4000-8000-000000000001"


def counts(field: str = "status") -> dict[Any, int]:
    values = [row[field] for row in ORDERS]
    return {value: values.count(value) for value in values}


async def test_columns_come_in_the_order_they_were_asked_for_with_labels_and_types(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        answer = await session.ask(
            "run_metric_query",
            explore="orders",
            dimensions=["products_category", "orders_order_date_year", "orders_is_completed"],
            metrics=["orders_total_revenue", "orders_order_count"],
            table_calculations=[{"name": "a", "sql": "${orders.total_revenue} / ${orders.order_count}"}],
        )
    assert [(column["id"], column["label"], column["type"]) for column in answer["columns"]] == [
        ("products_category", "Category", "string"),
        ("orders_order_date_year", "Order date year", "timestamp"),
        ("orders_is_completed", "Is completed", "boolean"),
        ("orders_total_revenue", "Total revenue", "number"),
        ("orders_order_count", "Order count", "number"),
        ("a", "a", "number"),
    ]
    assert all(len(row) == 6 for row in answer["rows"])


@pytest.mark.parametrize(("sort", "direction"), [("orders_order_count", 1), ("-orders_order_count", -1)])
async def test_rows_are_sorted_as_asked_up_or_down(sandbox: Sandbox, sort: str, direction: int) -> None:
    async with analyst(sandbox) as session:
        answer = await session.ask("run_metric_query", **BY_STATUS, sort=[sort])
    assert answer["rows"] == [list(pair) for pair in sorted(counts().items(), key=lambda pair: direction * pair[1])]


async def test_a_second_sort_decides_among_equals(sandbox: Sandbox) -> None:
    asked: dict[str, Any] = {"explore": "orders", "dimensions": ["orders_is_completed", "orders_status"]}
    async with analyst(sandbox) as session:
        answer = await session.ask("run_metric_query", **asked, sort=["orders_is_completed", "-orders_status"])
    assert answer["rows"] == sorted(
        sorted(answer["rows"], key=lambda row: row[1], reverse=True), key=lambda row: row[0]
    )
    assert len(answer["rows"]) == 5


async def test_a_limit_cuts_and_says_so(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        cut = await session.call("run_metric_query", **BY_STATUS, sort=["-orders_order_count"], limit=2)
        whole = await session.ask("run_metric_query", **BY_STATUS, limit=6)
    assert [row[0] for row in cut.structured_content["rows"]] == ["completed", "shipped"]
    assert cut.structured_content["next_step"].startswith("The limit of 2 rows was reached, so there may be others")
    assert "The limit of 2 rows was reached" in text_of(cut)
    assert (whole["total_rows"], "next_step" in whole) == (5, False)


async def test_a_table_calculation_is_computed_and_can_be_sorted_by(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        answer = await session.ask(
            "run_metric_query",
            **BY_STATUS,
            table_calculations=[{"name": "twice", "sql": "${orders.order_count} * 2"}],
            sort=["twice"],
        )
    assert [(row[1], row[2]) for row in answer["rows"]] == [(count, 2 * count) for count in sorted(counts().values())]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"dimensions": ["orders_stauts"]}, "no dimension 'orders_stauts': did you mean 'orders_status'"),
        ({"metrics": ["orders_count"]}, "no metric 'orders_count': did you mean 'orders_order_count'"),
        (
            {"dimensions": ["orders_order_count"]},
            "orders_order_count is a metric, not a dimension: put it among the metrics.",
        ),
        ({"metrics": ["orders_status"]}, "orders_status is a dimension, not a metric: put it among the dimensions."),
        ({"sort": ["orders_amount"]}, "no column 'orders_amount'"),
        ({"sort": ["orders_amount"]}, "A sort must be by a column of the query."),
        ({"sort": ["--orders_status"]}, "no column '-orders_status'"),
        ({"dimensions": [], "metrics": []}, "Name at least one dimension or metric"),
        ({"explore": "odrers"}, "Lightdash answered 404"),
        ({"explore": ".."}, "'..' cannot be the id of a explore."),
        ({"limit": 0}, "limit must be at least 1."),
        ({"dimension": ["orders_status"]}, "no parameter 'dimension': did you mean 'dimensions'"),
    ],
)
@pytest.mark.parametrize("tool", ["run_metric_query", "compile_query"])
async def test_what_an_explore_does_not_have_is_refused_with_advice_and_nothing_is_run(
    sandbox: Sandbox, tool: str, change: dict[str, Any], reason: str
) -> None:
    service = serving(sandbox)
    async with analyst(service) as session:
        text = await session.refusal(tool, **{**BY_STATUS, **change})
    assert reason in text
    assert {request.method for request in service.arrived} <= {"GET"}


async def test_a_table_calculation_takes_a_name_and_sql_and_nothing_else(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        for calculation in ({"name": "a", "sql": "1", "format": "%"}, {"name": "a"}, {"name": 1, "sql": "1"}, "a = 1"):
            text = await session.refusal("run_metric_query", **BY_STATUS, table_calculations=[calculation])
            assert "table_calculations.0" in text


async def test_compiling_shows_the_sql_of_all_that_was_asked_and_runs_nothing(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    async with analyst(service) as session:
        condition = {"field": "orders_status", "operator": "equals", "values": ["placed"]}
        answer = await session.ask(
            "compile_query", **BY_STATUS, filters=[condition], sort=["-orders_order_count"], limit=3
        )
    assert all(word in answer["query"].lower() for word in ("select", "status", "placed", "desc", "limit 3"))
    assert [line.rpartition("/")[2] for line in service.lines] == ["orders", "compileQuery"]


async def test_a_limit_up_to_the_one_that_health_names_is_taken_and_one_more_is_refused(sandbox: Sandbox) -> None:
    asked: dict[str, Any] = {"explore": "visits", "dimensions": ["visits_visit_id"]}
    async with analyst(sandbox) as session:
        most = (await session.ask("get_context"))["limits"]["max_limit"]
        answer = await session.ask("run_metric_query", **asked, limit=most, rows=1)
        for tool, more in (
            ("run_metric_query", asked),
            ("run_chart", {"chart": "orders-by-status"}),
            (
                "get_underlying_data",
                {"query_uuid": answer["query_uuid"], "explore": "visits", "metric": "visits_visit_total"},
            ),
        ):
            text = await session.refusal(tool, **more, limit=most + 1)
            assert text == "limit is at most 5000 on this Lightdash: filter or group more.", tool
    assert answer["total_rows"] == 5000
    assert "The limit of 5000 rows was reached" in answer["next_step"]


async def test_the_link_opens_the_same_query(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        answer = await session.ask("run_metric_query", **BY_STATUS, limit=7)
    link = urlsplit(str(answer["url"]))
    assert link.path == f"/projects/{places.MAIN}/tables/orders"
    state = json.loads(parse_qs(link.query)["create_saved_chart_version"][0])
    assert state["metricQuery"]["dimensions"] == ["orders_status"]
    assert state["metricQuery"]["limit"] == 7


async def test_totals_are_over_all_rows_and_not_only_those_shown(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        ran = await session.ask("run_metric_query", **BY_STATUS, rows=1, limit=2)
        total = await session.ask("calculate_total", query_uuid=ran["query_uuid"])
        text = await session.refusal("calculate_total", query_uuid=ran["query_uuid"], kind="rowTotal")
    assert total["rows"] == [[len(ORDERS)]]
    assert "next_step" not in total
    assert "Row totals are only supported for pivoted queries" in text


async def test_the_records_behind_a_metric_can_be_filtered_to_one_row(sandbox: Sandbox) -> None:
    asked: dict[str, Any] = {"explore": "orders", "metric": "orders_order_count"}
    placed = {"field": "orders_status", "operator": "equals", "values": ["placed"]}
    async with analyst(sandbox) as session:
        ran = await session.ask("run_metric_query", **BY_STATUS)
        asked["query_uuid"] = ran["query_uuid"]
        some = await session.ask("get_underlying_data", **asked, filters=[placed])
        every = await session.ask("get_underlying_data", **asked, rows=3)
        texts = [
            await session.refusal("get_underlying_data", **{**asked, "metric": "orders_status"}),
            await session.refusal("get_underlying_data", **{**asked, "metric": "orders_oder_count"}),
            await session.refusal("get_underlying_data", **{**asked, "query_uuid": "the last one"}),
            await session.refusal("get_underlying_data", **{**asked, "query_uuid": QUERY}),
        ]
    names = [column["id"] for column in some["columns"]]
    assert {row[names.index("orders_status")] for row in some["rows"]} == {"placed"}
    assert (some["total_rows"], every["total_rows"]) == (counts()["placed"], len(ORDERS))
    # Lightdash itself would show all fields for a metric that it does not know.
    assert "is a dimension, not a metric" in texts[0]
    assert "did you mean 'orders_order_count'" in texts[1]
    assert "'the last one' is not a UUID" in texts[2]
    assert f"Query {QUERY} not found" in texts[3]


async def test_values_are_searched_in_text_dimensions_alone(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        found = await session.ask("search_field_values", explore="orders", field="orders_status", search="ret")
        few = await session.ask("search_field_values", explore="orders", field="orders_status", limit=2)
        number = await session.refusal("search_field_values", explore="orders", field="orders_amount", search="1")
        metric = await session.refusal("search_field_values", explore="orders", field="orders_order_count")
    assert sorted(found["values"]) == ["return_pending", "returned"]
    assert len(few["values"]) == 2
    assert number == "orders_amount is a number: only the values of text dimensions can be searched."
    assert "is a metric, not a dimension" in metric


@pytest.mark.parametrize("chart", ["orders-by-status", "3a000000-0000-4000-8000-000000000001"])
@pytest.mark.parametrize("named", [{}, {"project_uuid": places.MAIN}])
@pytest.mark.parametrize("default", [None, places.MAIN])
async def test_a_chart_runs_by_uuid_or_slug_with_or_without_a_project(
    sandbox: Sandbox, chart: str, named: dict[str, str], default: str | None
) -> None:
    async with analyst(sandbox, project=default) as session:
        saved = await session.ask("get_chart", chart=chart, **named)
        answer = await session.ask("run_chart", chart=chart, limit=3, **named)
    asked = saved["metric_query"]
    assert [column["id"] for column in answer["columns"]] == [*asked["dimensions"], *asked["metrics"]]
    assert answer["rows"]
    assert answer["url"] == f"http://lightdash/projects/{places.MAIN}/saved/{saved['uuid']}"


@pytest.mark.parametrize("project", [places.MAIN, places.PREVIEW])
async def test_a_slug_that_stands_in_two_projects_means_the_one_of_the_default_project(
    sandbox: Sandbox, project: str
) -> None:
    async with analyst(sandbox, project=project) as session:
        chart = await session.ask("run_chart", chart=places.CHART_SLUG)
        board = await session.ask("run_dashboard", dashboard=places.DASHBOARD_SLUG, rows=1)
    assert f"/projects/{project}/" in chart["url"]
    assert f"/projects/{project}/" in board["url"]


async def test_a_chart_whose_slug_has_a_slash_runs(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        assert (await session.ask("run_chart", chart="cafe/regulars"))["rows"]


async def test_a_chart_that_is_not_there_is_told_as_such(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        text = await session.refusal("run_chart", chart="no-such-chart")
    assert text.startswith("Lightdash answered 404")
    assert text.endswith(NotFound.advice)


@pytest.mark.parametrize("dashboard", ["shop-overview", places.MAIN_DASHBOARD])
async def test_a_dashboard_shows_what_each_of_its_charts_shows(sandbox: Sandbox, dashboard: str) -> None:
    async with analyst(sandbox) as session:
        answer = await session.call("run_dashboard", dashboard=dashboard, rows=3)
        saved = await session.ask("get_dashboard", dashboard=dashboard)
        alone = await session.ask("run_chart", chart="orders-by-status", rows=3)
    shown = answer.structured_content
    charts = [tile["uuid"] for tile in saved["tiles"] if "savedChartUuid" in tile["properties"]]
    assert [tile["tile_uuid"] for tile in shown["tiles"]] == charts
    assert len(charts) > 3
    by_title = {tile["title"]: tile["result"] for tile in shown["tiles"]}
    assert by_title["Orders by status"]["rows"] == alone["rows"]
    assert shown["url"] == f"http://lightdash/projects/{places.MAIN}/dashboards/{places.MAIN_DASHBOARD}"
    text = text_of(answer)
    assert text.startswith("# Shop overview\n\n## ")
    assert text.count("\n## ") == len(charts)
    assert "completed,331" in text


async def test_tiles_run_in_parallel_but_not_all_at_once_and_a_broken_one_does_not_hide_the_others() -> None:
    board = Board(tiles=9)
    async with analyst(board) as session:
        result = await session.call("run_dashboard", dashboard="board")
    shown = result.structured_content["tiles"]
    assert board.most_at_once == 6
    assert [tile["title"] for tile in shown] == [f"Tile {number}" for number in range(9)]
    assert {tile["title"]: tile.get("error") for tile in shown if "error" in tile} == {
        "Tile 2": f"Lightdash answered 404: Saved query not found. {NotFound.advice}",
        "Tile 5": "The query failed: the warehouse sleeps.",
    }
    assert [tile["result"]["rows"] for tile in shown if "result" in tile] == [
        [[number]] for number in (0, 1, 3, 4, 6, 7, 8)
    ]
    assert "## Tile 5\nThe query failed: the warehouse sleeps.\n" in text_of(result)


async def test_every_tile_runs_with_the_dashboards_filters_and_sql_charts_are_not_left_out() -> None:
    board = Board(tiles=9)
    async with analyst(board) as session:
        await session.ask("run_dashboard", dashboard="board")
    bodies = {body["tileUuid"]: (route, body) for route, body in board.submitted}
    assert len(bodies) == 9
    assert all(body["dashboardFilters"] == FILTERS for _, body in bodies.values())
    assert {route for tile, (route, _) in bodies.items() if tile != tile_uuid(8)} == {"dashboard-chart"}
    route, body = bodies[tile_uuid(8)]
    assert (route, body["savedSqlUuid"]) == ("dashboard-sql-chart", chart_uuid(8))


async def test_a_dashboard_of_text_alone_says_that_it_shows_no_chart() -> None:
    async with analyst(Board(tiles=0)) as session:
        result = await session.call("run_dashboard", dashboard="board")
    assert "No tile shows a chart." in text_of(result)


async def test_a_viewer_may_run_what_is_saved_and_look_but_not_ask(sandbox: Sandbox) -> None:
    async with analyst(sandbox, person="viewer") as session:
        assert (await session.ask("run_chart", chart="orders-by-status"))["rows"]
        assert (await session.ask("search_field_values", explore="orders", field="orders_status"))["values"]
        assert (await session.ask("compile_query", **BY_STATUS))["query"]
        assert await session.refusal("run_metric_query", **BY_STATUS) == FORBIDDEN
        assert await session.refusal("run_sql", sql="select 1") == FORBIDDEN


async def test_an_editor_may_ask_but_write_no_sql_and_see_no_private_chart(sandbox: Sandbox) -> None:
    async with analyst(sandbox, person="editor") as session:
        assert (await session.ask("run_metric_query", **BY_STATUS))["rows"]
        assert await session.refusal("run_sql", sql="select 1") == FORBIDDEN
        assert (await session.refusal("run_chart", chart="refunds")).startswith("Lightdash answered 403")


async def test_a_query_is_its_owners_alone(sandbox: Sandbox) -> None:
    async with analyst(sandbox, person="editor") as session:
        query = (await session.ask("run_metric_query", **BY_STATUS))["query_uuid"]
    async with analyst(sandbox) as session:
        for tool in ("get_query_result", "cancel_query", "calculate_total"):
            text = await session.refusal(tool, query_uuid=query)
            assert text.startswith(f"Lightdash answered 404: Query {query} not found"), tool


async def test_another_organisation_gets_nothing(sandbox: Sandbox) -> None:
    async with analyst(sandbox, person="other-org") as session:
        for tool, asked in (
            ("run_metric_query", BY_STATUS),
            ("compile_query", BY_STATUS),
            ("run_chart", {"chart": "orders-by-status"}),
            ("list_explores", {}),
        ):
            text = await session.refusal(tool, **asked)
            assert text.startswith(("Lightdash answered 403", "Lightdash answered 404")), tool


async def test_an_edition_without_a_history_of_queries_says_so() -> None:
    sandbox = Sandbox()
    async with analyst(sandbox) as session:
        text = await session.refusal("get_query_history")
    sandbox.close()
    assert text == f"Lightdash answered 403: Query history is not enabled. {Refused.advice}"


async def test_a_history_of_queries_comes_in_pages() -> None:
    def history(request: httpx2.Request) -> httpx2.Response:
        assert dict(request.url.params) == {"page": "2", "pageSize": "3"}
        entry = {"queryUuid": QUERY, "status": "ready", "createdAt": "2026-01-31T09:00:00.000Z", "compiledSql": "..."}
        place = {"page": 2, "pageSize": 3, "totalPageCount": 3, "totalResults": 7}
        return ok({"data": [entry], "pagination": place, "counts": {}})

    async with analyst(history) as session:
        answer = await session.ask("get_query_history", page=2, limit=3)
    entry = {"query_uuid": QUERY, "status": "ready", "created_at": "2026-01-31T09:00:00.000Z"}
    assert answer == {"items": [entry], "total": 7, "next_page": 3}


ASKED: Final[Mapping[str, Mapping[str, Any]]] = {
    "list_explores": {},
    "get_explore": {"explore": "orders"},
    "list_dimensions": {"explore": "orders"},
    "list_metrics": {},
    "search_fields": {"pattern": "status"},
    "search_field_values": {"explore": "orders", "field": "orders_status"},
    "get_field_lineage": {"explore": "orders", "field": "orders_status"},
    "get_table_analytics": {"table": "orders"},
    "run_metric_query": BY_STATUS,
    "compile_query": BY_STATUS,
    "run_sql": {"sql": "select 1"},
    "list_sql_tables": {},
    "list_sql_fields": {"table": "orders", "schema_name": "shop"},
    "list_charts": {},
    "list_dashboards": {},
    "list_spaces": {},
}


@pytest.mark.parametrize("tool", ASKED)
async def test_a_default_project_is_meant_wherever_none_is_named(sandbox: Sandbox, tool: str) -> None:
    service = serving(sandbox)
    async with analyst(service) as session:
        answer = await session.ask(tool, **ASKED[tool])
        assert answer.keys() == (await session.ask(tool, **ASKED[tool], project_uuid=places.MAIN)).keys()
    assert any(places.MAIN in str(request.url) for request in service.arrived)


@pytest.mark.parametrize("tool", ASKED)
async def test_without_a_default_project_one_must_be_named_and_the_error_says_how(sandbox: Sandbox, tool: str) -> None:
    service = serving(sandbox)
    async with connected(service) as session:
        text = await session.refusal(tool, **ASKED[tool])
    assert text == "Give a project_uuid: list_projects shows them. (LIGHTDASH_PROJECT_UUID sets a default.)"
    assert all(raw_path(request) == "/api/v1/health" for request in service.arrived)


def test_no_tool_requires_the_project_that_a_default_can_stand_for() -> None:
    requiring = {name for name, tool in TOOLS.items() if "project_uuid" in tool.input_schema.get("required", [])}
    assert requiring <= {"get_project"}


async def test_the_default_project_comes_from_the_environment() -> None:
    environment = {
        "LIGHTDASH_URL": "https://lightdash.example",
        "LIGHTDASH_API_KEY": "ldpat_x",
        "LIGHTDASH_PROJECT_UUID": places.MAIN.upper(),
    }
    client: LightdashClient = connect(environment)
    assert client.project(None) == places.MAIN
    assert client.project(places.PREVIEW) == places.PREVIEW
    await client.aclose()


FILTERS: Final[dict[str, Any]] = {"dimensions": [{"id": "1"}], "metrics": [], "tableCalculations": []}


def tile_uuid(number: int) -> str:
    return f"5b000000-0000-4000-8000-{number:012d}"


def chart_uuid(number: int) -> str:
    return f"3b000000-0000-4000-8000-{number:012d}"


class Board(httpx2.AsyncBaseTransport):
    """A scripted dashboard: its second tile cannot be run, its fifth fails, and its eighth is an SQL chart.

    A tile's request is answered when six are under way, so that tiles run one by one would wait for ever.
    """

    def __init__(self, tiles: int) -> None:
        self._tiles = tiles
        self._under_way = 0
        self._enough = anyio.Event()
        self.most_at_once = 0
        self.submitted: list[tuple[str, dict[str, Any]]] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        where = raw_path(request)
        if request.method == "GET" and "/dashboards/" in where:
            return ok(self._dashboard())
        if request.method == "GET":
            return self._result(int(where[-2:]))
        body = body_of(request)
        self.submitted.append((where.rpartition("/")[2], body))
        self._under_way += 1
        self.most_at_once = max(self.most_at_once, self._under_way)
        if self._under_way == 6:
            self._enough.set()
        with anyio.fail_after(5):
            await self._enough.wait()
        self._under_way -= 1
        number = int(body["tileUuid"][-2:])
        return error(404, "Saved query not found") if number == 2 else ok({"queryUuid": tile_uuid(number)})

    def _dashboard(self) -> dict[str, Any]:
        place = {"x": 0, "y": 0, "w": 1, "h": 1, "tabUuid": None}
        text = {"uuid": tile_uuid(99), "type": "markdown", "properties": {"title": "Hello", "content": "x"}, **place}
        tiles = [
            {
                "uuid": tile_uuid(number),
                "type": "saved_chart",
                "properties": {
                    "title": f"Tile {number}",
                    "savedSqlUuid" if number == 8 else "savedChartUuid": chart_uuid(number),
                },
                **place,
            }
            for number in range(self._tiles)
        ]
        where = {"projectUuid": places.MAIN, "spaceUuid": places.SALES, "spaceName": "Sales"}
        about = {"uuid": places.MAIN_DASHBOARD, "slug": "board", "name": "Board", **where}
        return {**about, "tabs": [], "tiles": [text, *tiles], "filters": FILTERS}

    def _result(self, number: int) -> httpx2.Response:
        if number == 5:
            return ok({"queryUuid": tile_uuid(5), "status": "error", "error": "the warehouse sleeps"})
        rows = [{"n": {"value": {"raw": str(number), "formatted": "n"}}}]
        page = {"rows": rows, "columns": {"n": {"type": "number"}}, "totalResults": 1}
        return ok({"queryUuid": tile_uuid(number), "status": "ready", **page})
