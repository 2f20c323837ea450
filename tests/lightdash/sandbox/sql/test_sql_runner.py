"""The SQL runner: what it runs, and what no statement can make it do."""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.lightdash.sandbox.asking import MAIN, Asker, asker, formatted, raw

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    made = Sandbox()
    yield made
    made.close()


@pytest.fixture
async def admin(sandbox: Sandbox) -> AsyncIterator[Asker]:
    person = asker(sandbox)
    yield person
    await person.client.aclose()


async def test_it_runs_a_select_with_joins_and_a_common_table_expression(admin: Asker) -> None:
    rows = await admin.sql(
        "with big as (select * from shop.orders where amount > 80)"
        " select c.name, b.amount, p.name as product from big b join shop.customers c using (customer_id)"
        " join products p using (product_id) order by b.amount desc, c.name"
    )
    assert {row["product"] for row in rows} == {"Arabica beans, 1 kg"}
    assert rows[0]["amount"] == 94.5


@pytest.mark.parametrize(
    "sql",
    [
        "insert into shop.orders (order_id) values (999)",
        "update shop.orders set amount = 0",
        "delete from shop.orders",
        "drop table shop.orders",
        "create table shop.x (a int)",
        "create temp table x (a int)",
        "create view v as select 1",
        "alter table shop.orders add column x",
        "with x as (select 1) insert into shop.orders (order_id) select * from x",
        "with x as (select 1) delete from shop.orders",
        "replace into shop.orders (order_id) values (1)",
        "vacuum",
        "begin",
        "reindex",
        "pragma query_only = off",
        "pragma shop.user_version = 7",
        "select 1; delete from shop.orders",
        "select 1; select 2",
        "/* select */ delete from shop.orders",
        "-- select\ndelete from shop.orders",
        "explain delete from shop.orders",
    ],
)
async def test_nothing_is_ever_written(admin: Asker, sql: str) -> None:
    answer = await admin.submit("sql", {"sql": sql})
    assert (answer.status_code, answer.json()["error"]["name"]) == (400, "WarehouseQueryError")
    assert await admin.sql("select count(*) as n, round(sum(amount), 2) as total from shop.orders") == [
        {"n": "400", "total": 6839.35}
    ]


@pytest.mark.parametrize(
    "sql",
    [
        "attach database '{file}' as other",
        "attach '{file}' as other",
        "select load_extension('{file}')",
        "select readfile('{file}')",
        "select writefile('{file}', 'x')",
        "vacuum into '{file}'",
        "select * from fsdir('{folder}')",
        "select * from pragma_database_list",
        "select * from pragma_function_list",
        "select * from sqlite_master",
        "select * from shop.sqlite_schema",
        "select sql from temp.sqlite_master",
        "detach shop",
    ],
)
async def test_no_file_and_nothing_of_the_engine_can_be_reached(admin: Asker, tmp_path: Path, sql: str) -> None:
    file = tmp_path / "other.sqlite"
    answer = await admin.submit("sql", {"sql": sql.format(file=file, folder=tmp_path)})
    assert (answer.status_code, answer.json()["error"]["name"]) == (400, "WarehouseQueryError")
    assert not os.listdir(tmp_path)
    assert len(await admin.sql("select 1 as one from shop.orders limit 3")) == 3


@pytest.mark.parametrize("table", ["users", "tokens", "main.tokens", "charts", "meta", "queries"])
async def test_the_sandboxs_own_state_is_another_database(admin: Asker, table: str) -> None:
    answer = await admin.submit("sql", {"sql": f"select * from {table}"})  # noqa: S608 - that is the test
    assert answer.json()["error"]["message"] == f'relation "{table.removeprefix("main.")}" does not exist'


async def test_a_statement_without_end_is_stopped(admin: Asker) -> None:
    forever = "with recursive s(n) as (select 1 union all select n + 1 from s) select count(*) as n from s"
    answer = await admin.submit("sql", {"sql": forever})
    assert answer.json()["error"]["message"] == "canceling statement due to statement timeout"
    assert await admin.sql("select 1 as one") == [{"one": 1}]


async def test_a_value_that_would_fill_the_memory_is_refused(admin: Asker) -> None:
    answer = await admin.submit("sql", {"sql": "select zeroblob(2000000000) as x"})
    assert answer.json()["error"]["message"] == "string or blob too big"


