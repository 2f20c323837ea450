"""What our user gets where a real Lightdash surprises on the wire: envelopes, statuses, rights, lists."""

from collections import Counter
from typing import Any, Final

import httpx2
import pytest
from tests.lightdash import places
from tests.lightdash.analyst import Prompt, analyst
from tests.lightdash.calls import EVERYBODY, NOTHING, VERA, arranged, made_up_call
from tests.lightdash.sessions import TOOLS, Watched, client_of, connected, error, facts, serving, text_of

from aboveboard.errors import Conflict, Refused, Unauthorised
from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

NAMED: Final = [tool for tool, about in TOOLS.items() if "name" in about.load().fields]
MAKING: Final = ("create_space", "create_chart", "create_dashboard", "create_group", "create_tag", "create_scheduler")
# What belongs to whoever asks, and so to a viewer as well.
OWN: Final = ("favorite_content", "cancel_query", "export_query", "generate_agent_message")


@pytest.mark.surprise(1)
async def test_a_change_is_done_though_the_answer_says_nothing_and_a_read_that_says_nothing_is_an_error() -> None:
    quiet = httpx2.Response(200, json={"status": "ok"})

    def lightdash(request: httpx2.Request) -> httpx2.Response:
        tag = {"tagUuid": places.MAIN_TAG, "name": "Core", "color": "blue"}
        return httpx2.Response(200, json={"status": "ok", "results": [tag]}) if request.method == "GET" else quiet

    where = {"tag_uuid": places.MAIN_TAG, "project_uuid": places.MAIN}
    async with connected(lightdash) as session:
        assert (await session.ask("delete_tag", **where))["name"] == "Core"
    async with connected(lambda request: quiet) as session:
        text = await session.refusal("get_project", project_uuid=places.MAIN)
    assert text.startswith("Lightdash answered in a form this client does not know")


@pytest.mark.surprise(8)
async def test_a_viewer_is_told_what_they_may_not_do_and_never_that_the_request_is_wrong(sandbox: Sandbox) -> None:
    writing = [tool for tool, about in TOOLS.items() if not about.effect.read_only and tool not in OWN]
    said: dict[str, str] = {}
    changed: set[str] = set()
    async with analyst(sandbox) as admin, analyst(sandbox, person="viewer") as viewer:
        for tool in writing:
            arguments = await arranged(admin, tool)
            before = facts(sandbox)
            said[tool] = text_of(await viewer.call(tool, **arguments))
            changed |= {tool} if facts(sandbox) != before else set()
            sandbox.reset()
    assert changed == set()
    assert {tool: text for tool, text in said.items() if "answered 422" in text or "answered 500" in text} == {}
    assert sum("answered 403" in text for text in said.values()) > len(said) / 2


@pytest.mark.surprise(13)
async def test_an_empty_or_endless_name_is_refused_before_anything_is_sent() -> None:
    service = Watched(lambda request: error(500, "must not be asked"))
    said: dict[str, str] = {}
    async with analyst(service) as session:
        for name, reason in (("", "at least 1 character"), ("x" * 256, "at most 255 characters")):
            for tool in NAMED:
                text = await session.refusal(tool, **{**made_up_call(tool), "name": name})
                said |= {} if reason in text else {tool: text}
    assert said == {}
    assert service.arrived == []


@pytest.mark.surprise(9)
@pytest.mark.parametrize(
    ("tool", "change", "reason"),
    [
        ("create_chart", {"name": None}, "name is required."),
        ("create_chart", {"explore": None}, "Give explore with dimensions and metrics"),
        ("create_chart", {"name": {"a": 1}}, "name must be text."),
        ("rename_chart", {"name": {"a": 1}}, "name must be text."),
        ("create_chart", {"dimensions": [], "metrics": []}, "Name at least one dimension or metric"),
    ],
)
async def test_a_chart_without_its_parts_is_refused_though_lightdash_breaks_or_stores_nonsense(
    sandbox: Sandbox, tool: str, change: dict[str, Any], reason: str
) -> None:
    async with analyst(sandbox) as session:
        arguments = {**await arranged(session, tool), **change}
        before = facts(sandbox)
        given = {name: value for name, value in arguments.items() if value is not None}
        assert reason in await session.refusal(tool, **given)
    assert facts(sandbox) == before


