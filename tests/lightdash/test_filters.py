"""The filter language: all of Lightdash's operators, each word checked, and every filter really filters."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import Tool
from tests.lightdash import places
from tests.lightdash.analyst import analyst, body_of
from tests.lightdash.contract import OPENAPI
from tests.lightdash.direct import Answer, Caller
from tests.lightdash.sandbox.asking import Row, table
from tests.lightdash.sessions import Session, Watched, ok, raw_path
from tests.shared import absence

from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.server import SERVICE

pytestmark = pytest.mark.anyio

QUERY: Final = "5a000000-0000-4000-8000-000000000001"
ORDERS: Final = table("orders")
YES: Final = True

Filter = dict[str, Any]
Test = Callable[[Row], bool]


def where(field: str, operator: str, *values: object, **more: object) -> Filter:
    return {"field": f"orders_{field}", "operator": operator, "values": list(values), **more}


def day(row: Row) -> str:
    return row["order_date"][:10]


# One of each operator, with the same condition in Python over the data; it is Monday, 16 November 2026, 9:00.
OPERATORS: Final[list[tuple[Filter, Test]]] = [
    (where("promo_code", "isNull"), lambda row: row["promo_code"] is None),
    (where("promo_code", "notNull"), lambda row: row["promo_code"] is not None),
    (where("status", "equals", "placed", "shipped"), lambda row: row["status"] in {"placed", "shipped"}),
    (where("status", "notEquals", "completed"), lambda row: row["status"] != "completed"),
    (where("promo_code", "startsWith", "CAF"), lambda row: (row["promo_code"] or "").startswith("CAF")),
    (where("promo_code", "endsWith", "10"), lambda row: (row["promo_code"] or "").endswith("10")),
    (where("status", "include", "urn"), lambda row: "urn" in row["status"]),
    (where("promo_code", "doesNotInclude", "WEL"), lambda row: "WEL" not in (row["promo_code"] or "")),
    (where("amount", "lessThan", 8.8), lambda row: row["amount"] < 8.8),
    (where("amount", "lessThanOrEqual", 8.8), lambda row: row["amount"] <= 8.8),
    (where("amount", "greaterThan", "20.5"), lambda row: row["amount"] > 20.5),
    (where("order_date_day", "greaterThanOrEqual", "2026-11-13"), lambda row: day(row) >= "2026-11-13"),
    (where("order_date_day", "inBetween", "2026-01-01", "2026-01-31"), lambda row: day(row)[:7] == "2026-01"),
    (where("amount", "notInBetween", 4.4, 8.8), lambda row: not 4.4 <= row["amount"] <= 8.8),
    (where("order_date", "inThePast", 2, unit="days"), lambda row: row["order_date"] >= "2026-11-14 09:00:00"),
    (where("order_date_day", "notInThePast", 1, unit="years"), lambda row: day(row) < "2025-11-16"),
    (
        where("delivery_date", "inTheNext", 2, unit="days"),
        lambda row: "2026-11-16" <= (row["delivery_date"] or "") <= "2026-11-18",
    ),
    (where("order_date_day", "inTheCurrent", unit="months"), lambda row: day(row)[:7] == "2026-11"),
    (where("order_date", "notInTheCurrent", unit="years"), lambda row: day(row)[:4] != "2026"),
    (where("order_date_day", "inPeriodToDate", unit="months"), lambda row: int(day(row)[8:]) <= 16),
]
NOTHING: Final[dict[str, Any]] = {"unit": "", "completed": False, "or": [], "and": None}
# What strict schemas make of a filter: all values are texts, and every key is there.
MORE: Final[list[tuple[Filter, Test]]] = [
    (where("is_completed", "equals", "true", **NOTHING), lambda row: row["is_completed"] == 1),
    (where("order_date_day", "inThePast", "2", **NOTHING | {"unit": "quarters"}), lambda row: day(row) >= "2026-05-16"),
    (
        {"field": "", "operator": "", "values": [], **NOTHING, "or": [where("status", "equals", "placed", unit="")]},
        lambda row: row["status"] == "placed",
    ),
    (where("is_completed", "equals", YES), lambda row: row["is_completed"] == 1),
    ({"field": "orders_status", "operator": "equals", "values": "placed"}, lambda row: row["status"] == "placed"),
    ({"field": "orders_promo_code", "operator": "isNull", "values": None}, lambda row: row["promo_code"] is None),
    (where("order_date", "lessThan", "2024-11-21T18:00:00+01:00"), lambda row: row["order_date"] < "2024-11-21 17:00"),
    (
        where("order_date", "inThePast", 2, unit="weeks", completed=True),
        lambda row: "2026-11-02" <= day(row) < "2026-11-16",
    ),
    (where("order_date_day", "inThePast", 2, unit="quarters"), lambda row: day(row) >= "2026-05-16"),
    ({"and": [where("status", "equals", "placed")]}, lambda row: row["status"] == "placed"),
    (
        {
            "or": [
                where("status", "equals", "placed"),
                {"and": [where("source", "equals", "web"), where("amount", "lessThan", 5)]},
            ]
        },
        lambda row: row["status"] == "placed" or (row["source"] == "web" and row["amount"] < 5),
    ),
]


def named(case: object) -> str | None:
    return json.dumps(case) if isinstance(case, dict) else "rows" if callable(case) else None


@pytest.mark.parametrize(("condition", "test"), [*OPERATORS, *MORE], ids=named)
async def test_a_filter_keeps_exactly_the_rows_that_its_words_say(
    sandbox: Sandbox, condition: Filter, test: Test
) -> None:
    wanted = {row["order_id"] for row in ORDERS if test(row)}
    assert 0 < len(wanted) < len(ORDERS)
    async with analyst(sandbox) as session:
        assert await kept(session, condition) == wanted


@pytest.mark.skipif(not OPENAPI.is_file(), reason=absence(OPENAPI))
async def test_the_operators_are_those_of_lightdashs_own_document() -> None:
    document = json.loads(OPENAPI.read_text())["components"]["schemas"]["FilterOperator"]["enum"]
    assert sorted(condition["operator"] for condition, _ in OPERATORS) == sorted(document)
    assert len(document) == 20


async def test_filters_beside_each_other_must_all_hold(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        found = await kept(session, where("status", "equals", "completed"), where("source", "equals", "web"))
    assert found == {row["order_id"] for row in ORDERS if row["status"] == "completed" and row["source"] == "web"}


async def test_a_filter_on_a_metric_holds_for_the_groups(sandbox: Sandbox) -> None:
    asked = {"explore": "orders", "dimensions": ["orders_status"], "metrics": ["orders_order_count"]}
    async with analyst(sandbox) as session:
        answer = await session.ask(
            "run_metric_query",
            **asked,
            filters=[where("order_count", "greaterThan", 13), where("status", "notEquals", "completed")],
            sort=["orders_status"],
        )
    assert answer["rows"] == [["return_pending", 15], ["returned", 14], ["shipped", 28]]


async def test_filters_are_written_as_lightdash_wants_them() -> None:
    sent = await written(
        where("status", "equals", "placed"),
        {"or": [where("order_date", "inThePast", 3, unit="months", completed=True), where("order_date", "isNull")]},
        where("order_count", "greaterThan", 5),
    )
    rule = {"id": "filter-1", "target": {"fieldId": "orders_status"}, "operator": "equals", "values": ["placed"]}
    past = {"unitOfTime": "months", "completed": True}
    date = {"fieldId": "orders_order_date"}
    inner: list[object] = [
        {"id": "filter-3", "target": date, "operator": "inThePast", "values": [3], "settings": past},
        {"id": "filter-4", "target": date, "operator": "isNull", "values": []},
    ]
    count = {"id": "filter-5", "target": {"fieldId": "orders_order_count"}, "operator": "greaterThan", "values": [5]}
    assert sent == {
        "dimensions": {"id": "dimensions", "and": [rule, {"id": "group-2", "or": inner}]},
        "metrics": {"id": "metrics", "and": [count]},
    }


async def test_a_current_period_is_one_unit_and_the_values_are_written_for_you() -> None:
    sent = await written(where("order_date", "inTheCurrent", unit="weeks"))
    (rule,) = sent["dimensions"]["and"]
    assert (rule["values"], rule["settings"]) == ([1], {"unitOfTime": "weeks", "completed": False})


async def test_no_filters_are_sent_as_none() -> None:
    assert await written() == {}


async def test_a_moment_metric_is_filtered_by_moments() -> None:
    sent = await written(where("last_order", "lessThan", "2026-01-31T09:00:00Z"))
    assert sent["metrics"]["and"][0]["values"] == ["2026-01-31T09:00:00Z"]
    assert await said(where("last_order", "lessThan", 5)) == (
        "orders_last_order is a timestamp: 5 must be a date such as 2026-01-31."
    )


STATUS: Final = where("status", "equals", "placed")
REFUSED: Final[list[tuple[object, str]]] = [
    # Names that are not there, with those that come nearest.
    (where("stauts", "equals", "x"), "The explore orders has no field 'orders_stauts': did you mean 'orders_status'"),
    (where("status", "equal", "x"), "A filter has no operator 'equal': did you mean 'equals'"),
    (where("status", "EQUALS", "x"), "A filter has no operator 'EQUALS'; it has isNull, notNull, equals"),
    ({**STATUS, "vaules": []}, "A filter has no key 'vaules': did you mean 'values'?"),
    ({"field": "orders_status", "op": "equals"}, "A filter has no key 'op'; it has field, operator, values"),
    (where("order_date", "inThePast", 3, unit="month"), "inThePast has no unit 'month': did you mean 'months'"),
    (where("order_date", "inThePast", 3), "inThePast has no unit ''; it has milliseconds"),
    (where("order_date", "inTheCurrent", unit=["days"]), "inTheCurrent has no unit \"['days']\""),
    # Values of the wrong kind.
    (where("amount", "equals", "many"), "orders_amount is a number, and 'many' is not."),
    (where("amount", "equals", "nan"), "orders_amount is a number, and 'nan' is not."),
    (where("amount", "equals", "1_000"), "orders_amount is a number, and '1_000' is not."),
    (where("amount", "equals", YES), "orders_amount is a number, and True is not."),
    (where("amount", "equals", None), "orders_amount is a number, and None is not."),
    (where("amount", "equals", [1]), "orders_amount is a number, and [1] is not."),
    (where("order_count", "equals", "few"), "orders_order_count is a number, and 'few' is not."),
    (where("order_date", "lessThan", "yesterday"), "'yesterday' must be a date such as 2026-01-31."),
    (where("order_date_day", "equals", "2026-02-30"), "orders_order_date_day is a date: '2026-02-30' must be a date"),
    (where("order_date_day", "equals", 2026), "2026 must be a date such as 2026-01-31."),
    (where("is_completed", "equals", "yes"), "orders_is_completed is true or false, and 'yes' is neither."),
    (where("status", "equals", 5), "orders_status is text, and 5 is not."),
    (where("status", "equals", None), "orders_status is text, and None is not."),
    (where("status", "equals", {"a": 1}), "orders_status is text, and {'a': 1} is not."),
    # Too few values, or too many.
    (where("status", "isNull", "placed"), "isNull takes no values."),
    (where("order_date", "inTheCurrent", 1, unit="days"), "inTheCurrent takes no values."),
    (where("status", "equals"), "equals on orders_status needs values."),
    ({"field": "orders_status", "operator": "equals"}, "equals on orders_status needs values."),
    ({"field": "orders_status", "operator": "equals", "values": None}, "equals on orders_status needs values."),
    (where("amount", "inBetween", 1), "inBetween on orders_amount needs two values: from and to."),
    (where("amount", "notInBetween", 1, 2, 3), "notInBetween on orders_amount needs two values: from and to."),
    (where("order_date", "inThePast", unit="days"), "inThePast takes one whole number in values, such as [3]"),
    (where("order_date", "inThePast", 1, 2, unit="days"), "inThePast takes one whole number in values"),
    (where("order_date", "inTheNext", 0, unit="days"), "inTheNext takes one whole number in values"),
    (where("order_date", "inTheNext", 1.5, unit="days"), "inTheNext takes one whole number in values"),
    (where("order_date", "inTheNext", "three", unit="days"), "inTheNext takes one whole number in values"),
    (where("order_date", "inTheNext", YES, unit="days"), "inTheNext takes one whole number in values"),
    # Words that this operator would not heed.
    (where("status", "equals", "x", unit="days"), "equals takes no unit: only relative periods do."),
    (
        where("amount", "lessThan", 1, unit="days", completed=True),
        "lessThan takes no completed and no unit: only relative periods do.",
    ),
    (
        where("order_date", "inTheCurrent", unit="days", completed=True),
        "inTheCurrent takes no completed: only inThePast, notInThePast, inTheNext do.",
    ),
    (where("order_date", "inThePast", 1, unit="days", completed="yes"), "completed must be true or false"),
    (where("status", "inThePast", 1, unit="days"), "inThePast is for dates, and orders_status is a string."),
    (where("amount", "inTheCurrent", unit="days"), "inTheCurrent is for dates, and orders_amount is a number."),
    # Groups.
    ({"or": [STATUS, where("order_count", "greaterThan", 1)]}, "An 'or' group holds dimensions or metrics, not both"),
    (
        {"and": [{"or": [STATUS]}, {"or": [where("order_count", "greaterThan", 1)]}]},
        "An 'and' group holds dimensions or metrics, not both",
    ),
    ({"and": [STATUS], "or": [STATUS]}, "A group has one key, 'and' or 'or', and nothing beside it."),
    ({"or": [STATUS], "field": "orders_status"}, "A group has one key, 'and' or 'or', and nothing beside it."),
    ({"or": []}, "'or' must hold a list of filters with at least one in it."),
    ({"and": STATUS}, "'and' must hold a list of filters with at least one in it."),
    ({"or": [STATUS, "orders_status = 1"]}, "A filter must be an object such as"),
    ({"or": [{"and": [{**STATUS, "negate": True}]}]}, "A filter has no key 'negate'"),
    # What is no filter.
    ({}, "A filter needs a 'field' and an 'operator', both as text."),
    ({"field": "orders_status"}, "A filter needs a 'field' and an 'operator', both as text."),
    ({"field": ["orders_status"], "operator": "isNull"}, "A filter needs a 'field' and an 'operator', both as text."),
]


@pytest.mark.parametrize(("condition", "reason"), REFUSED, ids=lambda part: json.dumps(part))
async def test_a_filter_that_cannot_be_meant_is_refused_in_a_sentence_and_no_query_is_sent(
    condition: object, reason: str
) -> None:
    service = Watched(shop)
    async with analyst(service) as session:
        for tool, more in (("run_metric_query", {"dimensions": ["orders_status"]}), ("compile_query", {})):
            asked = {"explore": "orders", "metrics": ["orders_order_count"], **more}
            text = await session.refusal(tool, **asked, filters=[condition])
            assert reason in text
            assert text.count("\n") == 0
    assert {request.method for request in service.arrived} == {"GET"}


@pytest.mark.parametrize("given", ["orders_status = 'x'", {"field": "orders_status"}, ["orders_status"], [["and"]]])
async def test_filters_that_are_no_list_of_objects_are_refused(given: object) -> None:
    async with analyst(Watched(shop)) as session:
        text = await session.refusal(
            "run_metric_query", explore="orders", metrics=["orders_order_count"], filters=given
        )
    assert text in ("filters must be a list.", "filters.0 must be an object.")


async def test_a_number_too_large_for_a_float_is_still_a_number() -> None:
    sent = await written(where("amount", "lessThan", 10**400))
    assert sent["dimensions"]["and"][0]["values"] == [10**400]


KNOWN: Final = ("field", "operator", "values", "unit", "completed", "and", "or")


@given(
    st.text(max_size=12).filter(lambda key: key not in KNOWN),
    st.sampled_from([condition for condition, _ in OPERATORS]),
)
def test_a_key_that_is_not_known_is_always_refused(key: str, condition: Filter) -> None:
    answer = tried({**condition, key: condition["values"]})
    assert answer.refused
    assert f"A filter has no key {key!r}" in answer.text


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=9),
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(KNOWN), inner),
    )
)
def test_whatever_a_filter_is_it_is_written_or_refused_and_never_a_defect(condition: object) -> None:
    assert tried(condition).text  # a defect is no answer, and fails here as it is


def tried(condition: object) -> Answer:
    arguments = {"explore": "orders", "metrics": ["orders_order_count"], "project_uuid": places.MAIN}
    return asker().call("run_metric_query", {**arguments, "filters": [condition]})


@cache
def asker() -> Caller:
    return Caller(Watched(shop), allowed=places.MAIN)


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (where("status", "lessThan", "x"), '"lessThan" on "orders_status" field of type "string"'),
        (where("amount", "include", 1), '"include" on "orders_amount" field of type "number"'),
    ],
)
async def test_what_only_lightdash_knows_to_be_wrong_is_said_in_its_words(
    sandbox: Sandbox, condition: Filter, words: str
) -> None:
    async with analyst(sandbox) as session:
        text = await session.refusal(
            "run_metric_query", explore="orders", dimensions=["orders_status"], filters=[condition]
        )
    assert text.startswith("Lightdash answered 400: ")
    assert words in text


async def test_the_published_schema_of_filters_stays_under_two_kilobytes_and_names_every_operator() -> None:
    async with analyst(Watched(shop)) as session:
        tools: dict[str, Tool] = {tool.name: tool for tool in (await session.client.list_tools()).tools}
    operators = [condition["operator"] for condition, _ in OPERATORS]
    for name in ("run_metric_query", "compile_query", "get_underlying_data"):
        schema = tools[SERVICE.prefix + name].input_schema["properties"]["filters"]
        assert len(json.dumps(schema).encode()) <= 2048, name
        whole = "run_metric_query takes them" not in schema["description"]
        assert whole == (name == "run_metric_query")
        assert not whole or all(word in schema["description"] for word in (*KNOWN, *operators))


async def kept(session: Session, *conditions: Filter) -> set[int]:
    answer = await session.ask(
        "run_metric_query",
        explore="orders",
        dimensions=["orders_order_id"],
        filters=list(conditions),
        limit=1000,
        rows=500,
    )
    assert "next_page" not in answer
    return {row[0] for row in answer["rows"]}


async def written(*conditions: Filter) -> dict[str, Any]:
    """Return the filters that Lightdash is sent."""
    service = Watched(shop)
    async with analyst(service) as session:
        await session.ask("compile_query", explore="orders", metrics=["orders_order_count"], filters=list(conditions))
    return body_of(service.arrived[-1])["filters"]


async def said(condition: object) -> str:
    async with analyst(Watched(shop)) as session:
        return await session.refusal(
            "compile_query", explore="orders", metrics=["orders_order_count"], filters=[condition]
        )


FIELDS: Final = {
    "dimensions": {
        "status": "string",
        "promo_code": "string",
        "source": "string",
        "amount": "number",
        "is_completed": "boolean",
        "order_date": "timestamp",
        "order_date_day": "date",
        "delivery_date": "date",
    },
    "metrics": {"order_count": "count_distinct", "last_order": "timestamp"},
}


def shop(request: httpx2.Request) -> httpx2.Response:
    """Script a Lightdash with one explore, which takes every query."""
    where_to = raw_path(request)
    if where_to == "/api/v1/health":
        return ok({"healthy": True, "version": "1", "query": {"maxLimit": 5000, "defaultLimit": 500, "maxPageSize": 9}})
    if request.method == "GET" and where_to.endswith("/explores/orders"):
        fields = {
            side: {name: {"name": name, "type": kind, "table": "orders"} for name, kind in kinds.items()}
            for side, kinds in FIELDS.items()
        }
        return ok({"name": "orders", "baseTable": "orders", "tables": {"orders": fields}})
    if where_to.endswith("/compileQuery"):
        return ok({"query": "SELECT 1"})
    if request.method == "POST":
        return ok({"queryUuid": QUERY})
    return ok({"queryUuid": QUERY, "status": "ready", "rows": [], "columns": {}, "totalResults": 0})
