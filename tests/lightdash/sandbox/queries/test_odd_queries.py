"""Whatever shape a query has, the sandbox answers it."""

import asyncio
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.lightdash.sandbox.asking import MAIN, QUERIES, asker

from aboveboard.lightdash.sandbox import Sandbox

FIELDS = ["orders_status", "orders_amount", "orders_order_date_month", "orders_order_count", "orders_is_completed", "x"]
OPERATORS = ["equals", "inThePast", "inBetween", "include", "lessThan", "inPeriodToDate", "isNull", "resembles"]
JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
RULE: Any = st.fixed_dictionaries(
    {
        "target": st.fixed_dictionaries({"fieldId": st.sampled_from(FIELDS)}) | JSON,
        "operator": st.sampled_from(OPERATORS),
    },
    optional={
        "values": st.lists(JSON, max_size=2) | JSON,
        "settings": st.fixed_dictionaries({"unitOfTime": st.sampled_from(["days", "years", "eons"])}) | JSON,
    },
)
GROUP: Any = st.recursive(
    RULE | JSON, lambda inner: st.fixed_dictionaries({"and": st.lists(inner, max_size=3)}), max_leaves=4
)
QUERY = st.fixed_dictionaries(
    {
        "exploreName": st.sampled_from(["orders", "visits", "nope"]),
        "dimensions": st.lists(st.sampled_from(FIELDS), max_size=2) | JSON,
        "metrics": st.lists(st.sampled_from(FIELDS), max_size=2),
        "filters": st.fixed_dictionaries({"dimensions": GROUP, "metrics": GROUP}) | JSON,
        "sorts": st.lists(st.fixed_dictionaries({"fieldId": st.sampled_from(FIELDS), "descending": st.booleans()}))
        | JSON,
        "limit": st.integers(-1, 10**30) | JSON,
        "tableCalculations": st.lists(st.fixed_dictionaries({"name": st.text(max_size=3), "sql": st.text(max_size=9)})),
    }
)


async def statuses(requests: list[tuple[str, object]]) -> set[int]:
    sandbox = Sandbox()
    admin = asker(sandbox)
    answers = [await admin.client.post(path, json=body) for path, body in requests]
    for answer in answers:
        if answer.status_code == 200 and "queryUuid" in answer.json()["results"]:
            await admin.finish(answer.json()["results"]["queryUuid"])
    await admin.client.aclose()
    sandbox.close()
    return {answer.status_code for answer in answers}


@settings(max_examples=60, deadline=None)
@given(QUERY)
def test_a_metric_query_of_any_shape_is_answered(query: dict[str, object]) -> None:
    compile_path = f"/api/v1/projects/{MAIN}/explores/orders/compileQuery"
    requests: list[tuple[str, object]] = [(f"{QUERIES}/metric-query", {"query": query}), (compile_path, query)]
    assert asyncio.run(statuses(requests)) <= {200, 400, 404, 422, 500}


@settings(max_examples=40, deadline=None)
@given(JSON, st.sampled_from(["metric-query", "chart", "dashboard-chart", "sql", "sql-chart", "field-values"]))
def test_a_body_of_any_shape_is_answered(body: object, kind: str) -> None:
    assert asyncio.run(statuses([(f"{QUERIES}/{kind}", body)])) <= {400, 404, 422, 500}


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=30), st.none() | st.integers(0, 10**30))
def test_any_text_as_sql_runs_or_is_refused(text: str, limit: int | None) -> None:
    body = {"sql": text} if limit is None else {"sql": text, "limit": limit}
    assert asyncio.run(statuses([(f"{QUERIES}/sql", body)])) <= {200, 400}
