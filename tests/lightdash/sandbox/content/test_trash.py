"""What is deleted on an instance with a bin, and on one without."""

from collections.abc import Iterator

import pytest
from tests.lightdash.sandbox.choices import CUSTOMERS, MAIN, PREVIEW, PROJECT, SALES, facts, person

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

CONTENT = f"/api/v2/content/{MAIN}"
DELETED = f"/api/v2/content/deleted?projectUuids={MAIN}"
STATUS = "3a000000-0000-4000-8000-000000000002"
OVERVIEW = "4a000000-0000-4000-8000-000000000001"
ITEMS = {
    "chart": {"uuid": STATUS, "contentType": "chart", "source": "dbt_explore"},
    "dashboard": {"uuid": OVERVIEW, "contentType": "dashboard"},
    "space": {"uuid": SALES, "contentType": "space"},
    "SQL chart": {"uuid": "3b000000-0000-4000-8000-000000000001", "contentType": "chart", "source": "sql"},
}


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    made = Sandbox(soft_delete=True)
    yield made
    made.close()


@pytest.mark.parametrize("item", ITEMS.values(), ids=ITEMS)
async def test_restoring_brings_back_all_that_was_there_and_nothing_else(
    sandbox: Sandbox, item: dict[str, str]
) -> None:
    before = facts(sandbox)
    async with person(sandbox) as admin:
        await admin.ask("POST", f"{CONTENT}/delete", {"item": item, "action": {"type": "delete"}})
        gone = facts(sandbox)
        assert not [key for key in gone if item["uuid"] in key and not key.startswith(("trash/", "tiles/"))]
        assert f"trash/{item['uuid']}/name" in gone
        await admin.ask("POST", f"{CONTENT}/restore", {"item": item})
    assert facts(sandbox) == before


async def test_the_bin_lists_what_was_deleted_with_what_went_along(sandbox: Sandbox) -> None:
    async with person(sandbox) as admin:
        await admin.ask("DELETE", "/api/v1/saved/refunds")
        await admin.ask("DELETE", f"{PROJECT}/spaces/{SALES}")
        found = await admin.ask("GET", DELETED)
        charts = await admin.ask("GET", f"{DELETED}&contentTypes=chart&search=REF")
    space, chart = found["data"]
    assert found["pagination"]["totalResults"] == 2
    assert (space["contentType"], space["nestedSpaceCount"], space["dashboardCount"]) == ("space", 2, 2)
    assert (space["chartCount"], space["schedulerCount"], space["spaceUuid"]) == (7, 1, space["uuid"])
    assert (chart["name"], chart["chartKind"], chart["source"], chart["spaceName"]) == (
        "Refunds",
        "table",
        "dbt_explore",
        "Finance",
    )
    assert [one["name"] for one in charts["data"]] == ["Refunds"]


async def test_a_deleted_chart_is_gone_for_everybody_until_it_is_restored(sandbox: Sandbox) -> None:
    async with person(sandbox) as admin:
        await admin.ask("DELETE", f"/api/v2/projects/{MAIN}/saved/{STATUS}")
        assert await admin.refused("GET", f"/api/v1/saved/{STATUS}") == (404, "Saved query not found")
        assert await admin.refused("DELETE", f"/api/v1/saved/{STATUS}") == (404, "Saved query not found")
        tiles = (await admin.ask("GET", f"/api/v1/dashboards/{OVERVIEW}"))["tiles"]
        assert [tile["properties"].get("savedChartUuid", "") for tile in tiles][-1] is None
        await admin.ask("POST", f"{CONTENT}/restore", {"item": ITEMS["chart"]})
        tiles = (await admin.ask("GET", f"/api/v1/dashboards/{OVERVIEW}"))["tiles"]
    assert [tile["properties"].get("savedChartUuid", "") for tile in tiles][-1] == STATUS


async def test_what_is_thrown_away_for_good_cannot_be_restored(sandbox: Sandbox) -> None:
    item = {"item": ITEMS["chart"]}
    async with person(sandbox) as admin:
        assert (await admin.refused("DELETE", f"{CONTENT}/permanent", item))[0] == 404
        await admin.ask("DELETE", f"/api/v1/saved/{STATUS}")
        elsewhere = f"/api/v2/content/{PREVIEW}/permanent"
        assert (await admin.refused("DELETE", elsewhere, item))[0] == 404
        await admin.ask("DELETE", f"{CONTENT}/permanent", item)
        assert (await admin.ask("GET", DELETED))["data"] == []
        assert await admin.refused("POST", f"{CONTENT}/restore", item) == (404, "Saved query not found")
    assert not [key for key in facts(sandbox) if STATUS in key]


async def test_people_see_and_restore_only_what_they_deleted_themselves(sandbox: Sandbox) -> None:
    async with person(sandbox) as admin, person(sandbox, "editor") as editor, person(sandbox, "viewer") as viewer:
        await admin.ask("DELETE", f"/api/v1/saved/{STATUS}")
        await editor.ask("DELETE", "/api/v1/saved/top-products")
        assert [one["name"] for one in (await editor.ask("GET", DELETED))["data"]] == ["Top products"]
        assert (await viewer.ask("GET", DELETED))["data"] == []
        assert len((await admin.ask("GET", DELETED))["data"]) == 2
        assert (await editor.refused("POST", f"{CONTENT}/restore", {"item": ITEMS["chart"]}))[0] == 403


async def test_a_chart_is_not_restored_into_a_space_that_is_gone(sandbox: Sandbox) -> None:
    item = {"uuid": "3a000000-0000-4000-8000-000000000009", "contentType": "chart", "source": "dbt_explore"}
    async with person(sandbox) as admin:
        await admin.ask("DELETE", f"/api/v1/saved/{item['uuid']}")
        await admin.ask("DELETE", f"{PROJECT}/spaces/{CUSTOMERS}")
        status, text = await admin.refused("POST", f"{CONTENT}/restore", {"item": item})
    assert status == 400
    assert "space" in text


@pytest.mark.parametrize("soft", [True, False])
async def test_the_instance_says_whether_it_has_a_bin(soft: bool) -> None:  # noqa: FBT001 - a parameter of the test
    sandbox = Sandbox(soft_delete=soft)
    async with person(sandbox) as admin:
        assert (await admin.ask("GET", "/api/v1/health"))["softDelete"]["enabled"] is soft
        await admin.ask("DELETE", f"/api/v1/saved/{STATUS}")
        assert bool((await admin.ask("GET", DELETED))["data"]) is soft
    sandbox.close()
