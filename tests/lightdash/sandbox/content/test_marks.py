"""Toggles, versions and schedules: what each call leaves behind, as the dump tells it."""

import json
from collections.abc import AsyncIterator

import pytest
from tests.lightdash.sandbox.choices import CUSTOMERS, MAIN, PROJECT, Person, facts, person

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

CHART = "3a000000-0000-4000-8000-000000000002"
REVIEW, NOTE = "4a000000-0000-4000-8000-000000000004", "5a000000-0000-4000-8000-000000000400"
DELIVERY = "bc000000-0000-4000-8000-000000000001"


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    made = Sandbox()
    yield made
    made.close()


@pytest.mark.parametrize(
    ("path", "body", "key"),
    [
        (f"/api/v1/saved/{CHART}/pinning", None, f"pins/{CHART}/position"),
        (f"/api/v1/dashboards/{REVIEW}/pinning", None, f"pins/{REVIEW}/position"),
        (f"{PROJECT}/spaces/{CUSTOMERS}/pinning", None, f"pins/{CUSTOMERS}/position"),
        (f"{PROJECT}/favorites", {"contentType": "chart", "contentUuid": CHART}, f"/{CHART}/project"),
    ],
)
async def test_pins_and_favourites_are_toggles(
    sandbox: Sandbox, path: str, body: dict[str, str] | None, key: str
) -> None:
    before = facts(sandbox)
    async with person(sandbox) as admin:
        await admin.ask("PATCH", path, body)
        once = facts(sandbox)
        await admin.ask("PATCH", path, body)
    assert len([name for name in once.keys() - before.keys() if name.endswith(key)]) == 1
    assert facts(sandbox) == before


async def test_a_pin_shows_wherever_the_chart_is_listed(sandbox: Sandbox) -> None:
    async with person(sandbox) as admin:
        pinned = await admin.ask("PATCH", f"/api/v1/saved/{CHART}/pinning")
        await admin.ask("POST", f"/api/v1/saved/{CHART}/verification")
        listed = await admin.ask("GET", f"{PROJECT}/charts")
        content = await admin.ask("GET", f"/api/v2/content?uuids={CHART}")
        items = await admin.ask("GET", f"{PROJECT}/pinned-lists/{pinned['pinnedListUuid']}/items")
    chart = next(one for one in listed if one["uuid"] == CHART)
    assert chart["pinnedListUuid"] == pinned["pinnedListUuid"] == content["data"][0]["pinnedList"]["uuid"]
    assert chart["verification"]["verifiedBy"]["firstName"] == "Ada"
    assert content["data"][0]["verification"] == chart["verification"]
    assert [item["data"]["uuid"] for item in items] == [CHART]


async def version(admin: Person, limit: int) -> None:
    chart = await admin.ask("GET", f"/api/v1/saved/{CHART}")
    body = {key: chart[key] for key in ("tableName", "chartConfig", "tableConfig")}
    query = chart["metricQuery"] | {"limit": limit}
    await admin.ask("POST", f"/api/v1/saved/{CHART}/version", body | {"metricQuery": query})


async def test_every_version_of_a_chart_is_kept_and_going_back_is_one_more(sandbox: Sandbox) -> None:
    async with person(sandbox) as admin:
        await version(admin, 7)
        history = (await admin.ask("GET", f"/api/v1/saved/{CHART}/history"))["history"]
        await admin.ask("POST", f"/api/v1/saved/{CHART}/rollback/{history[-1]['versionUuid']}")
        chart = await admin.ask("GET", f"/api/v1/saved/{CHART}")
    kept = [value for key, value in facts(sandbox).items() if key.startswith(f"chart_versions/{CHART}/")]
    limits = [json.loads(json.dumps(value))["limit"] for value in kept if isinstance(value, dict) and "limit" in value]
    assert len(history) == 2
    assert sorted(limits) == [7, 500, 500]
    assert chart["metricQuery"]["limit"] == 500


async def test_a_dashboard_goes_back_to_its_former_tiles_even_when_a_chart_is_gone(sandbox: Sandbox) -> None:
    async with person(sandbox) as admin:
        first = await admin.ask("GET", f"/api/v1/dashboards/{REVIEW}")
        await admin.ask("PATCH", f"/api/v1/dashboards/{REVIEW}", {"tiles": first["tiles"][:1], "tabs": []})
        shown = first["tiles"][1]["properties"]["savedChartUuid"]
        await admin.ask("DELETE", f"/api/v1/saved/{shown}")
        await admin.ask("POST", f"/api/v1/dashboards/{REVIEW}/rollback/{first['versionUuid']}")
        now = await admin.ask("GET", f"/api/v1/dashboards/{REVIEW}")
    assert [tile["uuid"] for tile in now["tiles"]] == [tile["uuid"] for tile in first["tiles"]]
    assert now["tiles"][1]["properties"]["savedChartUuid"] is None


async def test_sending_a_delivery_leaves_only_derived_facts_and_a_run_in_the_log(sandbox: Sandbox) -> None:
    before = facts(sandbox)
    async with person(sandbox) as admin:
        job = (await admin.ask("POST", f"/api/v1/schedulers/{DELIVERY}/send"))["jobId"]
        states = [(await admin.ask("GET", f"/api/v1/schedulers/job/{job}/status"))["status"] for _ in range(4)]
        runs = await admin.ask("GET", f"/api/v1/schedulers/{MAIN}/runs")
        logs = (await admin.ask("GET", f"/api/v1/schedulers/runs/{job}/logs"))["logs"]
    assert states == ["scheduled", "started", "completed", "completed"]
    assert [run["schedulerName"] for run in runs["data"]] == ["Monday numbers"]
    assert {log["target"] for log in logs} == {None, "ada@corner-shop.example"}
    assert facts(sandbox) == before


