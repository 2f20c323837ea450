"""What our user gets where a real Lightdash surprises administrators; numbers as in the recordings' README."""

import json
from typing import Any

import httpx2
import pytest
from tests.lightdash import places
from tests.lightdash.analyst import analyst
from tests.lightdash.calls import EVERYBODY, INVITED, NOTHING, STRANGER, VERA, arranged, made_up_call
from tests.lightdash.sessions import TOOLS, Watched, connected, facts, ok, raw_path, serving, text_of
from tests.lightdash.templates import templates

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio


def sent(service: Watched, method: str) -> list[dict[str, Any]]:
    return [json.loads(request.content) for request in service.arrived if request.method == method]


@pytest.mark.surprise(4)
async def test_a_failed_job_that_is_answered_with_200_is_told_as_failed_and_why(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        job = await session.ask("refresh_project", project_uuid=places.PREVIEW)
        for _ in range(3):
            job = await session.ask("get_job_status", job_id=job["job_id"])
    assert job["status"] == "failed"
    assert "has no dbt connection configured" in job["error"]
    details = {"projectUuid": places.MAIN, "error": "The file was too large"}
    async with connected(lambda request: ok({"status": "error", "details": details})) as session:
        job = await session.ask("get_job_status", job_id="29")
    assert (job["status"], job["error"]) == ("failed", "The file was too large")


@pytest.mark.surprise(23)
async def test_the_context_is_told_without_the_route_that_echoes_the_token(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    async with connected(service) as session:
        context = await session.call("get_context")
    assert not any("account" in line for line in service.lines)
    assert not any("user/account" in template for template in templates())
    assert Sandbox.token not in text_of(context)


@pytest.mark.surprise(25)
async def test_an_edition_without_ai_agents_says_so_in_one_sentence() -> None:
    open_edition = Sandbox()
    agents = [tool for tool, about in TOOLS.items() if about.toolset.area == "agents"]
    async with analyst(open_edition) as session:
        said = {tool: await session.refusal(tool, **made_up_call(tool)) for tool in agents}
    open_edition.close()
    assert set(said.values()) == {"This Lightdash has no AI agents: that takes its enterprise edition."}


@pytest.mark.surprise(27)
async def test_a_tag_is_not_changed_under_the_path_of_another_project(sandbox: Sandbox) -> None:
    before = facts(sandbox)
    async with connected(serving(sandbox)) as session:
        where = {"tag_uuid": places.MAIN_TAG, "project_uuid": places.PREVIEW}
        assert "The project has no tag" in await session.refusal("update_tag", name="Mine", **where)
        assert "The project has no tag" in await session.refusal("delete_tag", **where)
    assert facts(sandbox) == before


@pytest.mark.surprise(28)
async def test_a_role_for_someone_of_another_organisation_is_refused_though_lightdash_says_200(
    sandbox: Sandbox,
) -> None:
    service = serving(sandbox)
    async with connected(service) as session:
        text = await session.refusal("assign_role", role="viewer", user_uuid=STRANGER, organization=True)
    assert f"No member of the organisation has the UUID {STRANGER}." in text
    assert {request.method for request in service.arrived} == {"GET"}


async def test_a_role_that_does_not_exist_is_refused_with_those_that_do_though_lightdash_answers_500(
    sandbox: Sandbox,
) -> None:
    service = serving(sandbox)
    async with connected(service) as session:
        for where in ({"project_uuid": places.MAIN}, {"organization": True}):
            text = await session.refusal("assign_role", role="king", user_uuid=VERA, **where)
            assert "Lightdash has no role 'king'; it has" in text
    assert {request.method for request in service.arrived} == {"GET"}  # it may be the name of a custom one


@pytest.mark.parametrize("role", ["viewer", "Viewer"])  # Lightdash lists its own roles among the custom ones
async def test_a_role_in_a_project_is_given_without_mail(sandbox: Sandbox, role: str) -> None:
    service = serving(sandbox)
    async with connected(service) as session:
        await session.ask("assign_role", role=role, user_uuid=VERA, project_uuid=places.MAIN)
    assert sent(service, "POST") == [{"roleId": "viewer", "sendEmail": False}]


@pytest.mark.surprise(39)
@pytest.mark.parametrize(
    ("tool", "who", "reason"),
    [
        ("revoke_user_space_access", {"user_uuid": VERA}, "is not shared with the user"),
        ("revoke_group_space_access", {"group_uuid": EVERYBODY}, "is not shared with the group"),
    ],
)
async def test_taking_back_what_was_never_given_says_so_though_lightdash_says_200(
    sandbox: Sandbox, tool: str, who: dict[str, str], reason: str
) -> None:
    where = {"space_uuid": places.SALES, "project_uuid": places.MAIN}
    async with connected(serving(sandbox)) as session:
        assert reason in await session.refusal(tool, **where, **who)


@pytest.mark.surprise(42)
@pytest.mark.parametrize("user", [STRANGER, NOTHING])
async def test_nobody_is_told_that_a_stranger_is_now_in_a_group(sandbox: Sandbox, user: str) -> None:
    before = facts(sandbox)
    async with connected(serving(sandbox)) as session:
        text = await session.refusal("add_user_to_group", group_uuid=EVERYBODY, user_uuid=user)
    assert f"No member of the organisation has the UUID {user}." in text
    assert facts(sandbox) == before


@pytest.mark.surprise(15)
async def test_members_are_added_and_removed_without_touching_the_others_or_a_deprecated_route(
    sandbox: Sandbox,
) -> None:
    service = serving(sandbox)
    before = facts(sandbox)
    async with connected(service) as session:
        await session.ask("add_user_to_group", group_uuid=EVERYBODY, user_uuid=INVITED)
        added = facts(sandbox)
        await session.ask("add_user_to_group", group_uuid=EVERYBODY, user_uuid=INVITED)  # Lightdash: 204, no body
        assert facts(sandbox) == added
        await session.ask("remove_user_from_group", group_uuid=EVERYBODY, user_uuid=INVITED)
    members = {key for key in before if key.startswith("group_members/")}
    assert {key for key in added if key.startswith("group_members/")} - members != set()
    assert {key for key in facts(sandbox) if key.startswith("group_members/")} == members
    assert not any("/members" in line for line in service.lines)


async def test_a_group_too_big_to_be_read_is_not_written() -> None:
    # What is not read would be thrown out, since the list of members is sent whole.
    def lightdash(request: httpx2.Request) -> httpx2.Response:
        assert request.method == "GET", "must not write"
        member = {"firstName": "A", "lastName": "B", "email": "a@b.example"}
        several = [{**member, "userUuid": f"f0000000-0000-4000-8000-{number:012d}"} for number in range(10_000)]
        group = {"uuid": EVERYBODY, "name": "All", "createdAt": "2026-01-01", "members": several}
        everyone = {"data": [{**member, "userUuid": VERA, "role": "viewer", "isActive": True}]}
        results = group if "/groups/" in raw_path(request) else everyone
        return httpx2.Response(200, json={"status": "ok", "results": results})

    async with connected(lightdash) as session:
        text = await session.refusal("add_user_to_group", group_uuid=EVERYBODY, user_uuid=VERA)
    assert "10000 members or more" in text


@pytest.mark.surprise(52)
async def test_a_comment_is_plain_text_and_a_reply_to_nothing_is_refused(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    async with analyst(service) as session:
        sample = await arranged(session, "add_comment")
        where, tile = {"dashboard": sample["dashboard"]}, sample["tile_uuid"]
        said = "1 < 2 & <script>alert(1)</script>\nsecond line"
        comment = await session.ask("add_comment", tile_uuid=tile, text=said, **where)
        missing = await session.refusal("add_comment", tile_uuid=tile, text="Re", reply_to=EVERYBODY, **where)
        reply = {"tile_uuid": tile, "text": "Re", "reply_to": comment["comment_id"]}
        await session.ask("add_comment", **reply, **where)
        shown = (await session.ask("list_comments", **where))["items"]
        await session.ask("resolve_comment", comment_id=comment["comment_id"], **where)
        left = await session.ask("list_comments", **where)
        resolved = await session.ask("list_comments", resolved=True, **where)
        # Lightdash keeps those in a list of their own, and they can be meant nevertheless.
        await session.ask("resolve_comment", comment_id=comment["comment_id"], **where)
        await session.ask("delete_comment", comment_id=comment["comment_id"], **where)
        gone = await session.ask("list_comments", resolved=True, **where)
    assert sent(service, "POST")[0]["textHtml"].startswith("<p>1 &lt; 2 &amp; &lt;script&gt;")
    assert "The dashboard has no comment with the UUID" in missing
    assert [(one["text"], one["tile_uuid"], [re["text"] for re in one["replies"]]) for one in shown] == [
        (said, tile, ["Re"])
    ]
    assert (left["total"], resolved["total"], gone["total"]) == (0, 1, 0)


@pytest.mark.surprise(53)
async def test_a_tag_is_not_updated_with_nothing_and_has_a_colour_that_can_be_shown(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    async with connected(service) as session:
        where = {"tag_uuid": places.MAIN_TAG, "project_uuid": places.MAIN}
        assert "there is nothing to change" in await session.refusal("update_tag", **where)
        assert "did you mean 'blue'?" in await session.refusal("update_tag", color="blu", **where)
        assert service.arrived == []
        await session.ask("update_tag", color="#AABBCC", **where)
    assert sent(service, "PATCH") == [{"color": "#AABBCC"}]


@pytest.mark.surprise(56)
async def test_a_page_past_the_end_of_the_problems_still_tells_how_many_there_are(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        validated = await session.ask("validate_project", **await arranged(session, "validate_project"))
        past = await session.ask("get_validation_results", page=9)
        summary = await session.ask("get_validation_summary")
    assert past == {"items": [], "total": validated["total_errors"]}
    assert validated["total_errors"] == summary["total_errors"] > 0


@pytest.mark.surprise(68)
async def test_jobs_of_both_systems_are_found_by_their_ids(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        refresh = await session.ask("refresh_project", project_uuid=places.MAIN)
        check = await session.ask("validate_project", project_uuid=places.MAIN)
        found = [await session.ask("get_job_status", job_id=job["job_id"]) for job in (refresh, check)]
        assert "'x/../7' is not the id of a job" in await session.refusal("get_job_status", job_id="x/../7")
    assert [(job["status"], job["project_uuid"]) for job in found] == [("running", places.MAIN), ("done", places.MAIN)]


async def test_the_prompt_is_really_sent_when_a_thread_goes_on(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        sample = await arranged(session, "continue_agent_thread")
        where = {key: sample[key] for key in ("agent_uuid", "thread_uuid")}
        answer = await session.ask("continue_agent_thread", prompt="And last year?", **where)
        thread = await session.ask("get_agent_thread", **where)
    assert "And last year?" in answer["answer"]
    asked = [message["message"] for message in thread["messages"] if message["role"] == "user"]
    assert asked == ["How many orders?", "And last year?"]


async def test_validating_reports_progress_while_it_waits(sandbox: Sandbox) -> None:
    told: list[str | None] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)

    async with connected(serving(sandbox)) as session:
        name = "lightdash_tools__validate_project"
        await session.client.call_tool(name, {"project_uuid": places.MAIN}, progress_callback=note)
    assert told == ["The validation runs, 0 s so far"]
