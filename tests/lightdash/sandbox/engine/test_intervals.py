"""Each time interval against the same cut in Python."""

from collections import Counter
from collections.abc import AsyncIterator, Callable
from datetime import date, datetime, timedelta

import pytest
from tests.lightdash.sandbox.asking import Asker, asker, formatted, query, raw, table

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

ORDERS = table("orders")


@pytest.fixture
async def admin() -> AsyncIterator[Asker]:
    sandbox = Sandbox()
    person = asker(sandbox)
    yield person
    await person.client.aclose()
    sandbox.close()


def monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def quarter(day: date) -> int:
    return (day.month + 2) // 3


INTERVALS: dict[str, tuple[Callable[[datetime], object], Callable[[datetime], str]]] = {
    "day": (lambda at: at.date().isoformat(), lambda at: at.date().isoformat()),
    "week": (lambda at: monday(at.date()).isoformat(), lambda at: monday(at.date()).isoformat()),
    "month": (lambda at: f"{at:%Y-%m}-01", lambda at: f"{at:%Y-%m}"),
    "quarter": (lambda at: date(at.year, 3 * quarter(at) - 2, 1).isoformat(), lambda at: f"{at.year}-Q{quarter(at)}"),
    "year": (lambda at: f"{at.year}-01-01", lambda at: str(at.year)),
    "hour": (lambda at: f"{at:%Y-%m-%dT%H}:00:00.000Z", lambda at: f"{at:%Y-%m-%d, %H} (+00:00)"),
    "raw": (lambda at: f"{at:%Y-%m-%dT%H:%M:%S}.000Z", lambda at: f"{at:%Y-%m-%d, %H:%M:%S}:000 (+00:00)"),
    "day_of_week_index": (lambda at: at.isoweekday() % 7, lambda at: str(at.isoweekday() % 7)),
    "day_of_week_name": (lambda at: f"{at:%A}", lambda at: f"{at:%A}"),
    "day_of_month_num": (lambda at: at.day, lambda at: str(at.day)),
    "day_of_year_num": (lambda at: at.timetuple().tm_yday, lambda at: str(at.timetuple().tm_yday)),
    "week_num": (lambda at: at.isocalendar().week, lambda at: str(at.isocalendar().week)),
    "month_num": (lambda at: at.month, lambda at: str(at.month)),
    "month_name": (lambda at: f"{at:%B}", lambda at: f"{at:%B}"),
    "quarter_num": (quarter, lambda at: str(quarter(at))),
    "quarter_name": (lambda at: f"Q{quarter(at)}", lambda at: f"Q{quarter(at)}"),
    "year_num": (lambda at: at.year, lambda at: f"{at.year:,}"),
    "hour_of_day_num": (lambda at: at.hour, lambda at: str(at.hour)),
    "minute_of_hour_num": (lambda at: at.minute, lambda at: str(at.minute)),
}


@pytest.mark.parametrize("interval", INTERVALS)
async def test_an_interval_cuts_and_shows_the_date_as_python_does(admin: Asker, interval: str) -> None:
    cut, shown = INTERVALS[interval]
    moments = [datetime.fromisoformat(order["order_date"]) for order in ORDERS]
    field = f"orders_order_date_{interval}"
    results = await admin.ask("metric-query", {"query": query("orders", f"{field} orders_order_count")})
    counted = {row[field]: row["orders_order_count"] for row in raw(results)}
    assert counted == {value: str(count) for value, count in Counter(cut(at) for at in moments).items()}
    assert {row[field] for row in formatted(results)} == {shown(at) for at in moments}