@pytest.mark.surprise(12)
async def test_a_second_group_of_a_name_is_a_conflict_and_a_second_tag_or_space_is_told_apart(
    sandbox: Sandbox,
) -> None:
    async with analyst(sandbox) as session:
        text = await session.refusal("create_group", name="Editors")
        tags = [await session.ask("create_tag", name="Twice", color="red") for _ in range(2)]
        spaces = [await session.ask("create_space", name="Twice") for _ in range(2)]
    assert text.endswith(Conflict.advice)
    assert tags[0]["tag_uuid"] != tags[1]["tag_uuid"]
    assert [space["slug"] for space in spaces] == ["twice", "twice-1"]


@pytest.mark.surprise(16)
async def test_an_endpoint_that_this_lightdash_lacks_is_not_taken_for_a_wrong_id() -> None:
    async with connected(lambda request: error(404, "API endpoint not found", "NotFoundError")) as session:
        text = await session.refusal("get_project", project_uuid=places.MAIN)
    assert text == (
        "Lightdash answered 404: API endpoint not found. Its version may be too old or too new for this server."
    )


@pytest.mark.surprise(17)
@pytest.mark.parametrize("status", [413, 431])
async def test_what_is_too_long_to_be_sent_is_told_though_the_answer_is_empty(status: int) -> None:
    async with connected(lambda request: httpx2.Response(status)) as session:
        text = await session.refusal("list_charts", project_uuid=places.MAIN, search="x" * 20_000)
    assert text == f"Lightdash answered {status}."


@pytest.mark.surprise(24)
async def test_a_wrong_token_is_found_out_though_the_health_route_takes_any(sandbox: Sandbox) -> None:
    behind = serving(sandbox)

    async def lightdash(request: httpx2.Request) -> httpx2.Response:
        request.headers["authorization"] = "ApiKey ldpat_wrong"
        answer = await behind.handle_async_request(request)
        return httpx2.Response(answer.status_code, headers=answer.headers, content=await answer.aread())

    async with analyst(httpx2.MockTransport(lightdash)) as session:
        text = await session.refusal("get_context")
        assert (await client_of(httpx2.MockTransport(lightdash)).instance.health()).healthy
    assert text.startswith("Lightdash answered 401")
    assert text.endswith(Unauthorised.advice)


@pytest.mark.surprise(14)
async def test_a_thing_is_made_whether_lightdash_answers_200_or_201(sandbox: Sandbox) -> None:
    behind = Prompt(sandbox)
    swapped: Counter[int] = Counter()

    async def lightdash(request: httpx2.Request) -> httpx2.Response:
        answer = await behind.handle_async_request(request)
        status = {200: 201, 201: 200}.get(answer.status_code, answer.status_code)
        swapped[status] += 1
        return httpx2.Response(status, headers=answer.headers, content=await answer.aread())

    made: dict[str, list[dict[str, Any]]] = {}
    for service in (behind, httpx2.MockTransport(lightdash)):
        async with analyst(service) as session:
            for tool in MAKING:
                sandbox.reset()
                made.setdefault(tool, []).append(await session.ask(tool, **await arranged(session, tool)))
    assert [tool for tool, (one, other) in made.items() if one != other] == []
    assert swapped.keys() == {200, 201}


@pytest.mark.surprise(26)
async def test_the_problems_of_a_project_are_not_told_to_another_organisation(sandbox: Sandbox) -> None:
    for person in ("other-org", "viewer"):
        async with analyst(sandbox, person=person) as session:
            for tool in ("get_validation_results", "get_validation_summary"):
                assert (await session.refusal(tool)).startswith("Lightdash answered 403")


@pytest.mark.surprise(29)
@pytest.mark.parametrize("tool", ["list_charts", "list_dashboards", "list_content"])
async def test_a_project_that_one_may_not_see_is_no_empty_project(sandbox: Sandbox, tool: str) -> None:
    async with analyst(sandbox, person="other-org") as session:
        assert (await session.refusal(tool)).startswith("Lightdash answered 403")
    async with analyst(sandbox, project=NOTHING) as session:
        assert (await session.refusal(tool)).startswith("Lightdash answered 404")


@pytest.mark.surprise(29)
async def test_who_may_not_see_groups_is_told_so_and_not_that_there_are_none(sandbox: Sandbox) -> None:
    for person in ("viewer", "editor"):
        async with analyst(sandbox, person=person) as session:
            text = await session.refusal("list_groups")
        assert text.startswith(f"Lightdash lists no groups for the role {person}, whether there are any or not.")
        assert text.endswith(Refused.advice)
    async with analyst(sandbox, person="other-org") as session:
        assert await session.ask("list_groups") == {"items": [], "total": 0}  # an admin, of an organisation without


