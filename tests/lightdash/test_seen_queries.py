"""Queries, as they were seen to go on a real server, and what our user gets instead."""

from typing import Any, Final

import anyio
import httpx2
import mcp_types as mcp
import pytest
from mcp.shared.exceptions import MCPError
from tests.lightdash import places
from tests.lightdash.analyst import Prompt, analyst, body_of
from tests.lightdash.scripted import BY_STATUS, QUERY, ready
from tests.lightdash.sessions import EVERYTHING, TOOLS, Session, error, ok, raw_path

from aboveboard.errors import BadInput
from aboveboard.kit.policy import Policy
from aboveboard.lightdash.client.projects import Parameter
from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.server import SERVICE
from aboveboard.lightdash.tools.queries import waiting

pytestmark = pytest.mark.anyio

NO_SQL: Final = Policy(toolsets=EVERYTHING.toolsets, exclude=["sql"])
TALE: Final = "(select string_agg(email, ',') from customers)"
ORDERED: Final = [{"name": "share", "sql": "round(${orders.order_count} / 2.0, 1)"}]


class Reluctant(httpx2.AsyncBaseTransport):
    """A Lightdash that runs a statement before it gives it an id, as the real one does."""

    def __init__(self, seconds: float, then: dict[str, Any]) -> None:
        self._seconds, self._then = seconds, then

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if raw_path(request) == "/api/v1/health":
            limits = {"maxLimit": 5000, "defaultLimit": 500, "maxPageSize": 9}
            return ok({"healthy": True, "version": "1", "query": limits})
        if request.method == "POST":
            await anyio.sleep(self._seconds)
            return ok({"queryUuid": QUERY})
        return ok(self._then)


async def run_slowly(
    monkeypatch: pytest.MonkeyPatch, seconds: float, *, budget: float = 0.5, then: dict[str, Any] | None = None
) -> tuple[mcp.CallToolResult, list[tuple[float, str]]]:
    monkeypatch.setattr(waiting, "BUDGET", budget)
    monkeypatch.setattr(waiting, "TOLD_EVERY", 0.02)
    heard: list[tuple[float, str]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, message or ""))

    async with analyst(Reluctant(seconds, then or ready([{"one": 1}], {"one": "number"}))) as session:
        result = await session.client.call_tool(
            f"{SERVICE.prefix}run_sql", {"sql": "select 1 as one"}, progress_callback=hear
        )
    return result, heard


async def test_while_lightdash_tries_a_statement_there_is_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    result, heard = await run_slowly(monkeypatch, 0.1)
    assert not result.is_error
    assert heard[0][1].startswith("Lightdash tries the statement")


async def test_a_statement_that_is_not_tried_in_time_says_that_nothing_can_stop_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    result, _ = await run_slowly(monkeypatch, 5)
    assert result.is_error
    assert isinstance(result.content[0], mcp.TextContent)
    assert "there is no query_uuid. It may go on in the warehouse" in result.content[0].text


async def test_what_it_took_to_try_a_statement_counts_as_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    result, heard = await run_slowly(
        monkeypatch, 0.3, budget=1.5, then={"queryUuid": QUERY, "status": "executing", "columns": {}}
    )
    assert (result.structured_content or {})["status"] == "running"
    running = [seconds for seconds, message in heard if message.startswith("The query runs")]
    assert running
    assert min(running) >= 0.3


def test_who_cancels_is_told_that_the_warehouse_goes_on_and_who_runs_sql_that_it_runs_twice() -> None:
    assert "The warehouse goes on with its statement." in TOOLS["cancel_query"].description
    assert "Lightdash runs it twice" in TOOLS["run_sql"].description
    assert "The warehouse's user should be read-only." in TOOLS["run_sql"].description


