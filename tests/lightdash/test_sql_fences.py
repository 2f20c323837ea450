"""Two fences around SQL, each of which holds alone: words as every warehouse reads them, and a parser's tree."""

import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.lightdash import places
from tests.lightdash.analyst import analyst
from tests.lightdash.ordinary_sql import ORDINARY
from tests.lightdash.sessions import Watched, error, facts

from aboveboard.errors import BadInput
from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.tools.sql.safety import check_select, check_words
from aboveboard.lightdash.tools.sql.tree import check_tree

Fence = Callable[[str], None]
FENCES: Final[dict[str, Fence]] = {"words": check_words, "tree": check_tree}
by_each_fence = pytest.mark.parametrize("fence", FENCES.values(), ids=FENCES)

WRITERS: Final = {
    "postgres": """nextval('s')|setval('s', 1)
        |set_config('a', 'b', false)|lo_import('/etc/passwd')|lo_export(1, '/tmp/x')
        |pg_advisory_lock(1)|pg_try_advisory_lock(1)|pg_terminate_backend(1)|pg_cancel_backend(1)|pg_notify('a', 'b')
        |pg_read_file('/etc/passwd')|pg_ls_dir('/')|pg_reload_conf()|pg_create_restore_point('a')|pg_switch_wal()
        |pg_drop_replication_slot('a')|pg_stat_reset()|dblink('a', 'b')|dblink_exec('', 'delete from t')|ts_stat('x')
        |query_to_xml('delete from t', true, true, '')|cursor_to_xml('c', 1, true, true, '')|crosstab('select 1')
        |st_createoverview('t', 'r', 2)|toTopoGeom(g, 't', 1)|hll_set_defaults(1, 2, 3, 4)|pg_catalog.setval('s', 1)
        |net.http_post('x')""",
    "snowflake": "system$cancel_query('x')|system$abort_session(1)|to_query('select f()')",
    "bigquery": "external_query('c', 'delete from t')|ai_generate('x')",
    "databricks": "reflect('a', 'b')|java_method('a', 'b')|try_reflect('a', 'b')|http_request('x')",
    "trino": "query('delete from t')",
    "duckdb": "json_execute_serialized_sql('x')|postgres_execute('a', 'b')|force_checkpoint('x')|getenv('HOME')",
    "clickhouse": "url('http://x')|remote('h', 't')|file('x')|s3('x')|executable('x')|generateSerialID('x')",
}
CALLS: Final = [call.strip() for some in WRITERS.values() for call in some.split("|")]
PLACES: Final = [
    *("select {}", "select 1, {} as x from t", "select a from t where {} is not null", "select a from t order by {}"),
    *("with x as (select {}) select * from x", "select a from t union all select {}", "select coalesce(a, {}) from t"),
    *("select case when {} = 1 then 2 end from t", "select sum(a) over (order by {}) from t", "select a[{}] from t"),
    *("select distinct on (a) {} from t", "select * from t, {} as x", "select a -- it's\n, {} from t"),
]
NOT_KNOWN: Final = [
    *("own_function(1)", "purge_everything()", "own.abs(1)", "a.b.abs(1)", "a.safe.abs(1)", "purgeIf(a)", "my€(1)"),
    *("total_up(1)", "touch(1)", "datekill(1)", "jsonify(1)", "uniquely(1)", "ml.predict(1)"),
]


@by_each_fence
@pytest.mark.parametrize("call", CALLS)
def test_each_fence_alone_refuses_what_is_known_to_write_wherever_it_stands(fence: Fence, call: str) -> None:
    for place in PLACES:
        with pytest.raises(BadInput, match=r"\(\) writes, locks, reaches elsewhere or runs a statement of its own"):
            fence(place.format(call))


@by_each_fence
@pytest.mark.parametrize("call", NOT_KNOWN)
def test_each_fence_alone_refuses_a_function_that_is_nobodys_or_somebodys_own(fence: Fence, call: str) -> None:
    for place in PLACES:
        with pytest.raises(BadInput, match="not among the functions that are known to only read"):
            fence(place.format(call))


