"""Running what is saved: a chart of either kind, or a whole dashboard."""

from typing import Any, Final

import anyio
import httpx2
import pytest
from tests.lightdash import places
from tests.lightdash.analyst import Prompt, analyst, body_of
from tests.lightdash.calls import arranged
from tests.lightdash.sessions import error, ok, raw_path, text_of
from tests.patience import patience

from aboveboard.errors import NotFound
from aboveboard.lightdash.client.dashboards.filters import filters_in_words
from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio


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


async def test_a_sql_chart_runs_like_any_other_that_the_list_shows(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        listed = (await session.ask("list_charts", limit=200))["items"]
        (uuid,) = [chart["uuid"] for chart in listed if chart["source"] == "sql"]
        by_uuid, by_slug = [await session.ask("run_chart", chart=one) for one in (uuid, places.SQL_CHART_SLUG)]
        saved = await session.ask("get_sql_chart", sql_chart=uuid)
        alone = await session.ask("run_sql", sql=saved["sql"])
        cut = await session.ask("run_chart", chart=uuid, limit=2)
    assert by_uuid["rows"] == by_slug["rows"] == alone["rows"]
    assert by_uuid["columns"] == alone["columns"]
    assert by_uuid["url"] == f"http://lightdash/projects/{places.MAIN}/sql-runner/{places.SQL_CHART_SLUG}"
    assert (len(cut["rows"]), "The limit of 2 rows was reached" in cut["next_step"]) == (2, True)


async def test_a_sql_chart_is_found_in_its_project_only_and_the_error_says_so(sandbox: Sandbox) -> None:
    async with analyst(sandbox, project=None) as session:
        saved = await session.ask("get_sql_chart", sql_chart=places.SQL_CHART_SLUG, project_uuid=places.MAIN)
        text = await session.refusal("run_chart", chart=saved["saved_sql_uuid"])
        elsewhere = await session.refusal("run_chart", chart=places.SQL_CHART_SLUG, project_uuid=places.PREVIEW)
        for given in (places.SQL_CHART_SLUG, saved["name"]):  # the only project that is no preview is meant
            assert (await session.ask("run_chart", chart=given))["rows"]
    assert text.startswith("Lightdash answered 404")
    assert text.endswith("If it is a SQL chart, give its project_uuid too.")
    assert elsewhere.startswith("Lightdash answered 404")


async def test_a_tile_may_show_a_sql_chart_and_runs_with_the_others(sandbox: Sandbox) -> None:
    board = {"dashboard": "weekly-review"}
    async with analyst(sandbox) as session:
        await session.ask("add_dashboard_tile", chart=places.SQL_CHART_SLUG, **board)
        alone = await session.ask("run_chart", chart=places.SQL_CHART_SLUG, rows=4)
        shown = (await session.ask("run_dashboard", rows=4, **board))["tiles"][-1]
        tile = (await session.ask("get_dashboard", **board))["tiles"][-1]
    assert (tile["type"], tile["properties"]["savedSqlUuid"]) == ("sql_chart", shown["chart_uuid"])
    assert shown["title"] == tile["properties"]["chartName"] == "Busiest hours"
    assert shown["result"]["rows"] == alone["rows"]


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


async def test_every_tile_runs_with_the_parameters_that_are_saved_with_the_dashboard_unless_others_are_given(
    sandbox: Sandbox,
) -> None:
    service = Prompt(sandbox)
    async with analyst(service) as session:
        board = (await arranged(session, "update_dashboard"))["dashboard"]
        await session.ask("run_dashboard", dashboard=board)
        saved = parameters_sent(service)
        await session.ask("run_dashboard", dashboard=board, parameters={"currency": "gbp"})
    assert saved
    assert all(one == {"currency": "eur"} for one in saved)
    assert all(one == {"currency": "gbp"} for one in parameters_sent(service)[len(saved) :])


def parameters_sent(service: Prompt) -> list[dict[str, Any]]:
    sent = [one for one in service.arrived if one.method == "POST" and "/query/dashboard-" in raw_path(one)]
    return [body_of(one)["parameters"] for one in sent]


async def test_a_tile_says_which_of_the_dashboards_filters_applied_to_it(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        answer = await session.call("run_dashboard", dashboard="weekly-review")
        others = await session.call("run_dashboard", dashboard="shop-overview", rows=1)
    [tile] = answer.structured_content["tiles"]
    applied = ["orders_is_completed equals true", "orders_order_date_week inThePast 8 completed weeks"]
    assert tile["filters"] == applied
    assert f"## Orders per week\nDashboard filters: {'; '.join(applied)}\n" in text_of(answer)
    assert "filters" not in text_of(others)
    assert all("filters" not in one for one in others.structured_content["tiles"])


async def test_a_new_tile_says_which_of_the_dashboards_filters_apply_to_it(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        board = {"dashboard": "weekly-review"}
        made = await session.ask("add_dashboard_tile", chart="orders-by-status", **board)
        ran = await session.ask("run_dashboard", **board)
        untouched = await session.ask("add_dashboard_tile", chart="cafe/regulars", **board)
        sql = await session.ask("add_dashboard_tile", chart=places.SQL_CHART_SLUG, **board)
        text = await session.ask("add_dashboard_tile", markdown="Hello", **board)
        elsewhere = await session.ask(
            "add_dashboard_tile", chart="orders-by-status", dashboard="shop-overview", tab_uuid="Today"
        )
        again = await session.ask("run_dashboard", **board)
    assert made["tile_filters"] == ran["tiles"][-1]["filters"]
    assert len(made["tile_filters"]) == 2
    assert (untouched["tile_filters"], sql["tile_filters"]) == ([], [])
    assert ["filters" in one for one in again["tiles"]] == [True, True, False, False]
    assert "tile_filters" not in text
    assert "tile_filters" not in elsewhere


def test_filters_are_told_by_what_they_are_on_a_tile_and_briefly() -> None:
    many = {"target": {"fieldId": "a"}, "operator": "equals", "values": [1, "b", None, True, 2.5, 6, 7]}
    moved = {"target": {"fieldId": "a"}, "operator": "isNull", "tileTargets": {"t": {"fieldId": "b"}, "u": False}}
    now = {"target": {"fieldId": "c"}, "operator": "inTheCurrent", "values": [1], "settings": {"unitOfTime": "years"}}
    off = {**many, "disabled": True}
    filters = {"dimensions": [many, moved, off], "metrics": [now]}
    one_of_many = "a equals 1, b, null, true, 2.5 and 2 more"
    assert filters_in_words(filters) == {"a": [one_of_many, "a isNull"], "c": ["c inTheCurrent years"]}
    assert filters_in_words(filters, "t") == {"a": [one_of_many], "b": ["b isNull"], "c": ["c inTheCurrent years"]}
    assert filters_in_words(filters, "u") == {"a": [one_of_many], "c": ["c inTheCurrent years"]}


async def test_a_dashboard_of_text_alone_says_that_it_shows_no_chart() -> None:
    async with analyst(Board(tiles=0)) as session:
        result = await session.call("run_dashboard", dashboard="board")
    assert "No tile shows a chart." in text_of(result)


STATE: Final[dict[str, Any]] = {"id": "1", "target": {"fieldId": "orders_status", "tableName": "orders"}}
FILTERS: Final[dict[str, Any]] = {
    "dimensions": [{**STATE, "operator": "equals", "values": ["placed"]}],
    **{"metrics": [], "tableCalculations": []},
}


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
        with anyio.fail_after(patience(5)):
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