@pytest.mark.parametrize(
    "sql",
    [
        "select setval('s', 1)",
        "select nextval('s')",
        "select lo_import('/etc/passwd')",
        "select pg_catalog.pg_terminate_backend(1)",
        "select dblink_exec('', 'delete from t')",
        "select query_to_xml('delete from t', true, true, '')",
        "select own.total(1)",
        'select "setval"(1)',
        """select 1 -- it's\n, "setval"('x', 1)""",
        "select `setval` (1)",
        "select sum(1) from t where a.b.c(1) > 0",
        "select count(*), purge_everything () from orders",
        "with t as (select f(1)) select * from t",
        "select ST_CreateOverview('t'::regclass, 'rast', 2)",
        "select toTopoGeom(g, 'topo', 1) from t",
    ],
)
async def test_a_function_that_is_not_known_to_only_read_is_not_run(sandbox: Sandbox, sql: str) -> None:
    async with analyst(sandbox) as session:
        text = await session.refusal("run_sql", sql=sql)
    assert any(reason in text for reason in ("known to only read", "writes, locks", "write it plainly"))


@pytest.mark.parametrize(
    "sql",
    [
        "select some_sequence.nextval",
        "select NEXT  VALUE FOR s",
        "select * from orders for share",
        "select * from orders for key share of orders",
    ],
)
async def test_what_writes_without_being_called_is_not_run(sandbox: Sandbox, sql: str) -> None:
    async with analyst(sandbox) as session:
        assert "moves a sequence or locks rows" in await session.refusal("run_sql", sql=sql)


@pytest.mark.parametrize(
    "sql",
    [
        """select 1 as "nextval", 'next value for' as t, 2 as market_share""",
        "with t(a, b) as (select 1, 2) select coalesce(a, b) as c from t",
        "select cast(1.5 as numeric(10, 2)) as c, count(*) filter (where 1 in (1)) as n, 'f(x)' as t",
        "select x.a as a from (select 1 as a) as x",
    ],
)
async def test_functions_that_read_names_of_tables_and_types_are_no_hindrance(sandbox: Sandbox, sql: str) -> None:
    async with analyst(sandbox) as session:
        assert (await session.ask("run_sql", sql=sql))["total_rows"] == 1