WITH_ROWS: Final = [
    *("insert into t values (1) returning a", "update t set a = 1 returning a", "delete from t returning a"),
    "merge into t using u on true when matched then delete",
]
STATEMENTS: Final = [
    *WITH_ROWS,
    *("drop table t", "create table t (a int)", "alter table t add b int", "truncate table t", "copy t to 'x'"),
    *("call f()", "set x = 1", "grant select on t to u", "begin", "vacuum", "explain select 1", "select 2"),
]


@by_each_fence
@pytest.mark.parametrize(
    "sql",
    [
        *STATEMENTS[:-1],
        *map("select 1; {}".format, STATEMENTS),
        *map("with x as ({}) select * from x".format, WITH_ROWS),
        *map("with x as (select 1) {}".format, WITH_ROWS[:3]),
    ],
)
def test_each_fence_alone_refuses_all_but_one_query(fence: Fence, sql: str) -> None:
    with pytest.raises(BadInput):
        fence(sql)


@by_each_fence
@pytest.mark.parametrize(
    "sql",
    [
        *("select * into u from t", "select a from t for update", "select a from t for share"),
        *(
            "select some_sequence.nextval",
            "select transform(a) using 'rm -r /' as (b) from t",
        ),
    ],
)
def test_each_fence_alone_refuses_what_writes_without_being_called(fence: Fence, sql: str) -> None:
    with pytest.raises(BadInput):
        fence(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "select distinct on (a) setval(b, 1) from t",
        "select top (3) setval(b, 1) from t",
        "with setval(a) as (select 1) select setval(a, 1) from setval",
        "select evil(a) as (k, v) from t",
        'select "own".round(1)',
        "select `own`.abs(1)",
        "select proj.safe.abs(1)",
        "select my€(1)",
        "select total_up(1)",
        "select try_reflect('java.lang.System', 'exit', 1)",
        "select * from table(to_query('select f()'))",
        "with t as (map a using 'rm -r /' from u) select * from t",
    ],
)
@pytest.mark.anyio
async def test_what_once_got_through_is_refused_before_anything_is_sent(sql: str) -> None:
    service = Watched(lambda _: error(500, "nothing is asked"))
    async with analyst(service) as session:
        assert "not run" in await session.refusal("run_sql", sql=sql)
    assert service.arrived == []


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("create_sql_chart", {"name": "x", "space_uuid": places.SALES}),
        ("update_sql_chart", {"sql_chart": places.SQL_CHART_SLUG}),
    ],
)
@pytest.mark.anyio
async def test_a_statement_that_writes_is_not_saved_for_others_to_run(
    sandbox: Sandbox, tool: str, arguments: dict[str, str]
) -> None:
    before = facts(sandbox)
    async with analyst(sandbox) as session:
        text = await session.refusal(tool, sql="select setval('s', 1)", **arguments)
    assert text.startswith("setval() writes")
    assert facts(sandbox) == before


def test_what_only_a_tree_shows_is_refused() -> None:
    quoted = 'select some_sequence."NEXTVAL"'  # to the words, a column's name in quotes
    check_words(quoted)
    with pytest.raises(BadInput, match="moves a sequence"):
        check_select(quoted)


@pytest.mark.parametrize("sql", ["select a from t where f(", "select window.start from t group by window(a, '1 hour')"])
def test_what_no_dialect_understands_is_left_to_the_words(sql: str) -> None:
    check_tree(sql)


def statements() -> list[str]:
    found: list[str] = []
    for block in ORDINARY.values():
        for line in block.strip().splitlines():
            if line.startswith("    "):
                found[-1] += f"\n{line}"
            else:
                found.append(line)
    return found


