"""What a real server shows as nothing, as the caller alone, or twice; and what our user gets instead."""

from typing import Any, Final

import httpx2
import pytest
from tests.lightdash import places
from tests.lightdash.analyst import Prompt, analyst
from tests.lightdash.calls import VERA, arranged
from tests.lightdash.raw import Raw
from tests.lightdash.sessions import TOOLS, connected, error, facts, raw_path, serving
from tests.plans import arrange, case_of, values_of

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

MISSING: Final = "00000000-0000-4000-8000-000000000000"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("list_charts", {"space_uuid": MISSING}),
        ("list_dashboards", {"space_uuid": MISSING}),
        ("list_content", {"space_uuid": MISSING}),
        ("list_charts", {"project_uuid": MISSING}),
        ("get_scheduler_runs", {"scheduler_uuid": MISSING}),
        ("get_table_analytics", {"table": "nowhere"}),
        ("get_validation_summary", {"project_uuid": MISSING}),
        ("list_admin_agent_threads", {"project_uuid": MISSING}),
    ],
)
async def test_what_does_not_exist_is_not_shown_as_empty(
    sandbox: Sandbox, tool: str, arguments: dict[str, Any]
) -> None:
    async with analyst(sandbox) as session:
        text = await session.refusal(tool, **arguments)
    assert "Lightdash answered 40" in text or text.startswith("The project has no explore 'nowhere'; it has orders")


