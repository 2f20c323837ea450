"""What our user gets where a real Lightdash surprises with content: charts, dashboards, documents, marks, the trash."""

from typing import Final

import httpx2
import pytest
from tests.lightdash import places
from tests.lightdash.analyst import Prompt, analyst, body_of
from tests.lightdash.calls import made_up_call
from tests.lightdash.sessions import TOOLS, connected, error, facts, ok, raw_path, serving

from aboveboard.kit.gone import FOR_GOOD, GONE_BEFORE, UNSEEN
from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

BOARD: Final = "weekly-review"
CHART: Final = "orders-by-status"


@pytest.mark.surprise(35)
@pytest.mark.parametrize("kind", ["chart", "dashboard", "sql_chart"])
async def test_what_is_made_is_put_where_the_caller_says_and_nowhere_if_that_is_not_said(
    sandbox: Sandbox, kind: str
) -> None:
    service = Prompt(sandbox)
    async with analyst(service) as session:
        space = (await session.ask("create_space", name="Here"))["uuid"]
        arguments = {**made_up_call(f"create_{kind}"), "project_uuid": places.MAIN, "space_uuid": space}
        made = await session.ask(f"create_{kind}", **arguments)
        found = await session.ask(f"get_{kind}", **{kind: made.get("uuid") or made["saved_sql_uuid"]})
        service.arrived.clear()
        del arguments["space_uuid"]
        assert "space_uuid" in await session.refusal(f"create_{kind}", **arguments)
    assert (found["space"]["uuid"] if "space" in found else found["space_uuid"]) == space
    assert service.arrived == []


@pytest.mark.surprise(36)
@pytest.mark.parametrize("kind", ["chart", "dashboard"])
@pytest.mark.parametrize(("tool", "state"), [("pin_content", "pinned"), ("favorite_content", "favorite")])
async def test_the_wanted_state_is_kept_by_a_second_call_though_lightdash_toggles(
    sandbox: Sandbox, tool: str, state: str, kind: str
) -> None:
    item = {"kind": kind, "item": places.MAIN_CHART if kind == "chart" else places.MAIN_DASHBOARD}
    async with analyst(sandbox) as session:
        seen: list[dict[str, object]] = []
        for wanted in (True, True, False, False):
            assert (await session.ask(tool, **item, **{state: wanted}))["value"] is wanted
            seen.append(facts(sandbox))
    assert seen[0] == seen[1] != seen[2] == seen[3]


@pytest.mark.surprise(38)
async def test_the_same_change_again_adds_no_version(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        start = (await session.ask("get_chart_history", chart=CHART))["items"]
        for _ in range(2):
            await session.ask("update_chart", chart=CHART, limit=7)
        changed = (await session.ask("get_chart_history", chart=CHART))["total"]
        for _ in range(2):
            await session.ask("rollback_chart", chart=CHART, version_uuid=start[0]["version_uuid"])
        back = (await session.ask("get_chart_history", chart=CHART))["total"]
        await session.ask("update_sql_chart", sql_chart=places.SQL_CHART_SLUG, limit=7)
        titled = {"dashboard": BOARD, "title": "By week"}
        await session.ask("update_dashboard_tile", tile_uuid="Orders per week", **titled)
        once = versions(sandbox)
        await session.ask("update_sql_chart", sql_chart=places.SQL_CHART_SLUG, limit=7)
        await session.ask("update_dashboard_tile", tile_uuid="By week", **titled)
    assert (changed, back) == (len(start) + 1, len(start) + 2)
    assert versions(sandbox) == once


def versions(sandbox: Sandbox) -> dict[str, object]:
    return {key: value for key, value in sandbox.dump().items() if "version" in key}


@pytest.mark.surprise(39, 40)
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("delete_chart", {"chart": places.MAIN_CHART}),
        ("delete_dashboard", {"dashboard": BOARD}),
        ("delete_space", {"space_uuid": places.SALES}),
        ("delete_tag", {"tag_uuid": places.MAIN_TAG}),
        ("delete_scheduler", {"scheduler_uuid": places.MAIN_SCHEDULER}),
        ("delete_sql_chart", {"sql_chart": places.SQL_CHART_SLUG}),
        ("delete_content", {"kind": "chart", "item": places.MAIN_CHART}),
        ("move_content", {"kind": "chart", "item": places.MAIN_CHART, "to_space_uuid": places.PREVIEW_SPACE}),
    ],
)
async def test_what_is_gone_cannot_be_deleted_or_moved_again_and_that_is_said(
    sandbox: Sandbox, tool: str, arguments: dict[str, str]
) -> None:
    async with analyst(sandbox) as session:
        await session.call(tool, **arguments)
        before = facts(sandbox)
        text = await session.refusal(tool, **arguments)
    assert any(words in text for words in ("answered 404", "This project has no", "The project has no"))
    assert facts(sandbox) == before