@pytest.mark.parametrize("sql", statements())
def test_ordinary_statements_of_every_warehouse_pass_both(sql: str) -> None:
    check_words(sql)
    check_tree(sql)


VALUES: Final = st.sampled_from(["a", "t.b", "1", "2.5", "'x'", "null", "'it''s; (f'", "date '2024-01-01'"])
AROUND: Final = st.sampled_from(
    [
        *("abs({})", "({} + 1)", "coalesce({}, 0)", "cast({} as int)", "case when {} is null then 1 else 2 end"),
        *("sum({}) over (partition by a)", "(select max({}) from u)", "upper({})", "date_trunc('month', {})", "(-{})"),
        *("nullif({}, {})", "greatest({}, 2)", "count(distinct {})", "({} in (1, 2))", "concat({}, ', ', {})"),
    ]
)
FRAMES: Final = st.sampled_from([place for place in PLACES if "a[{}]" not in place and ", {} as x" not in place])


@st.composite
def made(draw: st.DrawFn, innermost: st.SearchStrategy[str]) -> str:
    sql = draw(innermost)
    for around in draw(st.lists(AROUND, max_size=4)):
        sql = around.replace("{}", sql)
    return draw(FRAMES).replace("{}", sql)


@given(made(VALUES))
@settings(max_examples=150, deadline=None)
def test_whatever_is_made_of_what_reads_passes_both(sql: str) -> None:
    check_words(sql)
    check_tree(sql)


@given(made(st.sampled_from([*CALLS, *NOT_KNOWN])))
@settings(max_examples=150, deadline=None)
def test_whatever_has_a_writer_in_it_is_refused_by_each(sql: str) -> None:
    for fence in FENCES.values():
        with pytest.raises(BadInput):
            fence(sql)


DEEP_OR_LONG: Final = [
    *(f"select {'(' * n}1{')' * n}" for n in (60, 2000, 40_000)),
    *("select " + "case when a then " * 300 + "1" + " end" * 300, "select " + "abs(" * 2000 + "1" + ")" * 2000),
    *("select a" + "[1]" * 6000, "select " + "map<int," * 200 + "int" + ">" * 200, "select " + "a<" * 9000 + "b"),
    *("select " + "1," * 9000 + "1", "select " + "a." * 9000 + "b", "select map(1)", "select " + ")f(" * 6000),
]


# With a tenth of its time the parser has to give up by itself as it does with all of it, only sooner.
@pytest.mark.parametrize("sql", DEEP_OR_LONG, ids=lambda sql: f"{sql[:20]} {len(sql)}")
def test_what_is_deep_or_long_keeps_neither_busy(sql: str) -> None:
    for fence in (check_words, partial(check_tree, seconds=0.1)):
        assert work_of(fence, sql) < 4  # seconds; unbounded, some of these take minutes


def test_what_takes_longest_keeps_the_parser_no_longer_than_it_is_given() -> None:
    assert 0.5 < work_of(check_tree, "select " + "map<int," * 200 + "int" + ">" * 200) < 5


def work_of(fence: Fence, sql: str) -> float:
    """Return how many seconds of work a fence has with a statement that it lets through."""
    started = time.process_time()
    fence(sql)
    return time.process_time() - started


def test_what_is_very_long_is_left_to_the_words_which_refuse_it() -> None:
    sql = "select setval('a', 1)" + " " * 20_000
    check_tree(sql)
    with pytest.raises(BadInput, match="setval"):
        check_select(sql)


def test_the_parser_is_imported_where_a_statement_is_checked_and_not_before() -> None:
    code = """
import sys
from aboveboard.lightdash.tools.queries import calculations, queries
from aboveboard.lightdash.tools.sql import runner, safety, saved_charts
before = "sqlglot" in sys.modules
safety.check_select("select 1")
print(before, "sqlglot" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False True\n"


def test_the_parser_says_nothing_on_its_own(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(BadInput):
        check_tree("explain select 1")  # of which it would warn
    assert caplog.records == []