async def test_the_sandbox_reads_in_a_table_calculation_what_the_real_server_reads(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        found = await session.ask("run_metric_query", **BY_STATUS, table_calculations=[{"name": "n", "sql": NUMBER}])
    assert found["rows"][0][2] > 0


NUMBER: Final = "(select count(*) from customers)"


@pytest.mark.parametrize("tool", ["run_metric_query", "compile_query"])
@pytest.mark.parametrize("sql", [TALE, NUMBER, "'text'", "version()", "${orders.order_count}; select 1", "x -- y"])
async def test_without_sql_a_table_calculation_is_no_way_to_sql(sandbox: Sandbox, tool: str, sql: str) -> None:
    service = Prompt(sandbox)
    async with analyst(service, policy=NO_SQL) as session:
        await session.refusal(tool, **BY_STATUS, table_calculations=[{"name": "n", "sql": sql}])
        assert not any(request.method == "POST" for request in service.arrived)
        assert await session.ask(tool, **BY_STATUS, table_calculations=ORDERED)


async def test_a_table_calculation_cannot_write_either(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        calculation = {"name": "n", "sql": "setval('s', 1)"}
        assert "setval() writes" in await session.refusal(
            "run_metric_query", **BY_STATUS, table_calculations=[calculation]
        )


async def sent_by(sandbox: Sandbox, tool: str, end: str, **arguments: Any) -> list[dict[str, Any]]:
    service = Prompt(sandbox)
    async with analyst(service) as session:
        await session.ask(tool, **arguments)
    return [body_of(one) for one in service.arrived if one.method == "POST" and end in raw_path(one)]


@pytest.mark.parametrize(
    ("tool", "arguments", "end"),
    [
        ("run_metric_query", BY_STATUS, "/query/metric-query"),
        ("compile_query", BY_STATUS, "/compileQuery"),
        ("run_chart", {"chart": places.MAIN_CHART}, "/query/chart"),
        ("run_chart", {"chart": places.SQL_CHART_SLUG}, "/query/sql-chart"),
        ("run_dashboard", {"dashboard": places.MAIN_DASHBOARD}, "/query/dashboard-"),
    ],
)
async def test_parameters_reach_every_query_and_one_that_is_not_there_is_refused(
    sandbox: Sandbox, tool: str, arguments: dict[str, Any], end: str
) -> None:
    bodies = await sent_by(sandbox, tool, end, **arguments, parameters={"currency": "eur"})
    assert bodies
    assert all(body["parameters"] == {"currency": "eur"} for body in bodies)
    async with analyst(sandbox) as session:
        text = await session.refusal(tool, **arguments, parameters={"curency": "eur"})
        other = await session.refusal(tool, **arguments, parameters={"currency": "yen"})
    assert "currency" in text
    assert "The parameter currency is one of usd, eur, gbp, not 'yen'." in other


def test_a_parameter_that_takes_any_value_takes_one_that_is_none_of_its_options() -> None:
    Parameter(name="currency", options=["usd"], allow_custom_values=True).check("yen")
    Parameter(name="currency", options=None).check("yen")
    for wrong in ("yen", ["usd", "yen"]):
        with pytest.raises(BadInput, match="is one of usd, not 'yen'"):
            Parameter(name="currency", options=["usd"]).check(wrong)


async def test_a_query_can_be_compiled_with_calculations_and_metrics_of_its_own(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        metric = {"name": "largest", "dimension": "orders_amount", "type": "max"}
        sql = (
            await session.ask(
                "compile_query", **BY_STATUS, table_calculations=ORDERED, custom_metrics=[metric], sort=["-share"]
            )
        )["query"]
        found = await session.ask("run_metric_query", **BY_STATUS, custom_metrics=[metric])
    assert "MAX(" in sql.upper()
    assert "share" in sql
    assert [column["id"] for column in found["columns"]][-1] == "orders_largest"


async def test_reading_on_keeps_labels_order_and_address(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        first = await session.ask("run_metric_query", **BY_STATUS, rows=2)
        then = await session.ask("get_query_result", query_uuid=first["query_uuid"], page=2, rows=2)
    assert then["columns"] == first["columns"]
    assert then["columns"][0]["label"] == "Status"
    assert then["url"] == first["url"]


async def test_an_edition_without_a_history_is_not_taken_for_a_lack_of_rights() -> None:
    edition = Sandbox()
    async with analyst(edition) as session:
        text = await session.refusal("get_query_history")
    edition.close()
    assert text == "This Lightdash keeps no query history: that takes its enterprise edition."


async def exported(session: Session) -> str:
    query = (await session.ask("run_metric_query", **BY_STATUS))["query_uuid"]
    return (await session.ask("export_query", query_uuid=query))["resource"]


async def test_a_csv_is_text_and_a_file_of_another_project_stays_behind_the_fence(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        elsewhere = await exported(session)
    async with analyst(sandbox, allowed=[places.MAIN]) as session:
        own = (await session.client.read_resource(await exported(session))).contents[0]
        with pytest.raises(MCPError, match="LIGHTDASH_ALLOWED_PROJECTS"):
            await session.client.read_resource(elsewhere)
    assert isinstance(own, mcp.TextResourceContents)
    assert own.text.startswith("Status,")
    assert own.mime_type == "text/csv"


async def test_what_is_wrong_with_a_body_is_one_sentence_and_no_json_in_json() -> None:
    inner = '[{"and.$0.operator":{"message":"should be one of the following; [\'isNull\']","value":"x"}}]'
    text = "Could not match the union against any of the items. Issues: "
    middle = '[{"body.filters.or":{"message":"\'or\' is required"}},{"and.$0":{"message":"%s"}}]'
    message = "body.filters: " + text + middle % (text + inner).replace('"', '\\"')

    def lightdash(request: httpx2.Request) -> httpx2.Response:
        return error(422, message, "ValidateError")

    async with analyst(lightdash) as session:
        said = await session.refusal("list_projects")
    assert "and.$0.operator: should be one of the following; ['isNull']" in said
    assert "'or' is required" not in said  # the arm that was nearly right tells what is wrong
    assert "Issues" not in said
    assert '"message"' not in said