@pytest.mark.surprise(30)
@pytest.mark.parametrize(("tool", "more"), [("update_space", {"name": "New"}), ("delete_space", {}), ("get_space", {})])
async def test_a_space_that_is_not_there_is_missing_and_not_forbidden(
    sandbox: Sandbox, tool: str, more: dict[str, str]
) -> None:
    async with analyst(sandbox) as session:
        text = await session.refusal(tool, space_uuid=NOTHING, **more)
    assert text.startswith("Lightdash answered 404")


@pytest.mark.surprise(33)
async def test_a_viewer_reads_a_schedule_they_know_of_and_no_list_of_them(sandbox: Sandbox) -> None:
    async with analyst(sandbox, person="viewer") as session:
        assert (await session.ask("get_scheduler", scheduler_uuid=places.MAIN_SCHEDULER))["targets"]
        assert (await session.refusal("list_schedulers")).startswith("Lightdash answered 403")


@pytest.mark.surprise(41)
async def test_giving_the_same_right_twice_is_giving_it_once(sandbox: Sandbox) -> None:
    space = {"space_uuid": places.SALES, "role": "viewer"}
    calls: list[tuple[str, dict[str, Any]]] = [
        ("assign_role", {"role": "developer", "user_uuid": VERA, "project_uuid": places.MAIN}),
        ("assign_role", {"role": "developer", "group_uuid": EVERYBODY, "project_uuid": places.MAIN}),
        ("grant_user_space_access", {**space, "user_uuid": VERA}),
        ("grant_group_space_access", {**space, "group_uuid": EVERYBODY}),
    ]
    async with analyst(sandbox) as session:
        for tool, arguments in calls:
            once = await session.ask(tool, **arguments), facts(sandbox)
            assert (await session.ask(tool, **arguments), facts(sandbox)) == once, tool


@pytest.mark.surprise(58)
@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("list_content", {"sort": "popularity"}, "sort must be one of"),
        ("get_validation_results", {"source": "hologram"}, "source must be one of"),
    ],
)
async def test_an_order_or_filter_that_there_is_not_is_refused_and_not_ignored(
    tool: str, arguments: dict[str, str], reason: str
) -> None:
    service = Watched(lambda request: error(500, "Something went wrong"))
    async with analyst(service) as session:
        assert reason in await session.refusal(tool, **arguments)
    assert service.arrived == []


@pytest.mark.surprise(74)
async def test_a_problem_is_dismissed_by_the_id_that_the_list_shows(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as session:
        which = await arranged(session, "dismiss_validation")
        listed = (await session.ask("get_validation_results"))["items"]
        await session.ask("dismiss_validation", **which)
        left = (await session.ask("get_validation_results"))["items"]
    gone = {one["validation_uuid"] for one in listed} - {one["validation_uuid"] for one in left}
    assert gone == {which["validation_uuid"]}


@pytest.mark.surprise(10)
async def test_a_key_or_type_that_is_not_taken_is_refused_and_not_ignored_at_any_depth() -> None:
    service = Watched(lambda request: error(500, "must not be asked"))
    async with analyst(service) as session:
        for tool, about in TOOLS.items():
            text = await session.refusal(tool, **{**made_up_call(tool), "mystery": 1})
            assert "has no parameter 'mystery'" in text, tool
            for name, item in _nested(about.input_schema):
                odd = {**dict.fromkeys(item["properties"], "x"), "mystery": 1}
                text = await session.refusal(tool, **{**made_up_call(tool), name: [odd]})
                assert f"{name}.0.mystery" in text, tool
        assert "dimensions must be a list" in await session.refusal(
            "run_metric_query", explore="orders", dimensions="orders_status"
        )
        assert "limit must be a whole number" in await session.refusal(
            "run_metric_query", explore="orders", dimensions=["orders_status"], limit="five"
        )
    assert service.arrived == []


def test_every_object_that_a_tool_takes_says_that_it_takes_nothing_else() -> None:
    nested = [(tool, name) for tool, about in TOOLS.items() for name, _ in _nested(about.input_schema)]
    assert [tool for tool, about in TOOLS.items() if about.input_schema["additionalProperties"] is not False] == []
    assert len(nested) > 3
    for tool, about in TOOLS.items():
        assert all(item.get("additionalProperties") is False for _, item in _nested(about.input_schema)), tool


def _nested(schema: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return the parameters that are lists of objects of ours, and what such an object is.

    Filters hold groups of filters, more than a schema says: test_filters has what they refuse, at any depth.
    """
    items = {name: about.get("items", about) for name, about in schema.get("properties", {}).items()}
    return [(name, item) for name, item in items.items() if "properties" in item and name != "filters"]
