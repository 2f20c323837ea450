"""SQL: one SELECT and nothing else, decided before anything is sent; and the warehouse's tables and columns."""

import time
from typing import Any, Final

import httpx2
import pytest
from tests.lightdash.analyst import analyst, body_of
from tests.lightdash.sandbox.asking import table
from tests.lightdash.sessions import EVERYTHING, Watched, error, ok, raw_path, text_of

from aboveboard.kit.mode import Mode
from aboveboard.kit.policy import Policy
from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.server import SERVICE

pytestmark = pytest.mark.anyio

QUERY: Final = "5a000000-0000-4000-8000-000000000001"
ONE_ONLY: Final = "Only one statement can be run"
READING_ONLY: Final = "Only reading can be run, and this has"
SELECT_ONLY: Final = "Only SELECT can be run, and this starts with"

WRITES: Final = [
    *("insert into shop.orders values (1)", "update shop.orders set amount = 0", "delete from shop.orders"),
    *("drop table shop.orders", "create table x (a int)", "alter table x add b int", "truncate shop.orders"),
    *("grant all on shop.orders to public", "merge into a using b on true when matched then delete", "call f()"),
    *("copy shop.orders to '/tmp/x'", "vacuum", "explain select 1", "show tables", "values (1)", "set x = 1"),
    *("(delete from shop.orders)", "/* select */ delete from shop.orders", "-- select\ndelete from shop.orders"),
    *("DeLeTe FROM shop.orders", "\ufeffdelete from shop.orders", "begin", "do $$ begin end $$"),
]
HIDDEN_WRITES: Final = [
    "with gone as (delete from shop.orders returning *) select * from gone",
    "with new as (insert into x select 1 returning a) select * from new",
    "WITH a AS (SELECT 1), b AS (UPDATE x SET y = 1 RETURNING y) SELECT * FROM b",
    "select * into copy_of_orders from shop.orders",
    "select 1 from shop.orders for update",
    "with a as (select 1) insert into x select * from a",
    "select 1 from x where a in (delete from y)",
]
SECOND_STATEMENTS: Final = [
    "select 1; drop table shop.orders",
    "select 1;select 2",
    "select 1 /* ; */; delete from shop.orders",
    "select 1 -- one\n; drop table shop.orders",
    "select 'a;b'; drop table shop.orders",
    # Each warehouse has its own idea of where a text or a comment ends.
    r"select E'\''; drop table shop.orders; --'",
    r"select E'\'' , '\' ; drop table shop.orders -- '",
    r"select '\'' ; drop table shop.orders --'",
    "select 1 # '\n; drop table shop.orders # '",
    "select 1 // '\n; drop table shop.orders // '",
    "select ''' ' ''' ; drop table shop.orders; -- '",
    "select 1 as a$$ ; drop table shop.orders; select 1 as b$$",
    "select $1$ ; drop table shop.orders; select $1$",
    r"select `\` ; drop table shop.orders; select ` 1`",
    "select /* /* */ ' */ ; drop table shop.orders -- '",
    "select 'never ended ; drop table shop.orders",
]
OTHERS: Final = {
    "": "sql must have at least 1 character.",
    "  \n ": "The SQL is empty.",
    ";": "The SQL is empty.",
    "-- nothing": "The SQL is empty.",
    "select 1 /* and": "A comment that has no end, or another comment in it",
    "select 1 /* a /* b */ */": "A comment that has no end, or another comment in it",
    "select 1 -- \r, 2": "a lone carriage return",
    "select comment from shop.orders": "Where that is the name of a column, put it in double quotes.",
}
REFUSED: Final = {
    **dict.fromkeys(WRITES, SELECT_ONLY),
    **dict.fromkeys(HIDDEN_WRITES, READING_ONLY),
    **dict.fromkeys(SECOND_STATEMENTS, ONE_ONLY),
    **OTHERS,
}
HARMLESS: Final = [
    *("select 1 as one", "SELECT*FROM shop.orders", "select(1)", "select 1;", "select 1 ; \n", "select 1; -- done"),
    *("(select 1)", "( \n select 1 ) union (select 2)", "((select 1))", "-- why\nselect 1", "/* why; */ select 1 /**/"),
    *("with a as (select 1 as x) select x from a", "WITH RECURSIVE a AS (SELECT 1) SELECT * FROM a", "select 1\r\n, 2"),
    *("select 'drop table x; delete from y' as a", "select 'it''s; fine'", r"select e'it\'s fine'", "select ''''"),
    *("select $$drop; it$$", "select $q$a;b$q$", 'select "update", "a;b" from shop.orders', "select `insert` from x"),
    *(
        'select "say ""delete"";" from x',
        "select replace(status, 'a', 'b') from x",
        "select updated_at, deleted from x",
    ),
    *("select a #> '{b}' from x", "select 7 // 2", "select 'http://x.example/;'", "select '/* -- '", "select $1, $2"),
    *("select '${lightdash.parameters.currency}'", "select created_at, set_id, offset_in, do_not from x"),
]


