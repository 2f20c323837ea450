"""Metric queries against results worked out by hand or in Python over the data itself."""

from collections import defaultdict
from collections.abc import AsyncIterator

import pytest
from tests.lightdash.sandbox.asking import MAIN, Asker, asker, formatted, only, query, raw, table

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

ORDERS, CUSTOMERS, PRODUCTS, PAYMENTS = (table(name) for name in ("orders", "customers", "products", "payments"))


@pytest.fixture
async def admin() -> AsyncIterator[Asker]:
    sandbox = Sandbox()
    person = asker(sandbox)
    yield person
    await person.client.aclose()
    sandbox.close()


async def test_the_shops_totals_are_these(admin: Asker) -> None:
    totals = "orders_order_count orders_total_revenue orders_total_items orders_smallest_order orders_largest_order"
    [row] = await admin.rows("orders", totals + " orders_first_order orders_promo_uses orders_average_order_value")
    assert row == {
        "orders_order_count": "400",
        "orders_total_revenue": 6839.35,
        "orders_total_items": "1246",
        "orders_smallest_order": 0.76,
        "orders_largest_order": 94.5,
        "orders_first_order": "2024-11-19",
        "orders_promo_uses": "69",
        "orders_average_order_value": 17.098375,
    }


async def test_every_kind_of_metric_is_what_python_makes_of_the_rows(admin: Asker) -> None:
    fields = "orders_source orders_order_count orders_total_revenue orders_average_order_value orders_smallest_order"
    rows = await admin.rows("orders", f"{fields} orders_largest_order orders_net_revenue orders_promo_uses")
    assert {row["orders_source"] for row in rows} == {"counter", "phone", "web"}
    for row in rows:
        mine = [order for order in ORDERS if order["source"] == row["orders_source"]]
        amounts = [order["amount"] for order in mine]
        assert row["orders_order_count"] == str(len(mine))
        assert row["orders_total_revenue"] == pytest.approx(sum(amounts))
        assert row["orders_average_order_value"] == pytest.approx(sum(amounts) / len(mine))
        assert (row["orders_smallest_order"], row["orders_largest_order"]) == (min(amounts), max(amounts))
        assert row["orders_net_revenue"] == pytest.approx(sum(amounts) - sum(order["tax"] for order in mine))
        assert row["orders_promo_uses"] == str(sum(order["promo_code"] is not None for order in mine))


async def test_a_join_brings_in_the_one_row_on_the_other_side(admin: Asker) -> None:
    rows = await admin.rows("orders", "customers_country products_category orders_total_revenue orders_order_count")
    country = {customer["customer_id"]: customer["country"] for customer in CUSTOMERS}
    category = {product["product_id"]: product["category"] for product in PRODUCTS}
    expected: defaultdict[tuple[str, str], float] = defaultdict(float)
    for order in ORDERS:
        expected[country[order["customer_id"]], category[order["product_id"]]] += order["amount"]
    got = {(row["customers_country"], row["products_category"]): row["orders_total_revenue"] for row in rows}
    assert got == pytest.approx(dict(expected))
    assert sum(int(row["orders_order_count"]) for row in rows) == len(ORDERS)


async def test_a_join_over_a_join_reaches_the_customers_of_payments(admin: Asker) -> None:
    rows = await admin.rows("payments", "customers_country payments_total_amount")
    assert len(rows) == len({customer["country"] for customer in CUSTOMERS})
    total = sum(payment["amount"] for payment in PAYMENTS)
    assert sum(row["payments_total_amount"] for row in rows) == pytest.approx(total) == pytest.approx(6612.67)


async def test_what_is_empty_is_a_group_of_its_own_and_shown_as_such(admin: Asker) -> None:
    results = await admin.ask("metric-query", {"query": query("customers", "customers_city customers_customer_count")})
    assert {"customers_city": None, "customers_customer_count": "9"} in raw(results)
    assert {"customers_city": "∅", "customers_customer_count": "9"} in formatted(results)


@pytest.mark.parametrize(
    ("sort", "places"),
    [
        ({"descending": False}, (-1, "Berlin", 0)),
        ({"descending": True}, (0, "東京", 1)),
        ({"descending": False, "nullsFirst": True}, (0, "Berlin", 1)),
        ({"descending": True, "nullsFirst": False}, (-1, "東京", 0)),
    ],
)
async def test_empty_values_sort_as_the_largest_unless_told_otherwise(
    admin: Asker, sort: dict[str, bool], places: tuple[int, str, int]
) -> None:
    rows = await admin.rows("customers", "customers_city", sorts=[{"fieldId": "customers_city", **sort}])
    names = [row["customers_city"] for row in rows]
    empty, first, at = places
    assert (names[empty], names[at]) == (None, first)


