"""Charts are drawn from a kind and columns, as Lightdash's own pages save them; what cannot be drawn is refused."""

import json
from typing import Any, Final, get_args

import pytest
from tests.lightdash import places
from tests.lightdash.analyst import Prompt, analyst, body_of
from tests.lightdash.sessions import serving
from tests.shared import SHARED, absence

from aboveboard.errors import BadInput
from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.tools.charts.drawing import Kind, chart_parts

pytestmark = pytest.mark.anyio

CHARTS: Final = SHARED / "recordings" / "lightdash-objects" / "charts.json"
MONTH, AMOUNT, COUNT, STATUS = (
    *("orders_order_date_month", "orders_total_order_amount", "orders_unique_order_count"),
    "orders_status",
)
DRAWN: Final[dict[str, dict[str, Any]]] = {
    "create-table-pivot": {"kind": "table", "group_by": STATUS},
    "create-bar": {"kind": "bar"},
    "create-bar-stacked": {"kind": "bar", "stacked": True},
    "create-bar-grouped": {"kind": "bar", "group_by": STATUS},
    "create-bar-grouped-stacked": {"kind": "bar", "group_by": STATUS, "stacked": True},
    "create-bar-horizontal": {"kind": "horizontal_bar"},
    "create-line": {"kind": "line"},
    "create-line-grouped": {"kind": "line", "group_by": STATUS},
    "create-area": {"kind": "area"},
    "create-area-stacked": {"kind": "area", "group_by": STATUS, "stacked": True},
    "create-scatter": {"kind": "scatter", "x": AMOUNT, "y": [COUNT]},
    "create-pie": {"kind": "pie"},
    "create-treemap": {"kind": "treemap"},
}
"""The smallest charts that a real Lightdash was seen to draw, and how they are asked for here."""


def asked_for(query: dict[str, Any], *, kind: Any, **named: Any) -> dict[str, Any]:
    placed: dict[str, Any] = {"x": None, "y": None, "group_by": None, "stacked": False, **named}
    return chart_parts(kind, query, **placed)


def recorded(step: str) -> dict[str, Any]:
    if not CHARTS.is_file():
        pytest.skip(absence(CHARTS))
    return next(
        one["request"]["body"]
        for one in json.loads(CHARTS.read_text("utf-8"))
        if (one["scenario"], one["step"].removeprefix("NN-")) == ("minimal", step)
    )


def simplest(config: dict[str, Any]) -> dict[str, Any]:
    """Reduce the series of a grouped chart to the one that the others are made after; drop what a table adds."""
    if config["type"] == "table":
        return {"type": "table"}
    if series := config.get("config", {}).get("eChartsConfig", {}).get("series"):
        first = json.loads(json.dumps(series))
        for one in first:
            one["encode"]["yRef"].pop("pivotValues", None)
        config["config"]["eChartsConfig"]["series"] = [one for at, one in enumerate(first) if one not in first[:at]]
    return config


@pytest.mark.parametrize("step", DRAWN)
def test_what_is_drawn_is_what_a_real_lightdash_was_seen_to_draw(step: str) -> None:
    wanted, body = DRAWN[step], recorded(step)
    made = asked_for(body["metricQuery"], **wanted)
    assert simplest(made["chartConfig"]) == simplest(body["chartConfig"])
    assert made.get("pivotConfig") == body.get("pivotConfig")


@pytest.mark.parametrize("kind", ["funnel", "gauge", "big-number"])
def test_what_is_said_of_a_number_or_a_funnel_is_part_of_what_a_real_lightdash_was_seen_to_draw(kind: str) -> None:
    body = recorded(f"create-{kind}")
    made = asked_for(body["metricQuery"], kind=kind.replace("-", "_"))["chartConfig"]
    assert made["type"] == body["chartConfig"]["type"]
    assert made["config"].items() <= body["chartConfig"]["config"].items()