@pytest.mark.surprise(43)
async def test_where_there_is_no_trash_what_is_deleted_cannot_be_restored_and_the_error_says_so() -> None:
    sandbox = Sandbox(soft_delete=False)
    item = {"kind": "chart", "item": places.MAIN_CHART}
    async with analyst(sandbox) as session:
        await session.ask("delete_content", **item)
        assert await session.ask("list_deleted_content") == {"items": [], "total": 0}
        text = await session.refusal("restore_content", **item)
        gone = await session.ask("delete_space", space_uuid=places.SALES)
        assert (await session.refusal("get_chart", chart=CHART)).startswith("Lightdash answered 404")
    sandbox.close()
    assert text.endswith("where Lightdash keeps no trash, deleting is final.")
    assert gone["to_get_back"] == FOR_GOOD


async def test_what_is_not_verified_loses_no_mark_and_nobody_is_told_that_it_did(sandbox: Sandbox) -> None:
    service = Prompt(sandbox)
    async with analyst(service) as session:
        marked = {"kind": "chart", "item": CHART}
        await session.ask("verify_content", **marked)
        told = [(await session.ask("unverify_content", **marked))["to_get_back"] for _ in range(2)]
    assert "verify_content with " in told[0]
    assert told[1] == GONE_BEFORE
    assert [one.method for one in service.arrived].count("DELETE") == 1


class Spoilt(Prompt):
    """A sandbox of which requests of one kind go wrong."""

    def __init__(self, sandbox: Sandbox, method: str, place: str, status: int) -> None:
        super().__init__(sandbox)
        self._method, self._place, self._status = method, place, status

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.method == self._method and self._place in raw_path(request):
            return error(self._status, "Not now")
        return await super().handle_async_request(request)


async def test_where_the_trash_cannot_be_seen_nobody_is_told_that_something_is_gone_for_good() -> None:
    sandbox = Sandbox(soft_delete=True)
    async with analyst(Spoilt(sandbox, "GET", "/content/deleted", 403)) as session:
        gone = await session.ask("delete_chart", chart=CHART)
    assert (gone["gone"], gone["to_get_back"]) == ("Orders by status", UNSEEN)
    async with analyst(sandbox) as session:
        back = await session.ask("restore_content", kind="chart", item=gone["uuid"])
    sandbox.close()
    assert back["uuid"] == gone["uuid"]