async def test_an_agent_that_does_not_exist_is_not_shown_as_one_without_threads(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        text = await session.refusal("list_admin_agent_threads", agent_uuid=MISSING)
        arguments = await arrange(session, case_of("lightdash", "get_project_agent"), values_of("lightdash"))
        silent = await session.ask("list_admin_agent_threads", agent_uuid=arguments["agent_uuid"])
    assert text.startswith(f"There is no agent with the UUID {MISSING}.")
    assert silent["total"] == 0


async def test_a_role_for_one_project_does_not_become_one_everywhere(sandbox: Sandbox) -> None:
    before = facts(sandbox)
    both: dict[str, Any] = {"project_uuid": places.MAIN, "organization": True}
    async with analyst(sandbox) as session:
        given = await session.refusal("assign_role", role="admin", user_uuid=VERA, **both)
        listed = await session.refusal("list_role_assignments", **both)
    assert given == listed == "Give project_uuid, or organization for all projects; not both."
    assert facts(sandbox) == before


async def test_who_may_not_see_groups_is_told_so_although_their_number_shows(sandbox: Sandbox) -> None:
    async with analyst(sandbox, person="editor") as session:
        text = await session.refusal("list_groups")
    counted = await Raw(serving(sandbox)).ask("GET", "/api/v1/org/groups?page=1&pageSize=9")
    assert counted["pagination"]["totalResults"] > 0
    assert text.startswith("Lightdash lists no groups for the role editor")
    assert "someone who may not see groups is told so." in TOOLS["list_groups"].description


async def test_a_space_shows_everyone_who_sees_it_and_how(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        shared = await arranged(session, "grant_user_space_access", "more than before")
        found = await session.ask("get_space", space_uuid=shared["space_uuid"])
    by_user = {one["user_uuid"]: one for one in found["access"]}
    assert len(by_user) > 1
    assert by_user[shared["user_uuid"]]["role"] == "editor"
    assert by_user[shared["user_uuid"]]["has_direct_access"]
    async with connected(serving(sandbox)) as session:
        shared = await session.ask("get_space", space_uuid=places.SALES, project_uuid=places.MAIN)
    assert {one["inherited_from"] for one in shared["access"] if not one["has_direct_access"]} != set()


async def test_a_field_is_found_once_with_the_explores_that_join_its_table(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        found = (await session.ask("search_fields", pattern="^customers_", limit=200))["items"]
    ids = [(one["kind"], one["id"]) for one in found]
    assert len(ids) == len(set(ids)) > 0
    assert all(one["explore"] == "customers" and "orders" in one["also_in"] for one in found)
    twice = await Raw(serving(sandbox)).ask("GET", f"/api/v1/projects/{places.MAIN}/dataCatalog?type=field")
    assert len(twice) > len({(one["tableName"], one["name"], one["fieldType"]) for one in twice})


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("update_group", {"group_uuid": "0c000000-0000-4000-8000-000000000001"}),
        ("set_scheduler_enabled", {"scheduler_uuid": places.MAIN_SCHEDULER}),
        ("update_scheduler", {"scheduler_uuid": places.MAIN_SCHEDULER}),
    ],
)
async def test_an_equal_update_sends_nothing(sandbox: Sandbox, tool: str, arguments: dict[str, Any]) -> None:
    service = Prompt(sandbox)
    raw = Raw(serving(sandbox))
    if tool == "update_group":
        now = (await raw.ask("GET", f"/api/v1/groups/{arguments['group_uuid']}"))["name"]
        more: dict[str, Any] = {"name": now}
    else:
        now = await raw.ask("GET", f"/api/v1/schedulers/{places.MAIN_SCHEDULER}")
        more = {"enabled": now["enabled"]} if "enabled" in tool else {"name": now["name"], "cron": now["cron"]}
    async with analyst(service) as session:
        await session.ask(tool, **arguments, **more)
    assert {request.method for request in service.arrived} == {"GET"}


async def test_an_equal_update_of_a_sql_chart_sends_nothing(sandbox: Sandbox) -> None:
    service = Prompt(sandbox)
    async with analyst(service) as session:
        now = await session.ask("get_sql_chart", sql_chart=places.SQL_CHART_SLUG)
        same = {key: now[key] for key in ("name", "sql", "limit")}
        await session.ask("update_sql_chart", sql_chart=places.SQL_CHART_SLUG, **same)
    assert {request.method for request in service.arrived} == {"GET"}


async def test_documents_that_are_too_much_to_read_say_how_many_would_fit(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        for _ in range(50):
            await arranged(session, "rename_chart")
        text = await session.refusal("list_charts_as_code", limit=100)
        fitting = int(text.partition("a limit of ")[2].partition(",")[0])
        assert (await session.ask("list_charts_as_code", limit=fitting))["items"]


async def test_a_bin_without_its_kind_is_refused_before_lightdash_does(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        chart = (await session.ask("list_charts_as_code", slugs=["orders-by-status"]))["items"][0]
        custom = {"id": "bins", "name": "Bins", "table": "orders", "type": "bin", "dimensionId": "orders_amount"}
        query = {**chart["metricQuery"], "dimensions": ["bins"], "customDimensions": [custom]}
        changed = {**chart, "metricQuery": query}
        text = await session.refusal("upsert_chart_as_code", slug="orders-by-status", chart=changed)
    assert text.startswith("The bin dimension bins lacks its binType.")


async def test_every_published_schema_has_properties() -> None:
    async with connected(lambda request: pytest.fail("nothing is asked")) as session:
        tools = (await session.client.list_tools()).tools
    assert [tool.name for tool in tools if "properties" not in tool.input_schema] == []


async def test_who_writes_a_dashboard_as_code_is_told_what_the_new_ids_of_its_tiles_cost() -> None:
    async with connected(lambda request: pytest.fail("nothing is asked")) as session:
        tools = {tool.name: tool for tool in (await session.client.list_tools()).tools}
    written = tools["lightdash_tools__upsert_dashboard_as_code"]
    assert "Its tiles get new ids: comments on them vanish" in (written.description or "")
    assert "filters and config that are left out are gone" in (written.description or "")
    assert written.annotations is not None
    assert written.annotations.destructive_hint
    assert not written.annotations.idempotent_hint


async def test_a_problem_is_dismissed_by_the_id_that_is_shown(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        case = case_of("lightdash", "dismiss_validation")
        arguments = await arrange(session, case, values_of("lightdash"))
        shown = (await session.ask("get_validation_results"))["items"]
        await session.ask("dismiss_validation", **arguments)
        left = (await session.ask("get_validation_results"))["items"]
    assert arguments["validation_uuid"] in [one["validation_uuid"] for one in shown]
    assert arguments["validation_uuid"] not in [one["validation_uuid"] for one in left]


@pytest.mark.parametrize("status", [404, 500])
async def test_a_chart_that_lightdash_stores_in_spite_of_an_error_is_told_to_be_in_doubt(
    sandbox: Sandbox, status: int
) -> None:
    class Failing(Prompt):
        """Stores a chart and answers that it failed, as the real server does for some."""

        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            answer = await super().handle_async_request(request)
            return error(status, "Explore does not exist") if raw_path(request).endswith("/saved") else answer

    async with analyst(Failing(sandbox)) as session:
        asked = {"explore": "orders", "dimensions": ["orders_status"], "space_uuid": places.SALES}
        text = await session.refusal("create_chart", name="Stored all the same", **asked)
        there = await session.ask("list_charts", search="Stored all the same")
    assert there["total"] == 1
    assert "look" in text or "list" in text
    assert "unknown" in text or "all the same" in text
