"""Names, slugs and e-mail addresses in place of UUIDs, wherever a project, space, person or group is named."""

from typing import Any, Final

import pytest
from tests.lightdash import places
from tests.lightdash.calls import VERA
from tests.lightdash.sessions import TOOLS, Session, connected, raw_path, serving, text_of
from tests.plans import good_cases, served

from aboveboard.http.path import is_uuid
from aboveboard.lightdash.client.finding import KINDS
from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

SAYS: Final = {"project": "name", "space": "slug or name", "user": "e-mail address", "group": "name"}
# The tool that lists each kind, where its items have their UUID, and a name that no other has.
LISTS: Final = {
    "project": ("list_projects", "project_uuid", "name"),
    "space": ("list_spaces", "uuid", "slug"),
    "user": ("list_organization_members", "user_uuid", "email"),
    "group": ("list_groups", "uuid", "name"),
}


def named(tool: str) -> dict[str, str]:
    """Return the parameters of a tool that take names, and of what."""
    return {name: kind for name, kind in KINDS.items() if name in TOOLS[tool].input_schema.get("properties", {})}


async def by_name(session: Session, tool: str, arguments: dict[str, Any]) -> dict[str, str]:
    """Return the names of what a call names by UUID."""
    made: dict[str, str] = {}
    for parameter, kind in named(tool).items():
        given = arguments.get(parameter)
        if given and is_uuid(given):
            listing, uuid, name = LISTS[kind]
            inside = {"project_uuid": arguments.get("project_uuid")} if kind == "space" else {}
            every = (await session.ask(listing, limit=200, **inside))["items"]
            made[parameter] = next(one[name] for one in every if one[uuid] == given)
    return made


def test_every_parameter_that_takes_a_name_says_so() -> None:
    for tool, about in TOOLS.items():
        for name, kind in named(tool).items():
            assert SAYS[kind] in about.input_schema["properties"][name]["description"], (tool, name)


async def test_every_tool_answers_a_name_as_it_answers_the_uuid() -> None:
    told_apart: list[str] = []
    tried: set[str] = set()
    async with served("lightdash") as lightdash:
        for case in [case for case in good_cases("lightdash") if named(case.tool).keys() & case.arguments.keys()]:
            answers: list[str] = []
            for with_names in (False, True):
                arguments = await lightdash.arrange(case)
                names = await by_name(lightdash.session, case.tool, arguments)
                given = arguments | names if with_names else arguments
                answers.append(text_of(await lightdash.session.call(case.tool, **given)))
                tried |= names.keys()
                await lightdash.reset()
            if answers[0] != answers[1]:
                told_apart.append(f"{case.tool} ({case.name}): {answers[1]}")
    assert told_apart == []
    assert tried == KINDS.keys()


async def test_names_are_found_in_any_case_and_by_slug_too(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        space = await session.ask("get_space", space_uuid=places.SALES, project_uuid=places.MAIN)
        person = await session.ask("get_member", user_uuid=VERA)
        for spelled in (str, str.upper):
            for name in (space["name"], space["slug"]):
                assert await session.ask("get_space", space_uuid=spelled(name), project_uuid="corner shop") == space
            assert await session.ask("get_member", user_uuid=spelled(person["email"])) == person


async def test_a_uuid_costs_no_request_more(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    async with connected(service) as session:
        await session.ask("get_space", space_uuid=places.SALES.upper(), project_uuid=places.MAIN.upper())
        at = f"/api/v1/projects/{places.MAIN}/spaces/{places.SALES}"
        assert [raw_path(request) for request in service.arrived] == [at, f"{at}/access"]


async def test_a_name_of_several_is_refused_with_all_of_them_and_nothing_is_changed(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    main = {"project_uuid": places.MAIN}
    async with connected(service) as session:
        twins = [await session.ask("create_space", name="Twins", **main) for _ in range(2)]
        service.arrived.clear()
        text = await session.refusal("delete_space", space_uuid="Twins", **main)
        assert "'Twins' is the name of 2 spaces" in text
        assert all(f"{one['uuid']} (Twins / {one['slug']})" in text for one in twins)
        assert {request.method for request in service.arrived} == {"GET"}
        slug = twins[1]["slug"]
        assert (await session.ask("get_space", space_uuid=slug, **main))["uuid"] == twins[1]["uuid"]


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("get_project", {"project_uuid": "Corner Shp"}, "This Lightdash has no project 'Corner Shp': did you mean"),
        ("get_space", {"project_uuid": "Corner Shop", "space_uuid": "Nowhere"}, "The project has no space 'Nowhere'"),
        ("get_space", {"space_uuid": "Sales"}, "Give a project_uuid"),
        ("get_member", {"user_uuid": "nobody@corner-shop.example"}, "This Lightdash has no user 'nobody@"),
        ("get_group", {"group_uuid": "Nobodies"}, "This Lightdash has no group 'Nobodies'"),
        ("get_member", {"user_uuid": " "}, "is not a UUID"),
    ],
)
async def test_a_name_that_nothing_has_is_refused_with_what_there_is(
    sandbox: Sandbox, tool: str, arguments: dict[str, str], reason: str
) -> None:
    async with connected(serving(sandbox)) as session:
        assert reason in await session.refusal(tool, **arguments)


async def test_the_name_of_a_project_that_is_not_allowed_is_not_known(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    async with connected(service, allowed=[places.PREVIEW]) as session:
        for tool in ("get_project", "list_charts", "refresh_project"):
            text = await session.refusal(tool, project_uuid="Corner Shop")
            assert "This Lightdash has no project 'Corner Shop'" in text
            assert places.MAIN not in text
        own = await session.ask("get_project", project_uuid="Corner Shop preview")
    assert own["project_uuid"] == places.PREVIEW
    assert {raw_path(request) for request in service.arrived} == {
        "/api/v1/org/projects",
        f"/api/v1/projects/{places.PREVIEW}",
    }