class FullTrash(Prompt):
    """A sandbox whose trash has more of a name than is shown at once."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if raw_path(request).endswith("/content/deleted"):
            return ok(
                {"data": [], "pagination": {"page": 1, "pageSize": 100, "totalPageCount": 2, "totalResults": 150}}
            )
        return await super().handle_async_request(request)


async def test_where_the_trash_is_seen_in_part_nobody_is_told_that_something_is_gone_for_good(sandbox: Sandbox) -> None:
    async with analyst(FullTrash(sandbox)) as session:
        gone = await session.ask("delete_chart", chart=CHART)
    assert gone["to_get_back"] == UNSEEN


async def test_a_chart_that_is_saved_and_not_on_its_dashboard_is_said_to_be_saved(sandbox: Sandbox) -> None:
    chart = {"name": "Twice?", "explore": "orders", "metrics": ["orders_order_count"], "dashboard": BOARD}
    async with analyst(Spoilt(sandbox, "PATCH", "/dashboards/", 500)) as session:
        text = await session.refusal("create_chart", **chart)
        [saved] = (await session.ask("list_charts", search="Twice?"))["items"]
    assert text.startswith(f"The chart is saved as {saved['uuid']}, and 'Weekly review' may not show it. ")
    assert "do not save it again" in text


@pytest.mark.surprise(43, 51)
async def test_a_sql_chart_comes_back_from_the_trash_as_what_it_was() -> None:
    sandbox = Sandbox(soft_delete=True)
    async with analyst(sandbox) as session:
        uuid = (await session.ask("get_sql_chart", sql_chart=places.SQL_CHART_SLUG))["saved_sql_uuid"]
        item = {"kind": "chart", "item": uuid}
        before = facts(sandbox)
        await session.ask("delete_content", **item)
        assert (await session.refusal("get_sql_chart", sql_chart=uuid)).startswith("Lightdash answered 404")
        back = await session.ask("restore_content", **item)
    assert facts(sandbox) == before
    sandbox.close()
    assert back["url"] == f"http://lightdash/projects/{places.MAIN}/sql-runner/{places.SQL_CHART_SLUG}"


@pytest.mark.surprise(48)
async def test_a_chart_of_fields_that_are_not_there_is_not_saved_and_one_is_renamed_by_its_slug(
    sandbox: Sandbox,
) -> None:
    async with analyst(sandbox) as session:
        before = facts(sandbox)
        asked = {"name": "X", "space_uuid": places.SALES, "explore": "orders", "dimensions": ["orders_statu"]}
        text = await session.refusal("create_chart", **asked)
        assert facts(sandbox) == before
        renamed = await session.ask("rename_chart", chart=CHART, name="By state")
    assert "did you mean 'orders_status'" in text
    assert (renamed["slug"], renamed["name"]) == (CHART, "By state")


@pytest.mark.surprise(49)
async def test_a_dashboard_is_changed_in_part_though_lightdash_wants_the_whole(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        old = await session.ask("get_dashboard", dashboard=BOARD)
        told = await session.ask("update_dashboard", dashboard=BOARD, description="Read this first")
        more = await session.ask("add_dashboard_tile", dashboard=BOARD, markdown="# One more")
    assert (told["name"], told["description"], told["tiles"]) == (old["name"], "Read this first", old["tiles"])
    assert more["tiles"][:-1] == old["tiles"]


@pytest.mark.surprise(50)
async def test_reading_counts_as_a_view_and_changes_nothing_else(sandbox: Sandbox) -> None:
    before = sandbox.dump()
    async with analyst(sandbox) as session:
        await session.ask("get_chart", chart=CHART)
        await session.ask("get_dashboard", dashboard=BOARD)
    after = sandbox.dump()
    changed = {key.rpartition("/")[2] for key in after if before.get(key) != after[key]}
    assert changed <= {"views", "first_viewed_at"}
    assert "views" in changed


@pytest.mark.surprise(51)
async def test_mixed_content_is_listed_by_kind_and_place_and_moved_with_its_source(sandbox: Sandbox) -> None:
    service = Prompt(sandbox)
    async with analyst(service) as session:
        found = await session.ask("list_content", kinds=["chart", "dashboard", "space"], space_uuid=places.SALES)
        asked = service.arrived[0].url.params
        uuid = (await session.ask("get_sql_chart", sql_chart=places.SQL_CHART_SLUG))["saved_sql_uuid"]
        target = (await session.ask("create_space", name="Elsewhere"))["uuid"]
        await session.ask("move_content", kind="chart", item=uuid, to_space_uuid=target)
        moved = await session.ask("get_sql_chart", sql_chart=uuid)
        board = (await session.ask("get_dashboard", dashboard=BOARD))["uuid"]
        await session.ask("move_content", kind="dashboard", item=board, to_space_uuid=target)
        assert (await session.ask("get_dashboard", dashboard=BOARD))["space_uuid"] == target
    assert asked.get_list("contentTypes") == ["chart", "dashboard", "space"]
    assert {item["content_type"] for item in found["items"]} == {"chart", "dashboard", "space"}
    assert moved["space"]["uuid"] == target
    body, _ = [body_of(one) for one in service.arrived if raw_path(one).endswith("/move")]
    assert body["item"]["source"] == "sql"


@pytest.mark.parametrize(("kind", "slug"), [("chart", CHART), ("dashboard", BOARD)])
async def test_a_rollback_leaves_the_name_as_it_is_and_says_so(sandbox: Sandbox, kind: str, slug: str) -> None:
    change = {"chart": {"limit": 7}, "dashboard": {"markdown": "One more"}}[kind]
    write, rename = {
        "chart": ("update_chart", "rename_chart"),
        "dashboard": ("add_dashboard_tile", "update_dashboard"),
    }[kind]
    async with analyst(sandbox) as session:
        kept = (await session.ask(write, **{kind: slug}, **change))["kept_version"]
        await session.ask(rename, **{kind: slug}, name="Another name")
        now = await session.ask(f"get_{kind}", **{kind: slug})
        back = await session.ask(f"rollback_{kind}", **{kind: slug}, version_uuid=kept)
        forth = await session.ask(f"rollback_{kind}", **{kind: slug}, version_uuid=back["kept_version"])
    assert back["name"] == "Another name"
    shown = {"chart": "metric_query", "dashboard": "tiles"}[kind]
    assert back[shown] != now[shown] == forth[shown]
    assert "its name stays" in TOOLS[f"rollback_{kind}"].description


@pytest.mark.surprise(61)
async def test_of_two_columns_of_one_name_the_last_is_shown_as_the_tool_says(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        answer = await session.ask("run_sql", sql="select 1 as a, 2 as a")
    assert ([column["id"] for column in answer["columns"]], answer["rows"]) == (["a"], [[2]])
    told = TOOLS["run_sql"].input_schema["properties"]["sql"]["description"]
    assert "of two columns named alike, the last is kept" in told


async def test_a_space_inside_another_is_moved_and_deleted_like_one_at_the_top(sandbox: Sandbox) -> None:
    """Lightdash's list of content leaves such spaces out."""
    async with connected(serving(sandbox)) as session:
        spaces = (await session.ask("list_spaces", project_uuid=places.MAIN))["items"]
        inner = next(one for one in spaces if one.get("parent_space_uuid"))
        top = next(
            one for one in spaces if not one.get("parent_space_uuid") and one["uuid"] != inner["parent_space_uuid"]
        )
        item = {"project_uuid": places.MAIN, "kind": "space", "item": inner["uuid"]}
        await session.ask("move_content", **item, to_space_uuid=top["uuid"])
        moved = facts(sandbox)[f"spaces/{inner['uuid']}/parent"]
        gone = await session.ask("delete_content", **item)
        assert (gone["uuid"], gone["name"]) == (inner["uuid"], inner["name"])
    assert moved == top["uuid"]
    assert not any(inner["uuid"] in key for key in facts(sandbox) if key.startswith("spaces/"))
