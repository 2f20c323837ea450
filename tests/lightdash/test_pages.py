"""Lists come in pages, and never with a silent cut: walking the pages gives every item exactly once."""

from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, Final

import pytest
from tests.lightdash.analyst import analyst
from tests.lightdash.calls import FIRST, made_up_call
from tests.lightdash.crowd import crowd, ident
from tests.lightdash.raw import Raw
from tests.lightdash.sessions import TOOLS, Session, Watched, connected, text_of
from tests.plans import Served, served

from aboveboard.kit.server import BUG

pytestmark = pytest.mark.anyio

LISTS: Final = {
    name: tool
    for name, tool in TOOLS.items()
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


def needed(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return what a list cannot do without."""
    return {name: arguments[name] for name, field in TOOLS[tool].load().fields.items() if field.is_required()}


async def filled(lightdash: Served, tool: str) -> dict[str, Any]:
    """Arrange that there are several things to list, and return what the list takes."""
    case = FIRST[tool]
    # Most often the last step makes what is listed, and makes one more of it each time.
    again = [step for step in case.steps[-1:] if TOOLS[step.call].effect.name != "DELETE"]
    arguments = await lightdash.arrange(replace(case, arrange=[*case.arrange, *again, *again]))
    if tool == "list_user_attributes":  # no tool makes any
        body: dict[str, Any] = {"name": "another", "users": [], "groups": [], "attributeDefault": None}
        await Raw(lightdash.session.service).ask("POST", "/api/v1/org/attributes", body)
    return needed(tool, arguments)


def ids(items: list[dict[str, Any]]) -> list[str]:
    return [next(value for value in item.values() if str(value).startswith(ident(0)[:8])) for item in items]


async def walked(session: Session, tool: str, limit: int, given: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
    page: int | None = 1
    while page is not None:
        answer = await session.ask(tool, limit=limit, page=page, **given)
        yield answer
        page = answer.get("next_page")


def test_every_tool_that_lists_takes_a_limit_and_a_page_and_says_total_and_next_page() -> None:
    assert {name for name in TOOLS if name.startswith("list_")} <= set(LISTS)
    for name, tool in LISTS.items():
        assert {"limit", "page"} <= tool.input_schema["properties"].keys(), name
        assert tool.output_schema is not None
        assert {"items", "total", "next_page"} == tool.output_schema["properties"].keys(), name


@pytest.mark.surprise(54, 55, 56)
async def test_walking_the_pages_of_a_list_gives_every_item_exactly_once_and_nothing_past_the_end() -> None:
    wrong: list[str] = []
    async with served("lightdash") as lightdash:
        for tool in LISTS:
            given = await filled(lightdash, tool)
            wrong += [f"{tool} {fault}" async for fault in faults_of_pages(lightdash.session, tool, given)]
            await lightdash.reset()
    assert wrong == []


async def faults_of_pages(session: Session, tool: str, given: dict[str, Any]) -> AsyncIterator[str]:
    whole = await session.ask(tool, limit=MOST, **given)
    items, total = whole["items"], whole["total"]
    if whole.keys() != {"items", "total"} or len(items) != total or total < 2:
        yield f"has {total} items, shows {len(items)} and is not whole"
    for limit in (2 if total > 2 else 1, 50):
        pages = [page async for page in walked(session, tool, limit, given)]
        sizes = [limit] * (total // limit) + [total % limit] * (total % limit > 0)
        if [page["items"] for page in pages] != [items[limit * at : limit * (at + 1)] for at in range(len(sizes))]:
            yield f"has other items in pages of {limit}"
        if [page["total"] for page in pages] != [total] * len(sizes):
            yield f"has another total in pages of {limit}"
    if (past := await session.ask(tool, limit=2, page=1_000, **given)) != {"items": [], "total": total}:
        yield f"has past its end {past}"
    if text_of(await session.call(tool, page=10**30, **given)) == BUG:
        yield "breaks at a page beyond all numbers"


async def test_an_empty_list_is_an_answer_and_no_error() -> None:
    async with analyst(crowd(0)) as session:
        said = {tool: await session.ask(tool, **needed(tool, made_up_call(tool))) for tool in SCRIPTED}
    assert {tool: answer for tool, answer in said.items() if answer != {"items": [], "total": 0}} == {}


async def test_a_thousand_items_can_all_be_had_and_the_first_page_says_so() -> None:
    wrong: list[str] = []
    service = Watched(crowd(1_000))
    async with analyst(service) as session:
        for tool in SCRIPTED:
            given = needed(tool, made_up_call(tool))
            service.arrived.clear()
            first = await session.ask(tool, **given)
            pages = [page async for page in walked(session, tool, MOST, given)]
            found = [one for page in pages for one in ids(page["items"])]
            # One request a page for the list, and at most one more to know where it is.
            cost = Counter(service.lines).most_common(1)[0][1]
            if (len(first["items"]), first["total"], first["next_page"], cost) != (50, 1_000, 2, 1 + 1_000 / MOST):
                wrong.append(f"{tool}: the first page, after {cost} requests")
            if found != [ident(number) for number in range(1_000)]:
                wrong.append(f"{tool}: {len(found)} items")
    assert wrong == []


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
    async with analyst(service) as session:
        for tool in LISTS:
            assert await session.refusal(tool, **{**needed(tool, made_up_call(tool)), **given}) == reason, tool
    assert service.arrived == []
