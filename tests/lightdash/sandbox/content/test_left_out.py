"""What an update destroys by leaving it out: the sandbox loses what the real Lightdash was recorded to lose."""

import json
import re
from functools import cache
from typing import Any, Final

import pytest
from tests.lightdash import places
from tests.lightdash.raw import Raw
from tests.lightdash.sessions import serving
from tests.shared import SHARED, absence

from aboveboard.lightdash.sandbox import Sandbox

PROJECT: Final = f"/api/v1/projects/{places.MAIN}"
FOLDER: Final = SHARED / "recordings" / "lightdash-objects"
pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not FOLDER.is_dir(), reason=absence(FOLDER)),
]
Step = dict[str, Any]
CHARTS: Final = (places.MAIN_CHART, "3a000000-0000-4000-8000-000000000002")
# The sandbox tells of the fields of these; times and views move by themselves.
BOARD: Final = ("name", "description", "spaceUuid", "tiles", "tabs", "filters", "parameters", "config")
DELIVERY: Final = (
    *("name", "message", "cron", "timezone", "format", "options", "enabled", "includeLinks", "plainTextEmail"),
    *("filters", "parameters", "customViewportWidth", "selectedTabs"),
)


def steps(file: str, scenario: str) -> dict[str, Step]:
    return {step["step"]: step for step in _recorded(file) if step["scenario"] == scenario}


@cache
def _recorded(file: str) -> list[Step]:
    path = FOLDER / f"{file}.json"
    return json.loads(path.read_text()) if path.is_file() else []


def ours(step: Step) -> Any:
    """Return a recorded body with the sandbox's ids for the space and the charts."""
    text = json.dumps(step["request"]["body"])
    for theirs, mine in _known().items():
        text = text.replace(theirs, mine)
    return json.loads(text)


@cache
def _known() -> dict[str, str]:
    known: dict[str, str] = {}
    for scenario in ("left-out-v1", "left-out-v2", "schedulers"):
        made = next(iter(steps("dashboards-more", scenario).values()), None)
        if made is not None:
            body = made["request"]["body"]
            known[body["spaceUuid"]] = places.SALES
            shown = [tile["properties"] for tile in body["tiles"] if tile["type"] == "saved_chart"]
            known |= {tile["savedChartUuid"]: chart for tile, chart in zip(shown, CHARTS, strict=True)}
    return known


def lost(step: Step) -> set[str]:
    """Return what the recording says was changed by a step."""
    told = re.search("changed by it: (.*)", step["note"] or "")
    return set() if told is None or told[1] == "nothing" else set(told[1].split(", "))


def told(board: dict[str, Any]) -> dict[str, Any]:
    """Return what a dashboard consists of; of two tiles in one place, either may come first."""
    tiles = sorted(board["tiles"], key=lambda tile: tile["uuid"])
    return {**{field: board.get(field) for field in BOARD}, "tiles": tiles}


LEFT_OUT: Final = [
    (scenario, name)
    for scenario in ("left-out-v1", "left-out-v2")
    for name, step in steps("dashboards-more", scenario).items()
    if step["request"]["method"] == "PATCH"
]
WITHOUT: Final = [name for name in steps("dashboards-more", "schedulers") if name.startswith("without-")]


@pytest.mark.parametrize(("scenario", "name"), LEFT_OUT)
async def test_a_dashboard_loses_what_a_new_version_leaves_out(sandbox: Sandbox, scenario: str, name: str) -> None:
    recorded = steps("dashboards-more", scenario)
    raw = Raw(serving(sandbox))
    made = await raw.ask("POST", f"{PROJECT}/dashboards", ours(next(iter(recorded.values()))))
    before = told(await raw.ask("GET", f"/api/v1/dashboards/{made['uuid']}"))
    family = "/api/v1" if scenario.endswith("v1") else f"/api/v2/projects/{places.MAIN}"
    status = await raw.status("PATCH", f"{family}/dashboards/{made['uuid']}", ours(recorded[name]))
    after = told(await raw.ask("GET", f"/api/v1/dashboards/{made['uuid']}"))
    assert status == recorded[name]["response"]["status"]
    assert {field for field in BOARD if before[field] != after[field]} == lost(recorded[name])


