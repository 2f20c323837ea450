"""Filters that mean something else on a real server than they seem to."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final, TypeAlias

import pytest
from tests.lightdash import places
from tests.lightdash.analyst import Prompt, analyst, body_of
from tests.lightdash.sandbox.asking import table
from tests.lightdash.scripted import BY_STATUS
from tests.lightdash.sessions import client_of, raw_path

from aboveboard.effects import READ, under
from aboveboard.lightdash.client.queries.filters import FIRST_DAYS
from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

ORDERS: Final = table("orders")
Meant: TypeAlias = tuple[str, list[str], Callable[[str], bool]]
"""An operator, its values, and which days or months it lets through."""


async def count(sandbox: Sandbox, **condition: Any) -> int:
    async with analyst(sandbox) as session:
        found = await session.ask(
            "run_metric_query", explore="orders", metrics=["orders_order_count"], filters=[condition]
        )
    return found["rows"][0][0]


@pytest.mark.parametrize("operator", ["include", "doesNotInclude", "startsWith", "endsWith"])
@pytest.mark.parametrize("value", ["10%", "a_b"])
async def test_a_text_that_would_be_a_pattern_is_refused(sandbox: Sandbox, operator: str, value: str) -> None:
    async with analyst(sandbox) as session:
        condition = {"field": "orders_status", "operator": operator, "values": [value]}
        text = await session.refusal(
            "run_metric_query", explore="orders", metrics=["orders_order_count"], filters=[condition]
        )
    assert "takes no % and no _" in text


async def test_the_sandbox_takes_them_for_patterns_as_the_real_server_does(sandbox: Sandbox) -> None:
    rule = {"id": "r", "target": {"fieldId": "orders_status"}, "operator": "include", "values": ["p_aced"]}
    query: dict[str, Any] = {
        **{"exploreName": "orders", "dimensions": BY_STATUS["dimensions"], "metrics": [], "sorts": [], "limit": 9},
        **{"tableCalculations": [], "filters": {"dimensions": {"id": "g", "and": [rule]}}},
    }
    lightdash = client_of(Prompt(sandbox))
    with under(READ):
        started = await lightdash.queries.run_metrics(places.MAIN, query)
        found = await lightdash.queries.poll(places.MAIN, started.query_uuid, page=1, size=9)
    assert [row["orders_status"]["value"]["raw"] for row in found.rows or []] == ["placed"]


async def test_not_in_between_days_means_before_or_after(sandbox: Sandbox) -> None:
    found = await count(
        sandbox, field="orders_order_date_day", operator="notInBetween", values=["2026-01-01", "2026-10-31"]
    )
    outside = [row for row in ORDERS if not "2026-01-01" <= row["order_date"][:10] <= "2026-10-31"]
    assert 0 < found == len(outside) < len(ORDERS)


@pytest.mark.parametrize(
    ("field", "given", "first", "in_it"),
    [
        ("orders_order_date_month", "2026-03-17", "2026-03-01", "2026-03"),
        ("orders_order_date_year", "2026-03-17", "2026-01-01", "2026"),
    ],
)
async def test_a_period_given_by_a_day_in_it_is_that_period(
    sandbox: Sandbox, field: str, given: str, first: str, in_it: str
) -> None:
    service = Prompt(sandbox)
    async with analyst(service) as session:
        condition = {"field": field, "operator": "equals", "values": [given]}
        found = await session.ask(
            "run_metric_query", explore="orders", metrics=["orders_order_count"], filters=[condition]
        )
    assert found["rows"] == [[sum(row["order_date"].startswith(in_it) for row in ORDERS)]]
    sent = next(body_of(one) for one in service.arrived if raw_path(one).endswith("/metric-query"))
    assert sent["query"]["filters"]["dimensions"]["and"][0]["values"] == [first]


@pytest.mark.parametrize("month", range(1, 13))
def test_a_quarter_given_by_any_month_of_it_begins_with_its_first(month: int) -> None:
    begins = FIRST_DAYS["QUARTER"](datetime(2026, month, 17))
    assert (begins.year, begins.month, begins.day) == (2026, [1, 4, 7, 10][(month - 1) // 3], 1)


# A Wednesday: weeks of the sandbox begin on the Monday before.
WEDNESDAY, MONDAY, NEXT = "2026-03-11", "2026-03-09", "2026-03-16"


WEEKS: Final[list[Meant]] = [
    ("equals", [WEDNESDAY], lambda day: MONDAY <= day < NEXT),
    ("equals", [MONDAY], lambda day: MONDAY <= day < NEXT),
    ("equals", [WEDNESDAY, "2026-03-22"], lambda day: MONDAY <= day < "2026-03-23"),
    ("notEquals", [WEDNESDAY], lambda day: not MONDAY <= day < NEXT),
    ("notEquals", [WEDNESDAY, "2026-03-22"], lambda day: not MONDAY <= day < "2026-03-23"),
    ("lessThan", [WEDNESDAY], lambda day: day < MONDAY),
    ("lessThanOrEqual", [WEDNESDAY], lambda day: day < NEXT),
    ("greaterThan", [WEDNESDAY], lambda day: day >= NEXT),
    ("greaterThanOrEqual", [WEDNESDAY], lambda day: day >= MONDAY),
    ("inBetween", [WEDNESDAY, "2026-03-22"], lambda day: MONDAY <= day < "2026-03-23"),
    ("notInBetween", [WEDNESDAY, "2026-03-22"], lambda day: not MONDAY <= day < "2026-03-23"),
]


@pytest.mark.parametrize(("operator", "values", "meant"), WEEKS)
async def test_a_week_given_by_any_day_in_it_is_that_week(
    sandbox: Sandbox, operator: str, values: list[str], meant: Callable[[str], bool]
) -> None:
    found = await count(sandbox, field="orders_order_date_week", operator=operator, values=values)
    assert 0 < found == sum(meant(row["order_date"][:10]) for row in ORDERS) < len(ORDERS)


MONTHS: Final[list[Meant]] = [
    ("lessThan", ["2026-03-17"], lambda month: month < "2026-03"),
    ("greaterThanOrEqual", ["2026-03-17"], lambda month: month >= "2026-03"),
    ("inBetween", ["2026-03-17", "2026-04-02"], lambda month: month in ("2026-03", "2026-04")),
    ("notInBetween", ["2026-03-17", "2026-04-02"], lambda month: month not in ("2026-03", "2026-04")),
]


@pytest.mark.parametrize(("operator", "values", "meant"), MONTHS)
async def test_periods_are_compared_as_periods_whichever_day_names_them(
    sandbox: Sandbox, operator: str, values: list[str], meant: Callable[[str], bool]
) -> None:
    found = await count(sandbox, field="orders_order_date_month", operator=operator, values=values)
    assert 0 < found == sum(meant(row["order_date"][:7]) for row in ORDERS) < len(ORDERS)


async def test_the_first_week_of_all_time_begins_with_its_first_day(sandbox: Sandbox) -> None:
    assert await count(sandbox, field="orders_order_date_week", operator="lessThan", values=["0001-01-03"]) == 0
