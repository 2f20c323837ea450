"""What a query answers: typed rows, pages, and a table for the model."""

import csv
import io
import json
from typing import Any, Final

import pytest
from tests.lightdash.analyst import analyst
from tests.lightdash.sandbox.asking import table
from tests.lightdash.scripted import BY_STATUS, QUERY, answering, dashboard, ready
from tests.lightdash.sessions import text_of

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

TABLE_OF_8_000_TOKENS: Final = 24_000


@pytest.mark.surprise(60)
async def test_counts_are_numbers_empty_is_null_and_yes_or_no_is_true_or_false(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        result = await session.call(
            "run_metric_query",
            explore="orders",
            dimensions=["customers_is_member"],
            metrics=["orders_order_count", "orders_total_revenue"],
            sort=["customers_is_member"],
        )
    rows = result.structured_content["rows"]
    assert sorted(json.dumps(row[0]) for row in rows) == ["false", "null", "true"]
    assert all(type(row[1]) is int and isinstance(row[2], int | float) for row in rows)
    assert sum(row[1] for row in rows) == len(table("orders"))
    # Lightdash itself would show the empty one as ∅.
    assert "∅" not in text_of(result)
    lines = text_of(result).splitlines()
    assert lines[0] == "customers_is_member,orders_order_count,orders_total_revenue"
    assert {line.split(",")[0] for line in lines[1:4]} == {"", "false", "true"}


@pytest.mark.parametrize(
    ("kind", "raw", "shown"),
    [
        ("number", "97", 97),
        ("number", "-3", -3),
        ("number", "9007199254740993", 9007199254740993),
        ("number", "12.50", 12.5),
        ("number", ".5", 0.5),
        ("number", "1e3", 1000.0),
        ("number", 1.5, 1.5),
        ("number", None, None),
        ("number", "Infinity", "Infinity"),
        ("string", "0042", "0042"),
        ("string", None, None),
        ("string", {"a": 1}, {"a": 1}),
        ("boolean", True, True),
        ("date", "2026-11-15T00:00:00.000Z", "2026-11-15T00:00:00.000Z"),
    ],
)
async def test_a_value_is_what_its_columns_type_says(kind: str, raw: object, shown: object) -> None:
    async with analyst(answering(ready([{"x": raw}], {"x": kind}))) as session:
        (row,) = (await session.ask("get_query_result", query_uuid=QUERY))["rows"]
    assert row == [shown]
    assert type(row[0]) is type(shown)


@pytest.mark.surprise(61)
async def test_columns_follow_the_rows_and_not_the_order_in_which_lightdash_keeps_them() -> None:
    kinds = {"b": "number", "c": "string", "long_name": "string"}
    async with analyst(answering(ready([{"long_name": "x", "c": "y", "b": "1"}], kinds))) as session:
        answer = await session.ask("get_query_result", query_uuid=QUERY)
    assert [column["id"] for column in answer["columns"]] == ["long_name", "c", "b"]
    assert answer["rows"] == [["x", "y", 1]]


@pytest.mark.surprise(61)
async def test_a_query_without_rows_still_says_what_its_columns_are(sandbox: Sandbox) -> None:
    nowhere = {"field": "orders_status", "operator": "equals", "values": ["lost"]}
    async with analyst(sandbox) as session:
        result = await session.call("run_metric_query", **BY_STATUS, filters=[nowhere])
    answer = result.structured_content
    assert [(column["id"], column["label"], column["type"]) for column in answer["columns"]] == [
        ("orders_status", "Status", "string"),
        ("orders_order_count", "Order count", "number"),
    ]
    assert (answer["rows"], answer["total_rows"]) == ([], 0)
    query = result.structured_content["query_uuid"]
    assert text_of(result) == f"orders_status,orders_order_count\n0 rows.\nquery_uuid: {query}"


@pytest.mark.parametrize("rows", [1, 150, 399, 400, 500])
async def test_walking_the_pages_gives_every_row_exactly_once_and_in_order(sandbox: Sandbox, rows: int) -> None:
    every = sorted(row["order_id"] for row in table("orders"))
    if rows == 1:
        every = every[:7]
    asked: dict[str, Any] = {"explore": "orders", "dimensions": ["orders_order_id"], "sort": ["orders_order_id"]}
    async with analyst(sandbox) as session:
        page = await session.ask("run_metric_query", **asked, limit=len(every), rows=rows)
        found = [row[0] for row in page["rows"]]
        while number := page.get("next_page"):
            assert f"query_uuid {page['query_uuid']}, page {number}, rows {rows}." in page["next_step"]
            page = await session.ask("get_query_result", query_uuid=page["query_uuid"], page=number, rows=rows)
            assert page["total_rows"] == len(every)
            found += [row[0] for row in page["rows"]]
            assert len(found) <= len(every)
    assert found == every


async def test_every_page_has_the_same_columns(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        first = await session.ask("run_metric_query", **BY_STATUS, rows=2)
        second = await session.ask("get_query_result", query_uuid=first["query_uuid"], page=2, rows=2)
    assert [column["id"] for column in second["columns"]] == [column["id"] for column in first["columns"]]


@pytest.mark.surprise(57)
async def test_a_page_past_the_end_is_an_error_in_lightdashs_words(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        query = (await session.ask("run_metric_query", **BY_STATUS))["query_uuid"]
        text = await session.refusal("get_query_result", query_uuid=query, page=2)
        odd = await session.refusal("get_query_result", query_uuid="../cancel")
    assert text == "Lightdash answered 422: invalid page 2, last page is 1."
    assert "is not a UUID" in odd


async def test_a_table_too_long_to_read_is_cut_at_whole_rows_and_says_how_to_get_the_rest() -> None:
    cells = [{"n": str(number), "text": "x" * 400} for number in range(100)]
    service = answering(ready(cells, {"n": "number", "text": "string"}, total=250, next_page=2))
    async with analyst(service) as session:
        result = await session.call("get_query_result", query_uuid=QUERY)
    text = text_of(result)
    shown = list(csv.reader(io.StringIO(text[: text.index("The first ")])))
    assert len(text) < TABLE_OF_8_000_TOKENS + 500
    assert [int(row[0]) for row in shown[1:]] == list(range(len(shown) - 1))
    assert 40 < len(shown) - 1 < 100
    assert f"The first {len(shown) - 1} of 100 rows here, of 250 in all; the rest would not fit: " in text
    assert f"get_query_result with query_uuid {QUERY} and rows {len(shown) - 1} pages through them." in text
    assert "page 2, rows 100." in text
    assert len(result.structured_content["rows"]) == 100


async def test_a_row_too_long_to_read_is_left_out_and_said_to_be() -> None:
    async with analyst(answering(ready([{"text": "x" * 50_000}], {"text": "string"}))) as session:
        text = text_of(await session.call("get_query_result", query_uuid=QUERY))
    left_out = "The first 0 of 1 rows here, of 1 in all; the rest would not fit: ask for fewer columns."
    assert text == f"text\n{left_out}\nquery_uuid: {QUERY}"


async def test_the_tiles_of_a_dashboard_share_what_can_be_read_at_once() -> None:
    cells = [{"text": "x" * 900} for _ in range(20)]
    async with analyst(dashboard(12, lambda: ready(cells, {"text": "string"}))) as session:
        text = text_of(await session.call("run_dashboard", dashboard="board"))
    assert len(text) < TABLE_OF_8_000_TOKENS + 12 * 400
    assert text.count("The first 2 of 20 rows here") == 12


async def test_text_with_commas_quotes_and_lines_stays_one_cell() -> None:
    odd = 'He said "no, thanks"\nand left'
    async with analyst(answering(ready([{"a": odd, "b": "x"}], {"a": "string", "b": "string"}))) as session:
        text = text_of(await session.call("get_query_result", query_uuid=QUERY))
    assert list(csv.reader(io.StringIO(text)))[:2] == [["a", "b"], [odd, "x"]]
    assert text.endswith(f"\n1 row.\nquery_uuid: {QUERY}")
