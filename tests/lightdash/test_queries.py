"""Queries: what is asked of an explore."""

import json
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.lightdash import places
from tests.lightdash.analyst import Prompt, analyst
from tests.lightdash.sandbox.asking import table
from tests.lightdash.scripted import BY_STATUS, QUERY
from tests.lightdash.sessions import serving, text_of

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

ORDERS: Final = table("orders")


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


@pytest.mark.surprise(63, 64)
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
        ({"explore": "odrers"}, "The project has no explore 'odrers': did you mean 'orders'?"),
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


@pytest.mark.surprise(59)
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


async def test_the_limit_is_remembered_for_a_while_and_then_asked_for_again(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, Any] = {"explore": "visits", "dimensions": ["visits_visit_id"], "limit": 1}
    service = Prompt(sandbox)

    async def looks() -> int:
        async with analyst(service) as session:
            service.arrived.clear()
            for _ in range(2):
                await session.ask("run_metric_query", **asked)
        return [request.url.path for request in service.arrived].count("/api/v1/health")

    assert await looks() == 1
    monkeypatch.setattr("aboveboard.http.once.AGE", -1.0)
    assert await looks() == 2


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


@pytest.mark.surprise(64)
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


@pytest.mark.surprise(67)
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