@pytest.mark.parametrize("name", WITHOUT)
async def test_a_delivery_loses_what_a_patch_leaves_out(sandbox: Sandbox, name: str) -> None:
    recorded = steps("dashboards-more", "schedulers")
    raw = Raw(serving(sandbox))
    board = await raw.ask("POST", f"{PROJECT}/dashboards", ours(recorded["create-dashboard"]))
    made = await raw.ask("POST", f"/api/v1/dashboards/{board['uuid']}/schedulers", ours(recorded["create"]))
    at = f"/api/v1/schedulers/{made['schedulerUuid']}"
    status = await raw.status("PATCH", at, ours(recorded[name]))
    after = await raw.ask("GET", at)
    assert status == recorded[name]["response"]["status"]
    assert {field for field in DELIVERY if made.get(field) != after.get(field)} == lost(recorded[name])
    # A field without a value is there as null, or not there: as in the recording.
    answer = recorded[name]["response"]["body"].get("results", {})
    assert not answer or [field in after for field in DELIVERY] == [field in answer for field in DELIVERY]


async def test_null_is_refused_in_the_words_of_the_recording_where_nothing_at_all_is_taken(sandbox: Sandbox) -> None:
    recorded = steps("objects", "dashboards")
    raw = Raw(serving(sandbox))
    refused = await raw.answer("POST", f"{PROJECT}/dashboards", recorded["create-description-null"]["request"]["body"])
    body = recorded["create-without-description"]["request"]["body"] | {"spaceUuid": places.SALES}
    assert refused == recorded["create-description-null"]["response"]["body"]
    assert (await raw.ask("POST", f"{PROJECT}/dashboards", body))["description"] is None


async def test_a_tile_of_a_sql_chart_wants_its_name(sandbox: Sandbox) -> None:
    recorded = steps("objects", "dashboards")
    raw = Raw(serving(sandbox))
    made = await raw.ask("POST", f"{PROJECT}/dashboards", {"name": "A", "tiles": [], "tabs": []})
    at = f"/api/v2/projects/{places.MAIN}/dashboards/{made['uuid']}"
    for name, status in (("add-sql-tile-without-chart-name", 422), ("add-sql-tile", 200)):
        body = dict(recorded[name]["request"]["body"])
        body["tiles"] = [tile for tile in body["tiles"] if tile["type"] == "sql_chart"]
        assert await raw.status("PATCH", at, body) == status == recorded[name]["response"]["status"]


async def test_a_chart_loses_what_a_version_leaves_out_and_has_its_columns_in_the_order_asked_for(
    sandbox: Sandbox,
) -> None:
    recorded = steps("objects", "chart-versions")
    raw = Raw(serving(sandbox))
    at = f"/api/v1/saved/{places.MAIN_CHART}"
    for name in ("version-with-parameters", "version-without-pivot-and-parameters"):
        step = recorded[name]
        await raw.ask("POST", f"{at}/version", step["request"]["body"])
        found, real = await raw.ask("GET", at), step["response"]["body"]["results"]
        for field in ("metricQuery", "chartConfig", "tableConfig", "pivotConfig", "parameters", "merge", "tableName"):
            assert found.get(field, "nothing") == real.get(field, "nothing"), (name, field)
    ordered = steps("charts", "minimal")["create-table-config"]
    body = {**ordered["request"]["body"], "spaceUuid": places.SALES}
    made, real = await raw.ask("POST", f"{PROJECT}/saved", body), ordered["response"]["body"]["results"]
    assert (made["metricQuery"], made["tableConfig"]) == (real["metricQuery"], real["tableConfig"])


@pytest.mark.parametrize("name", [name for name in steps("objects", "unusual-queries") if name.startswith("get-")])
async def test_an_unusual_query_sent_back_as_it_came_stays_as_it_is(sandbox: Sandbox, name: str) -> None:
    real = steps("objects", "unusual-queries")[name]["response"]["body"]["results"]
    raw = Raw(serving(sandbox))
    at = f"/api/v1/saved/{places.MAIN_CHART}"
    await raw.ask("POST", f"{at}/version", real)
    found = await raw.ask("GET", at)
    for field in ("metricQuery", "chartConfig", "tableConfig", "pivotConfig"):
        assert found.get(field, "nothing") == real.get(field, "nothing"), field