@pytest.mark.surprise(66)
@pytest.mark.parametrize(("sql", "reason"), REFUSED.items())
async def test_all_but_one_select_is_refused_before_anything_is_sent(sql: str, reason: str) -> None:
    service = Watched(warehouse)
    async with analyst(service) as session:
        text = await session.refusal("run_sql", sql=sql)
    assert reason in text
    assert service.arrived == []


@pytest.mark.parametrize("sql", HARMLESS)
async def test_a_select_is_sent_as_it_was_written(sql: str) -> None:
    service = Watched(warehouse)
    async with analyst(service) as session:
        await session.ask("run_sql", sql=sql, limit=7)
    assert [body_of(request) for request in service.arrived if request.method == "POST"] == [{"sql": sql, "limit": 7}]


@pytest.mark.parametrize("part", [r"\'", "'", "'''", "$a$ ", "$", "/*", "/**/", "`", '"', "(", "--\n", "'a' ", r"\a"])
async def test_no_text_keeps_the_check_busy_for_long(part: str) -> None:
    async with analyst(Watched(warehouse)) as session:
        started = time.process_time()
        await session.call("run_sql", sql="select " + part * (90_000 // len(part)))
    assert time.process_time() - started < 10  # seconds of work; what backtracks takes minutes


async def test_sql_too_long_to_be_meant_is_refused() -> None:
    async with analyst(Watched(warehouse)) as session:
        text = await session.refusal("run_sql", sql="select " + "1" * 100_000)
    assert text == "sql must have at most 100000 characters."


async def test_a_select_gives_typed_rows_in_its_own_order(sandbox: Sandbox) -> None:
    sql = "select status, count(*) as n, null as empty, 1.5 as half from shop.orders group by 1 order by 2 desc"
    async with analyst(sandbox) as session:
        answer = await session.ask("run_sql", sql=sql)
    statuses = [row["status"] for row in table("orders")]
    assert [column["id"] for column in answer["columns"]] == ["status", "n", "empty", "half"]
    assert [column["type"] for column in answer["columns"]] == ["string", "number", "string", "number"]
    assert answer["rows"] == [
        [status, statuses.count(status), None, 1.5]
        for status in sorted(set(statuses), key=statuses.count, reverse=True)
    ]
    assert answer["url"].endswith("/sql-runner")


async def test_rows_beyond_the_limit_are_not_computed_and_the_answer_says_that_there_may_be_more(
    sandbox: Sandbox,
) -> None:
    async with analyst(sandbox) as session:
        answer = await session.ask("run_sql", sql="select order_id from shop.orders", limit=30, rows=10)
        whole = await session.ask("run_sql", sql="select order_id from shop.orders where order_id < 20", limit=30)
    assert (len(answer["rows"]), answer["total_rows"]) == (10, 30)
    assert "page 2, rows 10" in answer["next_step"]
    assert "The limit of 30 rows was reached, so there may be others" in answer["next_step"]
    assert "next_step" not in whole


@pytest.mark.surprise(59)
async def test_a_limit_above_what_lightdash_is_set_up_for_is_refused_and_its_maximum_is_not(sandbox: Sandbox) -> None:
    service = Watched(warehouse)
    async with analyst(service) as session:
        text = await session.refusal("run_sql", sql="select 1", limit=5001)
        assert [raw_path(request) for request in service.arrived] == ["/api/v1/health"]
        await session.ask("run_sql", sql="select 1", limit=5000)
    assert text == "limit is at most 5000 on this Lightdash: filter or group more."


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("select * from nowhere", 'Lightdash answered 400: relation "nowhere" does not exist.'),
        ("select 1 as one -- sandbox: fail disk full", "The query failed: disk full."),
        ("select 1 as one -- sandbox: expire", "The query's rows have expired. Run it again."),
    ],
)
async def test_what_the_warehouse_does_not_do_is_told_in_its_words(sandbox: Sandbox, sql: str, said: str) -> None:
    async with analyst(sandbox) as session:
        assert await session.refusal("run_sql", sql=sql) == said


