"""Every filter operator, on every type it is for, against the same condition in Python over the data itself."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from tests.lightdash.sandbox.asking import Asker, Row, asker, only, query, table

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

# The sandbox's clock stands at Monday, 16 November 2026, 9:00.
ORDERS = table("orders")
Test = Callable[[Row], bool]


@pytest.fixture
async def admin() -> AsyncIterator[Asker]:
    sandbox = Sandbox()
    person = asker(sandbox)
    yield person
    await person.client.aclose()
    sandbox.close()


async def kept(admin: Asker, group: dict[str, Any]) -> set[int]:
    rows = await admin.rows("orders", "orders_order_id", filters={"dimensions": group})
    return {row["orders_order_id"] for row in rows}


def expected(test: Test) -> set[int]:
    found = {row["order_id"] for row in ORDERS if test(row)}
    # A condition that all rows or none pass would show nothing.
    assert 0 < len(found) < len(ORDERS)
    return found


def day(row: Row) -> str:
    return row["order_date"][:10]


STRINGS: list[tuple[str, str, list[object], Test]] = [
    ("status", "equals", ["placed", "shipped"], lambda row: row["status"] in {"placed", "shipped"}),
    ("status", "notEquals", ["completed"], lambda row: row["status"] != "completed"),
    # What is empty is not equal to anything, so it passes.
    ("promo_code", "notEquals", ["CAFÉ5"], lambda row: row["promo_code"] != "CAFÉ5"),
    ("promo_code", "isNull", [], lambda row: row["promo_code"] is None),
    ("promo_code", "notNull", [], lambda row: row["promo_code"] is not None),
    ("promo_code", "startsWith", ["CAF"], lambda row: (row["promo_code"] or "").startswith("CAF")),
    ("promo_code", "endsWith", ["10", "É5"], lambda row: (row["promo_code"] or "").endswith(("10", "É5"))),
    ("status", "include", ["urn"], lambda row: "urn" in row["status"]),
    ("status", "include", ["n_p"], lambda row: "n_p" in row["status"]),
    ("promo_code", "doesNotInclude", ["WEL"], lambda row: "WEL" not in (row["promo_code"] or "")),
]
NUMBERS: list[tuple[str, str, list[object], Test]] = [
    ("quantity", "equals", [2, "3"], lambda row: row["quantity"] in {2, 3}),
    ("quantity", "notEquals", [1], lambda row: row["quantity"] != 1),
    ("amount", "lessThan", [8.8], lambda row: row["amount"] < 8.8),
    ("amount", "lessThanOrEqual", [8.8], lambda row: row["amount"] <= 8.8),
    ("amount", "greaterThan", [20], lambda row: row["amount"] > 20),
    ("amount", "greaterThanOrEqual", ["20"], lambda row: row["amount"] >= 20),
    ("amount", "inBetween", [4.4, 8.8], lambda row: 4.4 <= row["amount"] <= 8.8),
    ("amount", "notInBetween", [4.4, 8.8], lambda row: not 4.4 <= row["amount"] <= 8.8),
]
BOOLEANS: list[tuple[str, str, list[object], Test]] = [
    ("is_completed", "equals", [True], lambda row: row["is_completed"] == 1),
    ("is_completed", "equals", ["false"], lambda row: row["is_completed"] == 0),
    ("is_completed", "notEquals", [True], lambda row: row["is_completed"] != 1),
]
DATES: list[tuple[str, str, list[object], Test]] = [
    ("order_date_day", "equals", ["2026-11-15"], lambda row: day(row) == "2026-11-15"),
    ("order_date_month", "equals", ["2026-02-01"], lambda row: day(row)[:7] == "2026-02"),
    ("order_date_day", "notEquals", ["2026-11-15"], lambda row: day(row) != "2026-11-15"),
    ("order_date_day", "lessThan", ["2025-01-02"], lambda row: day(row) < "2025-01-02"),
    ("order_date_day", "lessThanOrEqual", ["2025-01-02"], lambda row: day(row) <= "2025-01-02"),
    ("order_date_day", "greaterThan", ["2026-11-13"], lambda row: day(row) > "2026-11-13"),
    ("order_date", "greaterThanOrEqual", ["2026-11-15T11:25:00Z"], lambda row: row["order_date"] >= "2026-11-15 11:25"),
    ("order_date", "lessThan", ["2024-11-21T18:00:00+01:00"], lambda row: row["order_date"] < "2024-11-21 17:00:00"),
    ("order_date_day", "inBetween", ["2026-01-01", "2026-01-31"], lambda row: day(row)[:7] == "2026-01"),
    ("delivery_date", "isNull", [], lambda row: row["delivery_date"] is None),
    ("delivery_date", "notNull", [], lambda row: row["delivery_date"] is not None),
]


@pytest.mark.parametrize(("field", "operator", "values", "test"), [*STRINGS, *NUMBERS, *BOOLEANS, *DATES])
async def test_an_operator_keeps_the_rows_that_its_words_say(
    admin: Asker, field: str, operator: str, values: list[object], test: Test
) -> None:
    assert await kept(admin, only(f"orders_{field}", operator, *values)) == expected(test)


RELATIVE: list[tuple[str, str, list[object], dict[str, object], Test]] = [
    ("order_date", "inThePast", [2], {"unitOfTime": "days"}, lambda row: row["order_date"] >= "2026-11-14 09:00:00"),
    (
        "order_date",
        "inThePast",
        [2],
        {"unitOfTime": "weeks", "completed": True},
        lambda row: "2026-11-02" <= day(row) < "2026-11-16",
    ),
    (
        "order_date_day",
        "inThePast",
        [3],
        {"unitOfTime": "months", "completed": True},
        lambda row: "2026-08-01" <= day(row) < "2026-11-01",
    ),
    ("order_date_day", "inThePast", [1], {"unitOfTime": "years"}, lambda row: day(row) >= "2025-11-16"),
    ("order_date_day", "inThePast", [2], {"unitOfTime": "quarters"}, lambda row: day(row) >= "2026-05-16"),
    ("order_date_day", "notInThePast", [1], {"unitOfTime": "years"}, lambda row: day(row) < "2025-11-16"),
    (
        "delivery_date",
        "inTheNext",
        [2],
        {"unitOfTime": "days"},
        lambda row: "2026-11-16" <= (row["delivery_date"] or "") <= "2026-11-18",
    ),
    (
        "delivery_date",
        "inTheNext",
        [1],
        {"unitOfTime": "days", "completed": True},
        lambda row: row["delivery_date"] == "2026-11-17",
    ),
    ("order_date_day", "inTheCurrent", [1], {"unitOfTime": "months"}, lambda row: day(row)[:7] == "2026-11"),
    ("order_date", "inTheCurrent", [1], {"unitOfTime": "years"}, lambda row: day(row)[:4] == "2026"),
    ("order_date_day", "notInTheCurrent", [1], {"unitOfTime": "years"}, lambda row: day(row)[:4] != "2026"),
    ("order_date_day", "inPeriodToDate", [], {"unitOfTime": "months"}, lambda row: int(day(row)[8:]) <= 16),
    ("order_date_month", "inPeriodToDate", [], {"unitOfTime": "months"}, lambda row: int(day(row)[8:]) <= 16),
    # 16 November is the 320th day of a year without a 29 February, which neither 2025 nor 2026 has.
    (
        "order_date_day",
        "inPeriodToDate",
        [],
        {"unitOfTime": "years"},
        lambda row: day(row)[5:] <= "11-16" if day(row)[:4] != "2024" else day(row)[5:] <= "11-15",
    ),
]


@pytest.mark.parametrize(("field", "operator", "values", "settings", "test"), RELATIVE)
async def test_a_relative_period_moves_with_the_sandboxs_clock(
    admin: Asker, field: str, operator: str, values: list[object], settings: dict[str, object], test: Test
) -> None:
    assert await kept(admin, only(f"orders_{field}", operator, *values, **settings)) == expected(test)


async def test_the_week_to_date_is_mondays_when_today_is_monday(admin: Asker) -> None:
    rows = await admin.rows(
        "orders",
        "orders_order_date_day_of_week_name orders_order_count",
        filters={"dimensions": only("orders_order_date_day", "inPeriodToDate", unitOfTime="weeks")},
    )
    assert [row["orders_order_date_day_of_week_name"] for row in rows] == ["Monday"]


async def test_the_quarter_to_date_ends_with_the_days_that_have_passed_of_this_one(admin: Asker) -> None:
    group = only("orders_order_date_day", "inPeriodToDate", unitOfTime="quarters")
    rows = await admin.rows("orders", "orders_order_date_day", filters={"dimensions": group})
    days = {row["orders_order_date_day"] for row in rows}
    # 1 October to 16 November are 47 days; of the first quarter that is until 16 February.
    assert {text for text in days if "2026-01-01" <= text < "2026-04-01"} <= {
        text for text in days if text <= "2026-02-16"
    }
    assert any("2026-02-10" < text <= "2026-02-16" for text in days)


async def test_and_and_or_nest(admin: Asker) -> None:
    web = only("orders_source", "equals", "web")["and"]
    small = only("orders_amount", "lessThan", 5)["and"]
    placed = only("orders_status", "equals", "placed")["and"]
    group = {"id": "g", "or": [*placed, {"id": "h", "and": [*web, *small]}]}
    assert await kept(admin, group) == expected(
        lambda row: row["status"] == "placed" or (row["source"] == "web" and row["amount"] < 5)
    )


async def test_a_filter_on_a_metric_counts_after_the_grouping(admin: Asker) -> None:
    filters = {"metrics": only("orders_order_count", "greaterThan", 14)}
    rows = await admin.rows("orders", "orders_status orders_order_count", filters=filters)
    counts = {row["orders_status"]: row["orders_order_count"] for row in rows}
    assert counts == {"completed": "331", "return_pending": "15", "shipped": "28"}


async def test_a_filter_on_a_metric_that_is_not_asked_for_still_counts(admin: Asker) -> None:
    filters = {"metrics": only("orders_order_count", "lessThan", 13)}
    assert await admin.rows("orders", "orders_status", filters=filters) == [{"orders_status": "placed"}]


async def test_a_filter_on_a_table_calculation_counts_last(admin: Asker) -> None:
    rows = await admin.rows(
        "orders",
        "orders_status orders_order_count",
        tableCalculations=[{"name": "twice", "displayName": "Twice", "sql": "${orders.order_count} * 2"}],
        filters={"tableCalculations": only("twice", "equals", 24)},
    )
    assert rows == [{"orders_status": "placed", "orders_order_count": "12", "twice": "24"}]


async def test_a_disabled_rule_and_one_without_values_let_everything_pass(admin: Asker) -> None:
    disabled = only("orders_status", "equals", "placed")
    disabled["and"][0]["disabled"] = True
    for group in (disabled, only("orders_status", "equals"), only("orders_amount", "inBetween", 1)):
        assert len(await kept(admin, group)) == len(ORDERS)


@pytest.mark.parametrize(
    ("field", "operator", "values", "message"),
    [
        ("status", "lessThan", ["x"], '"lessThan" on "orders_status" field of type "string"'),
        ("amount", "include", ["1"], '"include" on "orders_amount" field of type "number"'),
        ("is_completed", "greaterThan", [1], '"greaterThan" on "orders_is_completed" field of type "boolean"'),
        ("order_date_day", "notInBetween", ["2026-01-01", "2026-02-01"], 'field of type "date"'),
        ("order_date_day", "inPeriodToDate", [], "requires a unitOfTime setting"),
        ("amount", "equals", ["abc"], 'Invalid number value in filter: "abc". Expected a valid number.'),
    ],
)
async def test_an_operator_that_a_type_does_not_have_is_refused_at_once(
    admin: Asker, field: str, operator: str, values: list[object], message: str
) -> None:
    filters = {"dimensions": only(f"orders_{field}", operator, *values)}
    answer = await admin.submit("metric-query", {"query": query("orders", "orders_status", filters=filters)})
    assert (answer.status_code, answer.json()["error"]["name"]) == (400, "CompileError")
    assert message in answer.json()["error"]["message"]


@pytest.mark.parametrize("value", ["x' OR '1'='1", "'; DROP TABLE orders; --", "?"])
async def test_a_value_is_never_read_as_sql(admin: Asker, value: str) -> None:
    for operator in ("equals", "include", "startsWith", "endsWith"):
        found = await kept(admin, only("orders_source", operator, value))
        assert found == {row["order_id"] for row in ORDERS if operator == "include" and value in row["source"]}
