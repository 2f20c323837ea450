"""Every answer that made or changed something says where people open it, or why it cannot."""

import re
from typing import Final

import httpx2
import pytest
from tests.lightdash import places
from tests.lightdash.sessions import TOOLS, connected, ok, serving
from tests.plans import UPSTREAM, good_cases, served

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

GONE: Final = "what it deletes has no page any more"
WITHOUT: Final = {
    "cancel_query": "a query that was given up has no page",
    "export_query": "its file_url is the address of what it made",
    **dict.fromkeys(("delete_content", "delete_space", "delete_chart", "delete_dashboard", "delete_sql_chart"), GONE),
    **dict.fromkeys(("delete_group", "delete_member", "delete_scheduler", "delete_tag"), GONE),
    **dict.fromkeys(("delete_project_agent", "delete_agent_evaluation"), GONE),
}
WRITING: Final = {name for name, tool in TOOLS.items() if not tool.effect.read_only}

ID: Final = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
PAGES: Final = re.compile(
    f"{re.escape(UPSTREAM)}(?:"
    f"/projects/{ID}/(?:(?P<family>saved|dashboards|sql-runner)/[^/?#]+|spaces/{ID}|tables|metrics"
    f"|ai-agents/{ID}(?:/threads/{ID}|/edit/evals/{ID}(?:/run/{ID})?)?)"
    f"|/generalSettings/(?:userManagement|userScheduledDeliveries|ai/general"
    f"|projectManagement/{ID}/(?:validator|projectAccess)))"
)
"""The routes of Lightdash's web client, as its source declares them."""
OPENS: Final = {
    **dict.fromkeys(("add_comment", "resolve_comment", "delete_comment"), "/dashboards/{dashboard_uuid}"),
    "upsert_chart_as_code": "/saved/{slug}",
    "upsert_dashboard_as_code": "/dashboards/{slug}",
    **dict.fromkeys(("create_sql_chart", "update_sql_chart"), "/sql-runner/{slug}"),
    "promote_content": f"/{places.MAIN}/{{family}}/{{upstream_uuid}}",
    **dict.fromkeys(("create_scheduler", "update_scheduler", "set_scheduler_enabled"), "/{family}/{sent}"),
    "send_scheduler_now": f"/saved/{places.MAIN_CHART}",
    **dict.fromkeys(("create_tag", "update_tag"), f"/{places.MAIN}/metrics"),
    **dict.fromkeys(("validate_project", "dismiss_validation"), f"/{places.MAIN}/validator"),
    "refresh_project": f"/{places.MAIN}/tables",
    **dict.fromkeys(("create_group", "update_group", "add_user_to_group", "remove_user_from_group"), "/userManagement"),
    **dict.fromkeys(("assign_role", "unassign_role"), ""),
    "update_ai_organization_settings": "/ai/general",
    **dict.fromkeys(("generate_agent_message", "continue_agent_thread"), "/threads/{thread_uuid}"),
    **dict.fromkeys(("create_agent_evaluation", "update_agent_evaluation"), "/{agent_uuid}/edit/evals/{eval_uuid}"),
    "append_agent_evaluation_prompts": "/{agent_uuid}/edit/evals/{eval_uuid}",
    "run_agent_evaluation": "/edit/evals/{eval_uuid}/run/{run_uuid}",
}
"""How the address ends, in words of the answer; of tools that are not in here with its `uuid`."""


def test_every_tool_that_writes_answers_with_an_address_or_is_excused() -> None:
    with_one = {name for name in WRITING if "url" in (TOOLS[name].output_schema or {}).get("properties", {})}
    assert {name: WITHOUT.get(name) for name in WRITING - with_one} == WITHOUT, "answer with a url, or say here why not"


async def test_the_address_is_short_and_opens_what_the_answer_is_about() -> None:
    async with served("lightdash") as lightdash:
        for case in [case for case in good_cases("lightdash") if case.tool in WRITING - WITHOUT.keys()]:
            answer = await lightdash.session.ask(case.tool, **await lightdash.arrange(case))
            url = answer.get("url", "")
            found = PAGES.fullmatch(url)
            assert found is not None, (case.tool, case.name, url)
            assert len(url) < 240
            sent = answer.get("saved_chart_uuid") or answer.get("dashboard_uuid")
            end = OPENS.get(case.tool, "/{uuid}").format(**{"family": found["family"], "sent": sent, **answer})
            assert url.endswith(end), f"{case.tool}, {case.name}: {url}; if that is right, say so in OPENS"
            await lightdash.reset()


async def test_a_role_is_seen_where_it_counts(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        person = {"user_uuid": (await session.ask("list_organization_members"))["items"][-1]["user_uuid"]}
        here = await session.ask("assign_role", role="viewer", project_uuid=places.MAIN, **person)
        everywhere = await session.ask("assign_role", role="viewer", organization=True, **person)
    assert here["url"] == f"http://lightdash/generalSettings/projectManagement/{places.MAIN}/projectAccess"
    assert everywhere["url"] == "http://lightdash/generalSettings/userManagement"


async def test_what_need_not_be_promoted_is_opened_upstream_too(sandbox: Sandbox) -> None:
    asked = {"kind": "chart", "item": places.PREVIEW_CHART, "project_uuid": places.PREVIEW}
    async with connected(serving(sandbox)) as session:
        first = await session.ask("promote_content", **asked)
        again = await session.ask("promote_content", **asked)
        resolved = await session.ask("resolve_url", url=again["url"])
        there = await session.ask("get_chart", chart=resolved["id"], project_uuid=resolved["project_uuid"])
    assert (first["changed"], again["changed"]) == (True, False)
    assert (there["uuid"], there["url"]) == (first["upstream_uuid"], first["url"])


async def test_a_delivery_of_what_has_no_address_is_found_among_ones_own() -> None:
    scheduler: dict[str, object] = {
        **{"schedulerUuid": places.MAIN_SCHEDULER, "name": "Monday", "cron": "0 9 * * 1", "format": "csv"},
        **{"enabled": True, "targets": [], "projectUuid": places.MAIN, "savedChartUuid": None, "dashboardUuid": None},
    }

    def lightdash(request: httpx2.Request) -> httpx2.Response:
        assert (request.method, request.url.path) == ("GET", f"/api/v1/schedulers/{places.MAIN_SCHEDULER}")
        return ok(scheduler)

    async with connected(lightdash) as session:
        kept = await session.ask("set_scheduler_enabled", scheduler_uuid=places.MAIN_SCHEDULER, enabled=True)
    assert kept["url"] == "http://lightdash/generalSettings/userScheduledDeliveries"
