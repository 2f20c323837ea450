"""Who may ask what, and whose a query is."""

from typing import Final

import httpx2
import pytest
from tests.lightdash.analyst import analyst
from tests.lightdash.scripted import BY_STATUS, QUERY
from tests.lightdash.sessions import ok

from aboveboard.errors import Refused
from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

FORBIDDEN: Final = f"Lightdash answered 403: You don't have access to this resource or action. {Refused.advice}"


@pytest.mark.surprise(32)
async def test_a_viewer_may_run_what_is_saved_and_look_but_not_ask(sandbox: Sandbox) -> None:
    async with analyst(sandbox, person="viewer") as session:
        assert (await session.ask("run_chart", chart="orders-by-status"))["rows"]
        assert (await session.ask("search_field_values", explore="orders", field="orders_status"))["values"]
        assert (await session.ask("compile_query", **BY_STATUS))["query"]
        assert await session.refusal("run_metric_query", **BY_STATUS) == FORBIDDEN
        assert await session.refusal("run_sql", sql="select 1") == FORBIDDEN


@pytest.mark.surprise(32)
async def test_an_editor_may_ask_but_write_no_sql_and_see_no_private_chart(sandbox: Sandbox) -> None:
    async with analyst(sandbox, person="editor") as session:
        assert (await session.ask("run_metric_query", **BY_STATUS))["rows"]
        assert await session.refusal("run_sql", sql="select 1") == FORBIDDEN
        assert (await session.refusal("run_chart", chart="refunds")).startswith("Lightdash answered 403")


@pytest.mark.surprise(31)
async def test_a_query_is_its_owners_alone(sandbox: Sandbox) -> None:
    async with analyst(sandbox, person="editor") as session:
        query = (await session.ask("run_metric_query", **BY_STATUS))["query_uuid"]
    async with analyst(sandbox) as session:
        for tool in ("get_query_result", "cancel_query", "calculate_total"):
            text = await session.refusal(tool, query_uuid=query)
            assert text.startswith(f"Lightdash answered 404: Query {query} not found"), tool


async def test_another_organisation_gets_nothing(sandbox: Sandbox) -> None:
    async with analyst(sandbox, person="other-org") as session:
        for tool, asked in (
            ("run_metric_query", BY_STATUS),
            ("compile_query", BY_STATUS),
            ("run_chart", {"chart": "orders-by-status"}),
            ("list_explores", {}),
        ):
            text = await session.refusal(tool, **asked)
            assert text.startswith(("Lightdash answered 403", "Lightdash answered 404")), tool


@pytest.mark.surprise(25)
async def test_an_edition_without_a_history_of_queries_says_so() -> None:
    sandbox = Sandbox()
    async with analyst(sandbox) as session:
        text = await session.refusal("get_query_history")
    sandbox.close()
    assert text == "This Lightdash keeps no query history: that takes its enterprise edition."


async def test_a_history_of_queries_comes_in_pages() -> None:
    def history(request: httpx2.Request) -> httpx2.Response:
        assert dict(request.url.params) == {"page": "2", "pageSize": "3"}
        entry = {"queryUuid": QUERY, "status": "ready", "createdAt": "2026-01-31T09:00:00.000Z", "compiledSql": "..."}
        place = {"page": 2, "pageSize": 3, "totalPageCount": 3, "totalResults": 7}
        return ok({"data": [entry], "pagination": place, "counts": {}})

    async with analyst(history) as session:
        answer = await session.ask("get_query_history", page=2, limit=3)
    entry = {"query_uuid": QUERY, "status": "ready", "created_at": "2026-01-31T09:00:00.000Z"}
    assert answer == {"items": [entry], "total": 7, "next_page": 3}