@pytest.mark.parametrize(
    ("sql", "message", "place"),
    [
        ("select\n  nope\nfrom shop.orders", 'column "nope" does not exist', {"lineNumber": 2, "charNumber": 3}),
        ("select *\nfrom nowhere", 'relation "nowhere" does not exist', {"lineNumber": 2, "charNumber": 6}),
        ("select frobnicate(1)", "function frobnicate does not exist", {"lineNumber": 1, "charNumber": 8}),
        ("select", "syntax error at end of input", {}),
        ("select 1 as a from", "syntax error at end of input", {}),
    ],
)
async def test_a_fault_is_told_at_once_with_its_place(
    admin: Asker, sql: str, message: str, place: dict[str, int]
) -> None:
    error = (await admin.submit("sql", {"sql": sql})).json()["error"]
    assert (error["message"], error["data"]) == (message, place)


async def test_columns_have_types_and_counts_are_text(admin: Asker) -> None:
    results = await admin.ask(
        "sql",
        {
            "sql": "select count(*) as n, is_completed, order_date, delivery_date, amount, promo_code from shop.orders"
            " where order_id = 9"
        },
    )
    assert {name: column["type"] for name, column in results["columns"].items()} == {
        "n": "number",
        "amount": "number",
        "order_date": "timestamp",
        "promo_code": "string",
        "is_completed": "boolean",
        "delivery_date": "date",
    }
    assert list(results["columns"]) == sorted(results["columns"], key=lambda name: (len(name), name))
    assert raw(results) == [
        {
            "n": "1",
            "is_completed": True,
            "order_date": "2024-12-04T17:03:00.000Z",
            "delivery_date": "2024-12-09T00:00:00.000Z",
            "amount": 8.55,
            "promo_code": "WELCOME10",
        }
    ]
    assert formatted(results)[0]["is_completed"] == "true"


async def test_a_column_without_a_name_is_called_by_its_function(admin: Asker) -> None:
    assert await admin.sql("select count(*), max(order_id), 1 + 1 from shop.orders") == [
        {"count": "400", "max": 400, "?column?": 2}
    ]


async def test_a_name_in_quotes_stays_as_it_is_and_any_other_is_folded(admin: Asker) -> None:
    sql = 'select 1 as "Number of orders", 2 "top-Level", 3 as One, 4 as "a ""b""", 6 * 7'
    columns = {"Number of orders": 1, "top-Level": 2, "one": 3, 'a "b"': 4, "?column?": 42}
    assert await admin.sql(sql) == [columns]


async def test_the_time_is_the_sandboxs(admin: Asker) -> None:
    [row] = await admin.sql("select now() as now, current_date as today, current_timestamp as at")
    assert row["today"] == "2026-11-16T00:00:00.000Z"
    assert row["now"] == row["at"]
    assert row["now"].startswith("2026-11-16T09:00:")


async def test_capitals_are_told_apart_and_folded_as_postgres_does(admin: Asker) -> None:
    [row] = await admin.sql("select 'É' like 'é' as alike, upper('straße café') as up, lower('ÀÉ') as low")
    assert row == {"alike": 0, "up": "STRASSE CAFÉ", "low": "àé"}


async def test_a_parameter_is_a_value_and_not_text(admin: Asker) -> None:
    sql = "select ${lightdash.parameters.currency} as c"
    body = {"sql": sql, "parameters": {"currency": "x' as c, (select 1) --"}}
    assert raw(await admin.ask("sql", body)) == [{"c": "x' as c, (select 1) --"}]
    assert await admin.sql(sql) == [{"c": "usd"}]


async def test_tables_and_columns_are_those_that_statements_can_name(admin: Asker) -> None:
    runner = f"/api/v1/projects/{MAIN}/sqlRunner"
    tables = (await admin.client.get(f"{runner}/tables")).json()["results"]
    assert list(tables["shop"]["shop"]) == ["customers", "orders", "payments", "products", "visits"]
    for table in tables["shop"]["shop"]:
        answer = await admin.client.get(f"{runner}/fields", params={"schemaName": "shop", "tableName": table})
        [row] = await admin.sql(f"select * from shop.{table} limit 1")  # noqa: S608 - a name from the answer
        assert list(row) == list(answer.json()["results"])
