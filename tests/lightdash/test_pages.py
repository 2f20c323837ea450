"""Lists come in pages, and never with a silent cut: walking the pages gives every item exactly once."""

from collections import Counter
from collections.abc import AsyncIterator
from typing import Any, Final

import pytest
from tests.lightdash.crowd import crowd, ident
from tests.lightdash.samples import GOOD, SAMPLED, SOMEONE, Known, filled
from tests.lightdash.sessions import Session, Watched, connected, serving, text_of

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

LISTS: Final = {
    name: tool
    for name, tool in SAMPLED.items()
    if "page" in tool.load().fields and "items" in (tool.output_schema or {}).get("properties", {})
}
MOST: Final = 200
# Their answers have forms of their own, which the script does not speak; the sandbox pages them above.
UNSCRIPTED: Final = {
    *("list_explores", "list_dimensions", "list_metrics", "search_fields", "get_table_analytics", "get_query_history"),
    *("list_sql_tables", "list_sql_fields", "get_chart_history", "get_dashboard_history", "search_content"),
    *("list_content", "list_deleted_content", "list_verified_content", "list_charts_as_code"),
    "list_dashboards_as_code",
}
SCRIPTED: Final = [name for name in LISTS if name not in UNSCRIPTED]


def arguments_of(tool: str, known: Known = SOMEONE) -> dict[str, Any]:
    """Return what a list cannot do without, and the project."""
    fields = SAMPLED[tool].load().fields
    given = {"project_uuid": known.project, **GOOD[tool](known)}
    return {name: given[name] for name, field in fields.items() if field.is_required() or name == "project_uuid"}


def ids(items: list[dict[str, Any]]) -> list[str]:
    return [next(value for value in item.values() if str(value).startswith(ident(0)[:8])) for item in items]


async def walked(session: Session, tool: str, limit: int, given: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
    page: int | None = 1
    while page is not None:
        answer = await session.ask(tool, limit=limit, page=page, **given)
        yield answer
        page = answer.get("next_page")


def test_every_tool_that_lists_takes_a_limit_and_a_page_and_says_total_and_next_page() -> None:
    assert {name for name in SAMPLED if name.startswith("list_")} <= set(LISTS)
    for name, tool in LISTS.items():
        assert {"limit", "page"} <= tool.input_schema["properties"].keys(), name
        assert tool.output_schema is not None
        assert {"items", "total", "next_page"} == tool.output_schema["properties"].keys(), name


@pytest.mark.surprise(54, 55)
@pytest.mark.parametrize("limit", [2, 50])
@pytest.mark.parametrize("tool", LISTS)
async def test_walking_the_pages_of_a_list_gives_every_item_exactly_once(
    sandbox: Sandbox, tool: str, limit: int
) -> None:
    async with connected(serving(sandbox)) as session:
        given = arguments_of(tool, await filled(session, tool))
        whole = await session.ask(tool, limit=MOST, **given)
        pages = [page async for page in walked(session, tool, limit, given)]
    assert len(whole["items"]) == whole["total"] > 1
    assert "next_page" not in whole
    assert [item for page in pages for item in page["items"]] == whole["items"]
    assert {page["total"] for page in pages} == {whole["total"]}
    assert [len(page["items"]) for page in pages[:-1]] == [limit] * (len(pages) - 1)
    assert len(pages) == -(-whole["total"] // limit)


@pytest.mark.surprise(56)
@pytest.mark.parametrize("tool", LISTS)
async def test_a_page_past_the_end_is_empty_and_still_says_how_many_there_are(sandbox: Sandbox, tool: str) -> None:
    async with connected(serving(sandbox)) as session:
        given = arguments_of(tool, await filled(session, tool))
        total = (await session.ask(tool, **given))["total"]
        past = await session.ask(tool, limit=2, page=1_000, **given)
    assert past == {"items": [], "total": total}


@pytest.mark.parametrize("tool", SCRIPTED)
async def test_an_empty_list_is_an_answer_and_no_error(tool: str) -> None:
    async with connected(crowd(0)) as session:
        assert await session.ask(tool, **arguments_of(tool)) == {"items": [], "total": 0}


@pytest.mark.parametrize("tool", SCRIPTED)
async def test_a_thousand_items_can_all_be_had_and_the_first_page_says_so(tool: str) -> None:
    service = Watched(crowd(1_000))
    async with connected(service) as session:
        first = await session.ask(tool, **arguments_of(tool))
        pages = [page async for page in walked(session, tool, MOST, arguments_of(tool))]
    found = [one for page in pages for one in ids(page["items"])]
    assert (len(first["items"]), first["total"], first["next_page"]) == (50, 1_000, 2)
    assert found == [ident(number) for number in range(1_000)]
    assert len(pages) == 1_000 / MOST
    # One request a page for the list, and at most one more to know where it is.
    assert Counter(service.lines).most_common(1)[0][1] == 1 + len(pages)


async def test_the_last_of_a_thousand_members_is_found_by_uuid() -> None:
    async with connected(crowd(1_000)) as session:
        member = await session.ask("get_member", user_uuid=ident(999))
    assert member["user_uuid"] == ident(999)


async def test_a_group_of_a_thousand_shows_every_member() -> None:
    service = Watched(crowd(1_000))
    async with connected(service) as session:
        group = await session.ask("get_group", group_uuid=ident(1))
    assert [member["user_uuid"] for member in group["members"]] == [ident(number) for number in range(1_000)]


@pytest.mark.surprise(56)
@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"limit": 0}, "limit must be at least 1."),
        ({"limit": -5}, "limit must be at least 1."),
        ({"limit": 201}, "limit must be at most 200."),
        ({"page": 0}, "page must be at least 1."),
        ({"page": 1.5}, "page must be a whole number."),
        ({"limit": "many"}, "limit must be a whole number."),
    ],
)
async def test_a_limit_or_page_that_cannot_be_is_refused_before_anything_is_sent(
    given: dict[str, Any], reason: str
) -> None:
    service = Watched(crowd(1))
    async with connected(service) as session:
        for tool in LISTS:
            assert await session.refusal(tool, **{**arguments_of(tool), **given}) == reason, tool
    assert service.arrived == []


async def test_a_page_beyond_all_numbers_is_an_error_that_can_be_read(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        for tool in LISTS:
            given = arguments_of(tool, await Known.learnt(session, tool))
            result = await session.call(tool, page=10**30, **given)
            assert "defect" not in text_of(result), tool