BY_MONTH: Final = {"dimensions": [MONTH, STATUS], "metrics": [AMOUNT]}


@pytest.mark.parametrize(
    ("kind", "query", "named", "said"),
    [
        ("bar", BY_MONTH, {}, "more than one for each orders_order_date_month. Leave orders_status out"),
        ("bar", BY_MONTH, {"group_by": AMOUNT}, "no dimension 'orders_total_order_amount'"),
        ("bar", BY_MONTH, {"x": STATUS, "group_by": STATUS}, "cannot be both x and group_by"),
        ("bar", {"metrics": [AMOUNT]}, {}, "needs a dimension along its axis"),
        ("line", {"dimensions": [MONTH]}, {}, "needs a metric to draw"),
        ("line", BY_MONTH, {"y": ["orders_nope"]}, "has no column 'orders_nope'"),
        ("table", BY_MONTH, {"x": MONTH}, "leave out x and y"),
        ("pie", {"metrics": [AMOUNT]}, {}, "needs a dimension to divide by"),
        ("pie", BY_MONTH, {"stacked": True}, "cannot be stacked"),
        ("scatter", BY_MONTH, {"stacked": True}, "cannot be stacked"),
        ("big_number", {"dimensions": [MONTH]}, {}, "draws a metric, and the query has none"),
        ("gauge", {"metrics": [AMOUNT, COUNT]}, {"y": [AMOUNT, COUNT]}, "draws one column"),
        ("funnel", BY_MONTH, {"group_by": STATUS}, "leave out group_by"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_what_could_be(
    kind: Any, query: dict[str, Any], named: dict[str, Any], said: str
) -> None:
    with pytest.raises(BadInput, match=said):
        asked_for(query, kind=kind, **named)


async def test_a_question_becomes_a_chart_on_a_dashboard_in_two_calls(sandbox: Sandbox) -> None:
    asked = {"explore": "orders", "dimensions": ["orders_status"], "metrics": ["orders_order_count"]}
    async with analyst(sandbox) as session:
        ran = await session.ask("run_metric_query", **asked)
        made = await session.ask(
            "create_chart",
            name="Orders by status",
            space_uuid=places.SALES,
            query_uuid=ran["query_uuid"],
            chart_type="bar",
            dashboard=places.MAIN_DASHBOARD,
        )
        board = await session.ask("get_dashboard", dashboard=places.MAIN_DASHBOARD)
        rows = await session.ask("run_chart", chart=made["uuid"])
    assert made["chart_config"]["config"]["layout"] == {"xField": "orders_status", "yField": ["orders_order_count"]}
    assert board["tiles"][-1]["properties"]["savedChartUuid"] == made["uuid"]
    shown = made["on_dashboard"]
    assert (shown["uuid"], shown["name"], shown["url"]) == (board["uuid"], board["name"], board["url"])
    assert "filters" not in shown
    assert rows["rows"] == ran["rows"]


async def test_a_chart_takes_over_a_query_that_ran_and_is_put_on_a_dashboard_once(sandbox: Sandbox) -> None:
    asked = {"explore": "customers", "dimensions": ["customers_country"], "metrics": ["customers_customer_count"]}
    async with analyst(sandbox) as session:
        board = await session.ask("create_dashboard", name="Fresh", space_uuid="Sales")
        ran = await session.ask("run_metric_query", **asked)
        place = {"chart": places.MAIN_CHART, "query_uuid": ran["query_uuid"], "dashboard": "Fresh"}
        await session.ask("update_chart", **place, chart_type="bar")
        new = await session.ask("update_chart", **place, chart_type="pie")
        shown = await session.ask("get_dashboard", dashboard=board["uuid"])
        rows = await session.ask("run_chart", chart=places.MAIN_CHART)
    assert (new["table_name"], new["metric_query"]["exploreName"]) == ("customers", "customers")
    assert new["on_dashboard"]["uuid"] == board["uuid"]
    assert [one["properties"]["savedChartUuid"] for one in shown["tiles"]] == [places.MAIN_CHART]
    assert rows["rows"] == ran["rows"]


async def test_of_a_dashboard_that_filters_the_new_chart_it_is_said_by_what(sandbox: Sandbox) -> None:
    asked = {"explore": "orders", "metrics": ["orders_order_count"], "dashboard": "weekly-review"}
    async with analyst(sandbox) as session:
        made = await session.ask("create_chart", name="Orders", **asked)
        board = await session.ask("get_dashboard", dashboard="weekly-review")
    assert made["on_dashboard"]["filters"][0] == "orders_is_completed equals true"
    assert made["space_uuid"] == board["space_uuid"]


async def test_where_the_dashboard_is_not_there_no_chart_is_made(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    async with analyst(service) as session:
        await session.refusal(
            "create_chart", name="x", space_uuid=places.SALES, explore="orders", dashboard="no-such-dashboard"
        )
    assert {request.method for request in service.arrived} == {"GET"}


async def test_a_chart_that_is_drawn_as_another_kind_keeps_its_groups(sandbox: Sandbox) -> None:
    query = {"dimensions": ["orders_order_date_month", "orders_status"], "metrics": ["orders_order_count"]}
    asked: dict[str, Any] = {"explore": "orders", **query, "chart_type": "line", "group_by": "orders_status"}
    async with analyst(sandbox) as session:
        made = await session.ask("create_chart", name="x", space_uuid=places.SALES, **asked)
        area = await session.ask("update_chart", chart=made["uuid"], chart_type="area", stacked=True)
        turned = await session.ask(
            "update_chart", chart=made["uuid"], chart_type="bar", x="orders_status", group_by="orders_order_date_month"
        )
    assert area["pivot_config"] == made["pivot_config"] == {"columns": ["orders_status"]}
    assert area["chart_config"]["config"]["layout"]["xField"] == "orders_order_date_month"
    assert turned["pivot_config"] == {"columns": ["orders_order_date_month"]}


async def test_a_chart_that_is_drawn_anew_without_groups_loses_its_groups_and_nothing_else(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        query = {"dimensions": ["orders_order_date_month", "orders_status"], "metrics": ["orders_order_count"]}
        made = await session.ask(
            "create_chart",
            name="x",
            space_uuid=places.SALES,
            explore="orders",
            **query,
            chart_type="line",
            group_by="orders_status",
        )
        plain = await session.ask("update_chart", chart=made["uuid"], dimensions=["orders_status"], chart_type="pie")
        document = await session.ask("list_charts_as_code", slugs=[made["slug"]])
    assert plain["chart_config"]["type"] == "pie"
    assert "pivotConfig" not in document["items"][0]
    assert plain["metric_query"]["metrics"] == ["orders_order_count"]


@pytest.mark.parametrize("kind", get_args(Kind))
async def test_a_chart_is_saved_with_all_that_lightdash_needs_and_for_the_explore_that_it_asks(
    sandbox: Sandbox, kind: str
) -> None:
    service = Prompt(sandbox)
    asked = {"name": "Whole", "space_uuid": places.SALES, "explore": "orders", "dimensions": ["orders_status"]}
    async with analyst(service) as session:
        await session.ask(
            "create_chart", **asked, metrics=["orders_order_count", "orders_total_revenue"], chart_type=kind
        )
    [body] = [body_of(one) for one in service.arrived if one.method == "POST"]
    query, config = body["metricQuery"], body["chartConfig"]
    assert query.keys() >= {"dimensions", "metrics", "filters", "sorts", "limit"}
    assert query["exploreName"] == body["tableName"] == "orders"
    assert body["tableConfig"]["columnOrder"] == ["orders_status", "orders_order_count", "orders_total_revenue"]
    # Without these a real one answers 500, and stores the chart all the same.
    assert config["type"] != "cartesian" or config["config"]["eChartsConfig"]["series"]