async def test_two_sorts_count_in_their_order(admin: Asker) -> None:
    sorts = [{"fieldId": "orders_quantity", "descending": True}, {"fieldId": "orders_order_id", "descending": False}]
    rows = await admin.rows("orders", "orders_quantity orders_order_id", sorts=sorts)
    expected = sorted(ORDERS, key=lambda order: (-order["quantity"], order["order_id"]))
    assert [row["orders_order_id"] for row in rows] == [order["order_id"] for order in expected]


async def test_a_total_is_the_sum_of_its_parts_for_sums_and_the_whole_for_averages(admin: Asker) -> None:
    asked = query("orders", "orders_status orders_total_revenue orders_order_count orders_average_order_value")
    submitted = (await admin.submit("metric-query", {"query": asked})).json()["results"]["queryUuid"]
    parts = raw(await admin.finish(submitted))
    [total] = raw(await admin.ask(f"{submitted}/calculate-total", {"kind": "grandTotal"}))
    assert total["orders_total_revenue"] == pytest.approx(sum(part["orders_total_revenue"] for part in parts))
    assert int(total["orders_order_count"]) == sum(int(part["orders_order_count"]) for part in parts) == 400
    assert total["orders_average_order_value"] == pytest.approx(6839.35 / 400)


async def test_a_total_keeps_the_filters_of_its_query(admin: Asker) -> None:
    filters = {"dimensions": only("orders_status", "equals", "placed")}
    asked = query("orders", "orders_source orders_order_count", filters=filters)
    submitted = (await admin.submit("metric-query", {"query": asked})).json()["results"]["queryUuid"]
    assert raw(await admin.ask(f"{submitted}/calculate-total", {"kind": "columnTotal"})) == [
        {"orders_order_count": "12"}
    ]


async def test_underlying_data_are_the_rows_behind_a_number_without_what_is_hidden(admin: Asker) -> None:
    asked = query("orders", "orders_status orders_order_count")
    source = (await admin.submit("metric-query", {"query": asked})).json()["results"]["queryUuid"]
    body = {
        "underlyingDataSourceQueryUuid": source,
        "underlyingDataItemId": "orders_order_count",
        "filters": {"dimensions": only("orders_status", "equals", "returned")},
    }
    rows = raw(await admin.ask("underlying-data", body))
    assert {row["orders_order_id"] for row in rows} == {
        order["order_id"] for order in ORDERS if order["status"] == "returned"
    }
    assert {"customers_name", "products_price"} <= rows[0].keys()
    assert not {"customers_email", "orders_tax", "orders_order_date_month"} & rows[0].keys()


async def test_a_table_calculation_is_worked_out_row_by_row(admin: Asker) -> None:
    calculation = {
        "name": "per_order",
        "displayName": "Per order",
        "sql": "${orders.total_revenue} / ${orders.order_count}",
    }
    rows = await admin.rows(
        "orders", "orders_status orders_total_revenue orders_order_count", tableCalculations=[calculation]
    )
    assert len(rows) == 5
    for row in rows:
        assert row["per_order"] == pytest.approx(row["orders_total_revenue"] / int(row["orders_order_count"]))


@pytest.mark.parametrize(
    "sql",
    [
        "1) FROM metrics; --",
        "1 -- x",
        "1 /* x */",
        "1; DROP TABLE orders",
        "1))",
        "${orders.order_count",
        "",
        "1 UNION SELECT 2",
    ],
)
async def test_a_table_calculation_is_an_expression_and_nothing_more(admin: Asker, sql: str) -> None:
    asked = query("orders", "orders_status orders_order_count", tableCalculations=[{"name": "x", "sql": sql}])
    answer = await admin.submit("metric-query", {"query": asked})
    assert (answer.status_code, answer.json()["error"]["name"]) == (400, "CompileError")


async def test_a_metric_made_up_for_one_query_counts_like_the_others(admin: Asker) -> None:
    extra = {"table": "orders", "name": "median_amount", "type": "median", "sql": "${TABLE}.amount", "label": "Median"}
    asked = query("orders", "", metrics=["orders_median_amount"], additionalMetrics=[extra])
    [row] = raw(await admin.ask("metric-query", {"query": asked}))
    amounts = sorted(order["amount"] for order in ORDERS)
    assert row["orders_median_amount"] == pytest.approx((amounts[199] + amounts[200]) / 2)