@pytest.mark.parametrize("person", ["editor", "viewer", "other-org"])
async def test_who_may_not_write_sql_is_told_so(sandbox: Sandbox, person: str) -> None:
    async with analyst(sandbox, person=person) as session:
        text = await session.refusal("run_sql", sql="select 1")
    assert text.startswith("Lightdash answered 403: You don't have access to this resource or action.")


@pytest.mark.parametrize("excluded", ["run_sql", "lightdash_tools__run_sql", "sql"])
async def test_sql_can_be_switched_off_on_its_own(excluded: str) -> None:
    service = Watched(warehouse)
    policy = Policy(toolsets=EVERYTHING.toolsets, exclude=[excluded])
    async with analyst(service, policy=policy) as session:
        listed = {tool.name.removeprefix(SERVICE.prefix) for tool in (await session.client.list_tools()).tools}
        text = text_of(await session.call("run_sql", sql="select 1"))
        tables = await session.call("list_sql_tables")
    assert "run_sql" not in listed
    assert "run_metric_query" in listed
    why = "its area sql is excluded" if excluded == "sql" else "it is excluded by name"
    assert text == f"lightdash_tools__run_sql is switched off: {why} (--exclude, ABOVEBOARD_EXCLUDE)."
    assert tables.is_error == ("list_sql_tables" not in listed) == (excluded == "sql")
    assert all("/query/" not in raw_path(request) for request in service.arrived)


async def test_sql_works_in_read_only_mode_because_it_only_reads(sandbox: Sandbox) -> None:
    async with analyst(sandbox, policy=Policy(mode=Mode.READ_ONLY)) as session:
        assert (await session.ask("run_sql", sql="select 7 as seven"))["rows"] == [[7]]


async def test_tables_and_columns_are_listed_as_statements_name_them(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        tables = await session.ask("list_sql_tables", limit=2)
        second = await session.ask("list_sql_tables", limit=2, page=tables["next_page"])
        fields = await session.ask("list_sql_fields", table="orders", schema_name="shop")
        (row,) = (await session.ask("run_sql", sql="select * from shop.orders", limit=1))["rows"]
    assert tables["total"] == 5
    assert [one["table"] for one in tables["items"] + second["items"]] == [
        "customers",
        "orders",
        "payments",
        "products",
    ]
    kinds = {field["name"]: field["type"] for field in fields["items"]}
    assert (kinds["status"], kinds["amount"], kinds["is_completed"]) == ("string", "number", "boolean")
    assert len(row) == len(kinds)


async def test_a_table_that_is_not_there_is_named(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        text = await session.refusal("list_sql_fields", table="odrers", schema_name="shop")
    assert 'Could not find table "odrers"' in text


def warehouse(request: httpx2.Request) -> httpx2.Response:
    """Script a Lightdash that runs whatever arrives."""
    where = raw_path(request)
    if where == "/api/v1/health":
        return ok({"healthy": True, "version": "1", "query": {"maxLimit": 5000, "defaultLimit": 500, "maxPageSize": 9}})
    if request.method == "POST" and where.endswith("/query/sql"):
        return ok({"queryUuid": QUERY})
    if where.endswith("/sqlRunner/tables"):
        return ok({"shop": {"shop": {"orders": dict[str, Any]()}}})
    if where.endswith(QUERY):
        return ok({"queryUuid": QUERY, "status": "ready", "rows": [], "columns": {}, "totalResults": 0})
    return error(404, "API endpoint not found")