async def test_a_validation_result_is_dismissed_until_the_next_validation(sandbox: Sandbox) -> None:
    query: dict[str, object] = {"exploreName": "orders", "dimensions": ["orders_gone"], "metrics": []}
    body = {"name": "Broken", "tableName": "orders", "metricQuery": query, "chartConfig": {"type": "table"}}
    results = f"/api/v2/projects/{MAIN}/validate"
    async with person(sandbox) as admin:
        await admin.ask("POST", f"{PROJECT}/saved", body)
        assert (await admin.ask("GET", results))["data"] == []
        await admin.ask("POST", f"{PROJECT}/validate")
        found = (await admin.ask("GET", results))["data"]
        await admin.ask("DELETE", f"{PROJECT}/validate/{found[0]['validationUuid']}")
        assert (await admin.ask("GET", f"{results}/summary"))["totalErrors"] == 0
        await admin.ask("POST", f"{PROJECT}/validate")
        again = (await admin.ask("GET", results))["data"]
    assert [one["error"] for one in found] == ["Dimension error: the field 'orders_gone' no longer exists"]
    assert [one["error"] for one in again] == [one["error"] for one in found]
    assert again[0]["validationUuid"] != found[0]["validationUuid"]


async def test_validation_knows_fields_of_the_charts_own_and_finds_what_they_lack(sandbox: Sandbox) -> None:
    band = {"id": "banded", "name": "Banded", "type": "bin", "table": "orders", "dimensionId": "orders_gone"}
    typical = {"table": "orders", "name": "typical", "type": "average", "sql": "x", "baseDimensionName": "gone"}
    own = {"customDimensions": [band], "additionalMetrics": [typical]}
    query: dict[str, object] = {"exploreName": "orders", "dimensions": ["banded"], "metrics": ["orders_typical"], **own}
    body = {"name": "Broken", "tableName": "orders", "metricQuery": query, "chartConfig": {"type": "table"}}
    async with person(sandbox) as admin:
        await admin.ask("POST", f"{PROJECT}/saved", body)
        await admin.ask("POST", f"{PROJECT}/validate")
        found = (await admin.ask("GET", f"/api/v2/projects/{MAIN}/validate"))["data"]
    text = "Custom metric error: the base dimension 'orders_gone' no longer exists"
    assert [(one["error"], one["errorType"]) for one in found] == [(text, "custom metric")]


async def test_a_space_as_code_is_shared_with_those_it_names_and_nobody_else(sandbox: Sandbox) -> None:
    users = [{"email": "dana@corner-shop.example", "role": "editor"}]
    groups = [{"name": "Editors", "role": "viewer"}]
    access = {"inheritParentPermissions": True, "projectMemberAccessRole": None, "users": users, "groups": groups}
    space: dict[str, object] = {"contentType": "space", "spaceName": "Neu", "slug": "neu", "version": 1}
    at = f"{PROJECT}/code/spaces"
    async with person(sandbox) as admin:
        made = [await admin.ask("POST", at, space | {"access": access}) for _ in range(2)]
        renamed = await admin.ask("POST", at, space | {"spaceName": "Neuer"})
        found = [one for one in (await admin.ask("GET", at))["spaces"] if one["slug"] == "neu"]
        nobody = await admin.refused(
            "POST", at, space | {"access": access | {"users": [users[0] | {"email": "x@y.z"}]}}
        )
    assert [one["action"] for one in (*made, renamed)] == ["CREATE", "NO_CHANGES", "UPDATE"]
    assert [(one["spaceName"], one["access"]) for one in found] == [("Neuer", access)]
    assert nobody == (400, "User x@y.z is not a member of this organization")


async def test_a_comment_goes_with_its_replies_and_its_dashboard(sandbox: Sandbox) -> None:
    tile = f"/api/v1/comments/dashboards/{REVIEW}"
    text: dict[str, object] = {"text": "Why?", "textHtml": "<p onclick='x()'>Why?</p>", "mentions": []}
    async with person(sandbox) as admin:
        first = await admin.ask("POST", f"{tile}/{NOTE}", text)
        await admin.ask("POST", f"{tile}/{NOTE}", text | {"replyTo": first})
        second = await admin.ask("POST", f"{tile}/{NOTE}", text)
        await admin.ask("DELETE", f"{tile}/{first}")
        left = await admin.ask("GET", tile)
        await admin.ask("DELETE", f"/api/v1/dashboards/{REVIEW}")
    assert [comment["commentId"] for comment in left[NOTE]] == [second]
    assert left[NOTE][0]["textHtml"] == "<p>Why?</p>"
    assert not [key for key in facts(sandbox) if key.startswith("comments/")]


async def test_equal_calls_after_a_reset_give_equal_states(sandbox: Sandbox) -> None:
    async def work() -> dict[str, object]:
        async with person(sandbox) as admin:
            await version(admin, 9)
            await admin.ask("POST", "/api/v1/org/groups", {"name": "New"})
            await admin.ask("POST", f"{PROJECT}/tags", {"name": "New", "color": "red"})
            await admin.ask("PATCH", f"/api/v1/saved/{CHART}/pinning")
            await admin.ask("POST", f"/api/v1/schedulers/{DELIVERY}/send")
            await admin.ask("POST", "/api/v1/share", {"path": "/x", "params": ""})
        return sandbox.dump()

    first = await work()
    sandbox.reset()
    assert await work() == first
