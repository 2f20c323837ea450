"""Filters that mean something else on a real server than they seem to."""

from typing import Any, Final

import pytest
from tests.lightdash import places
from tests.lightdash.analyst import Prompt, analyst, body_of
from tests.lightdash.sandbox.asking import table
from tests.lightdash.scripted import BY_STATUS
from tests.lightdash.sessions import client_of, raw_path

from aboveboard.effects import READ, under
from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

ORDERS: Final = table("orders")


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
