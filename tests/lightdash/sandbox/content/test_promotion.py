"""Promoting content from the preview to the main project, which is upstream of it."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.lightdash.sandbox.choices import MAIN, PREVIEW, facts, person

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

REVENUE, HOURS = (f"3a000000-0000-4000-8000-{number:012d}" for number in (14, 15))
UPSTREAM_REVENUE = "3a000000-0000-4000-8000-000000000001"
OVERVIEW, UPSTREAM_OVERVIEW = (f"4a000000-0000-4000-8000-{number:012d}" for number in (5, 1))


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    made = Sandbox()
    yield made
    made.close()


def actions(diff: dict[str, Any]) -> dict[str, list[str]]:
    return {kind: [change["action"] for change in diff[kind]] for kind in ("spaces", "charts", "dashboards")}


async def test_a_diff_tells_what_would_change_upstream_and_changes_nothing(sandbox: Sandbox) -> None:
    before = facts(sandbox)
    async with person(sandbox) as admin:
        new = await admin.ask("GET", f"/api/v1/saved/{HOURS}/promoteDiff")
        known = await admin.ask("GET", f"/api/v1/saved/{REVENUE}/promoteDiff")
        board = await admin.ask("GET", f"/api/v1/dashboards/{OVERVIEW}/promoteDiff")
    assert actions(new) == {"spaces": ["create"], "charts": ["create"], "dashboards": []}
    assert actions(known) == {"spaces": ["create"], "charts": ["update"], "dashboards": []}
    assert actions(board) == {"spaces": ["create"], "charts": ["update"], "dashboards": ["update"]}
    assert {change["data"]["projectUuid"] for change in new["charts"]} == {MAIN}
    assert facts(sandbox) == before


async def test_promoting_a_chart_with_a_known_slug_gives_the_one_upstream_its_query(sandbox: Sandbox) -> None:
    async with person(sandbox) as admin:
        promoted = await admin.ask("POST", f"/api/v1/saved/{REVENUE}/promote")
        upstream = await admin.ask("GET", f"/api/v1/saved/{UPSTREAM_REVENUE}")
        history = await admin.ask("GET", f"/api/v1/saved/{UPSTREAM_REVENUE}/history")
        once = facts(sandbox)
        await admin.ask("POST", f"/api/v1/saved/{REVENUE}/promote")
        after = await admin.ask("GET", f"/api/v1/saved/{REVENUE}/promoteDiff")
    assert (promoted["uuid"], promoted["oldUuid"], promoted["projectUuid"]) == (UPSTREAM_REVENUE, REVENUE, MAIN)
    assert upstream["metricQuery"]["metrics"] == ["orders_net_revenue"]
    assert len(history["history"]) == 2
    assert actions(after) == {"spaces": ["no changes"], "charts": ["no changes"], "dashboards": []}
    assert facts(sandbox) == once


async def test_promoting_a_new_chart_makes_its_space_and_the_chart_upstream(sandbox: Sandbox) -> None:
    async with person(sandbox) as admin:
        promoted = await admin.ask("POST", f"/api/v1/saved/{HOURS}/promote")
        space = await admin.ask("GET", f"/api/v1/projects/{MAIN}/spaces/{promoted['spaceUuid']}")
    assert promoted["uuid"] != HOURS
    assert (space["slug"], [chart["name"] for chart in space["queries"]]) == ("shared", ["Orders by hour"])


async def test_promoting_a_dashboard_promotes_its_charts_and_points_at_those_upstream(sandbox: Sandbox) -> None:
    async with person(sandbox) as admin:
        promoted = await admin.ask("POST", f"/api/v1/dashboards/{OVERVIEW}/promote")
        history = await admin.ask("GET", f"/api/v1/dashboards/{UPSTREAM_OVERVIEW}/history")
    assert promoted["uuid"] == UPSTREAM_OVERVIEW
    charts = [tile["properties"].get("savedChartUuid") for tile in promoted["tiles"]]
    assert charts == [UPSTREAM_REVENUE, None]
    assert len(history["history"]) == 2


async def test_who_may_not_edit_may_not_promote_and_nothing_is_upstream_of_the_main_project(sandbox: Sandbox) -> None:
    async with person(sandbox, "viewer") as viewer, person(sandbox) as admin:
        assert (await viewer.refused("POST", f"/api/v1/saved/{HOURS}/promote"))[0] == 403
        answer = await admin.refused("GET", f"/api/v1/saved/{UPSTREAM_REVENUE}/promoteDiff")
        assert answer == (404, "This chart does not have an upstream project")
        await admin.ask("PATCH", f"/api/v1/projects/{PREVIEW}/metadata", {"upstreamProjectUuid": None})
        assert (await admin.refused("POST", f"/api/v1/saved/{HOURS}/promote"))[0] == 404
