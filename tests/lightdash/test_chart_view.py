"""The interactive chart on the wire: who is offered the page, who is given what it draws, and how large both are."""

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import mcp_types as mcp
import pytest
from mcp.shared.exceptions import MCPError
from tests.lightdash import places
from tests.lightdash.analyst import analyst
from tests.lightdash.sessions import ERAS, EVERYTHING, Era, Session, text_of

from aboveboard.kit.mode import Mode
from aboveboard.kit.policy import Policy
from aboveboard.kit.views import DRAWN, EXTENSION, PAGE
from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.tools.charts.plots import MOST_SERIES, Plot, Series
from aboveboard.lightdash.tools.charts.rendering import POINTS
from aboveboard.lightdash.tools.charts.view import ADDRESS, FOLDER, SCRIPTS, for_page

pytestmark = pytest.mark.anyio

SMALL: Final = 37_000


async def view_of(session: Session, tool: str) -> str | None:
    """Return the page that a tool's definition names."""
    [found] = [one for one in (await session.client.list_tools()).tools if one.name == session.prefix + tool]
    return None if found.meta is None else found.meta["ui"]["resourceUri"]


async def listed(session: Session) -> dict[str, str | None]:
    return {one.uri: one.mime_type for one in (await session.client.list_resources()).resources}


@pytest.mark.parametrize("era", ERAS)
async def test_the_tool_names_a_page_that_is_listed_and_read(sandbox: Sandbox, era: Era) -> None:
    async with analyst(sandbox, era=era, shows_views=True) as session:
        address = await view_of(session, "render_chart")
        assert address == ADDRESS
        assert (await listed(session))[address] == PAGE
        [page] = (await session.client.read_resource(address)).contents
        assert await view_of(session, "run_chart") is None
        offered = session.client.server_capabilities.extensions
    assert offered == ({EXTENSION: {}} if era == "auto" else None), "older revisions have no place to say so"
    assert isinstance(page, mcp.TextResourceContents)
    assert page.mime_type == PAGE == "text/html;profile=mcp-app"
    assert page.meta == {"ui": {"prefersBorder": True}}, "no csp: nothing is loaded from elsewhere"
    assert page.text.startswith("<!doctype html>")
    assert len(page.text.encode()) < SMALL


@pytest.mark.parametrize("era", ERAS)
async def test_what_is_drawn_goes_to_clients_that_show_pages_and_to_no_other(sandbox: Sandbox, era: Era) -> None:
    async with analyst(sandbox, era=era, shows_views=True) as session:
        shown = await session.call("render_chart", chart=places.CHART_SLUG)
    async with analyst(sandbox, era=era) as session:
        plain = await session.call("render_chart", chart=places.CHART_SLUG)
        found = await session.client.list_resources()
    assert found.resources == [], "a person who picks a resource has no use for the page"
    assert found.cache_scope == "private", "it is not the same for all"
    assert DRAWN not in (plain.meta or {})
    assert shown.meta is not None
    drawn = shown.meta[DRAWN]
    assert shown.structured_content is not None
    assert plain.structured_content is not None
    told, apart = plain.structured_content, shown.structured_content.pop("query_uuid")
    assert shown.structured_content | {"query_uuid": told["query_uuid"]} == told
    assert shown.content[:-1] == plain.content[:-1]
    assert text_of(shown).replace(apart, told["query_uuid"]) == text_of(plain)
    assert (drawn["kind"], drawn["title"]) == (told["chart_type"], told["title"])
    assert [len(one["values"]) for one in drawn["series"]] == [told["rows"]] * told["series"]
    assert drawn["url"] == told["url"]


@pytest.mark.parametrize(
    "policy",
    [
        Policy(exclude=["render_chart"]),
        Policy(exclude=["lightdash_tools__render_chart"]),
        Policy(exclude=["charts"]),
        Policy(toolsets=["spaces"]),
    ],
)
async def test_the_page_is_gone_with_its_tool(sandbox: Sandbox, policy: Policy) -> None:
    async with analyst(sandbox, policy=policy, shows_views=True) as session:
        assert session.client.server_capabilities.extensions is None
        if session.client.server_capabilities.resources is not None:
            assert ADDRESS not in await listed(session)
        with pytest.raises(MCPError):
            await session.client.read_resource(ADDRESS)


@pytest.mark.parametrize(
    "policy", [EVERYTHING, Policy(mode=Mode.READ_ONLY), Policy(toolsets=["charts"]), Policy(toolsets=["core"])]
)
async def test_the_page_is_there_with_its_tool(sandbox: Sandbox, policy: Policy) -> None:
    async with analyst(sandbox, policy=policy, shows_views=True) as session:
        assert await view_of(session, "render_chart") in await listed(session)


def test_the_page_has_no_way_to_run_what_it_is_given_or_to_reach_the_network() -> None:
    code = "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in SCRIPTS)
    ways = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|fetch\(|XMLHttpRequest|import\("
    )
    assert re.findall(ways, code) == []
    markup = code + "".join((FOLDER / name).read_text(encoding="utf-8") for name in ("page.html", "style.css"))
    assert set(re.findall(r"https?://[^\"'`\s]+", markup)) == {"http://www.w3.org/2000/svg"}
    assert re.findall(r"@import|url\(|<link|src=", markup) == []


def drawn(along: list[Any]) -> dict[str, Any]:
    return for_page(Plot("line", "x", along, [Series("n", [1.0] * len(along))]), None)


def test_dates_numbers_and_words_are_told_apart() -> None:
    times = drawn([datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, 2, tzinfo=UTC)])
    assert times["scale"] == "time"
    assert times["along"] == ["2026-01-01T00:00:00+00:00", "2026-01-01T02:00:00+00:00"]
    assert (drawn([1, 2.5])["scale"], drawn([1, None])["along"]) == ("number", ["1", "(none)"])
    assert drawn([True, False])["along"] == ["True", "False"]


def test_the_largest_answer_stays_small() -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    along = [start + timedelta(hours=at) for at in range(POINTS)]
    series = [Series(f"series {at}", [123456.789] * POINTS) for at in range(MOST_SERIES)]
    assert len(json.dumps(for_page(Plot("line", "x", along, series), None))) < 100_000