async def test_a_parameter_is_a_value_of_the_query(admin: Asker) -> None:
    asked = query("orders", "orders_revenue_in_currency")
    results = {
        currency: raw(await admin.ask("metric-query", {"query": asked, "parameters": {"currency": currency}}))
        for currency in ("usd", "eur", "x' END) FROM orders --")
    }
    assert [row["orders_revenue_in_currency"] for [row] in results.values()] == pytest.approx(
        [6839.35, 6839.35 * 0.9, 6839.35]
    )


async def test_the_compiled_query_gives_the_same_rows_in_the_sql_runner(admin: Asker) -> None:
    asked = query(
        "orders",
        "customers_country orders_order_date_quarter orders_total_revenue orders_order_count",
        filters={
            "dimensions": only("customers_name", "notEquals", "Ana O'Brien"),
            "metrics": only("orders_order_count", "greaterThan", 3),
        },
        sorts=[{"fieldId": "orders_total_revenue", "descending": True}],
        limit=12,
    )
    compiled = await admin.client.post(f"/api/v1/projects/{MAIN}/explores/orders/compileQuery", json=asked)
    text = compiled.json()["results"]["query"]
    assert "'Ana O''Brien'" in text
    by_sql = [list(row.values()) for row in await admin.sql(text)]
    by_query = [list(row.values()) for row in raw(await admin.ask("metric-query", {"query": asked}))]
    assert len(by_query) == 12
    assert [row[0] for row in by_sql] == [row[0] for row in by_query]
    assert [row[2] for row in by_sql] == pytest.approx([row[2] for row in by_query])


async def test_products_know_what_orders_sold(admin: Asker) -> None:
    by_order = await admin.rows("orders", "products_name orders_total_items orders_total_revenue")
    by_product = {
        row["products_name"]: row for row in await admin.rows("products", "products_name products_units_sold")
    }
    assert len(by_product) == 20
    for row in by_order:
        assert by_product[row["products_name"]]["products_units_sold"] == row["orders_total_items"]
    assert by_product.keys() - {row["products_name"] for row in by_order} == {"Gift card"}


async def test_money_percent_and_yes_or_no_are_shown_for_people(admin: Asker) -> None:
    asked = query("products", "products_name products_price products_margin", limit=1)
    [row] = formatted(await admin.ask("metric-query", {"query": asked}))
    [beans] = [product for product in PRODUCTS if product["name"] == row["products_name"]]
    margin = f"{(beans['revenue'] - beans['spent']) / beans['revenue']:.1%}"
    assert row == {"products_name": "Arabica beans, 1 kg", "products_price": "$18.90", "products_margin": margin}
    results = await admin.ask("metric-query", {"query": query("customers", "customers_is_member")})
    assert [row["customers_is_member"] for row in raw(results)] == [None, False, True]
    assert [row["customers_is_member"] for row in formatted(results)] == ["∅", "False", "True"]


async def test_every_seeded_chart_runs_and_has_rows(admin: Asker) -> None:
    for number in range(1, 14):
        results = await admin.ask("chart", {"chartUuid": f"3a000000-0000-4000-8000-{number:012d}"})
        assert (results["status"], bool(results["rows"])) == ("ready", True), number


async def test_a_dashboards_filter_reaches_the_charts_that_have_its_field_and_no_other(admin: Asker) -> None:
    rule = {"id": "f", "target": {"fieldId": "orders_status", "tableName": "orders"}, "operator": "equals"}
    body: dict[str, object] = {
        "dashboardUuid": "shop-overview",
        "tileUuid": "5a000000-0000-4000-8000-000000000104",
        "dashboardFilters": {"dimensions": [rule | {"values": ["placed"]}], "metrics": [], "tableCalculations": []},
        "dashboardSorts": [],
    }
    orders = await admin.ask("dashboard-chart", body | {"chartUuid": "orders-by-status"})
    assert raw(orders) == [{"orders_status": "placed", "orders_order_count": "12"}]
    countries = await admin.submit("dashboard-chart", body | {"chartUuid": "customers-by-country"})
    assert countries.json()["results"]["appliedDashboardFilters"]["dimensions"] == []
    assert len(raw(await admin.finish(countries.json()["results"]["queryUuid"]))) == 6


async def test_a_tile_can_be_left_out_of_a_dashboards_filter(admin: Asker) -> None:
    tile = "5a000000-0000-4000-8000-000000000104"
    rule = {"id": "f", "target": {"fieldId": "orders_status"}, "operator": "equals", "values": ["placed"]}
    body: dict[str, object] = {
        "chartUuid": "orders-by-status",
        "dashboardUuid": "shop-overview",
        "tileUuid": tile,
        "dashboardFilters": {"dimensions": [rule | {"tileTargets": {tile: False}}]},
        "dashboardSorts": [],
    }
    assert len(raw(await admin.ask("dashboard-chart", body))) == 5
