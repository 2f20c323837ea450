"""Names, slugs and e-mail addresses in place of UUIDs, wherever something has one."""

import re
from typing import Any, Final

import httpx2
import pytest
from tests.lightdash import places
from tests.lightdash.analyst import analyst
from tests.lightdash.calls import VERA
from tests.lightdash.naming import named
from tests.lightdash.sessions import TOOLS, connected, raw_path, serving

from aboveboard.lightdash.client.name_lookup import AT_ONCE, KINDS
from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

IS_AN_ID: Final = re.compile(r"(?:\b|_)(?:uu)?ids?\b", re.IGNORECASE)
"""What a parameter is called, or what is said of it, where it takes ids."""
BY_THEMSELVES: Final = ("item", "role", "tab_uuid", "tile_uuid")
"""Parameters whose tools look names up, for it depends on others what they name; each has a test below."""
_FIELD: Final = "the id of a field is its name in dbt"
NAMELESS: Final = {
    **dict.fromkeys(("dimensions", "metrics", "field", "metric", "sort", "pattern"), _FIELD),
    **dict.fromkeys(("comment_id", "reply_to"), "comments have no names"),
    "explore": "it is a name",
    "version_uuid": "versions have no names",
    "query_uuid": "queries have no names",
    "job_id": "jobs have no names",
    "thread_uuid": "threads have no names",
    "run_uuid": "runs have no names",
    "validation_uuid": "problems have no names",
    "slack_channels": "they are Slack's, and a Lightdash without Slack cannot tell",
}
"""Parameters that take ids alone, and why."""
SAYS: Final = {
    **dict.fromkeys(KINDS.values(), "name"),
    "space": "slug or name",
    "user": "e-mail address",
    "evaluation": "title",
}


def test_every_parameter_that_takes_an_id_takes_a_name_unless_there_is_none() -> None:
    without: list[tuple[str, str]] = []
    excused: set[str] = set()
    for tool, about in TOOLS.items():
        for name, schema in about.input_schema.get("properties", {}).items():
            known = name in named(tool) or name in BY_THEMSELVES
            if known or not IS_AN_ID.search(f"{name}: {schema['description']}"):
                continue
            excused.add(name)
            if name not in NAMELESS:
                without.append((tool, name))
    assert without == []
    assert excused == NAMELESS.keys()


def test_every_parameter_that_takes_a_name_says_so() -> None:
    for tool, about in TOOLS.items():
        for name, kind in named(tool).items():
            assert SAYS[kind] in about.input_schema["properties"][name]["description"], (tool, name)


async def test_names_are_found_in_any_case_and_by_slug_too(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        space = await session.ask("get_space", space_uuid=places.SALES, project_uuid=places.MAIN)
        person = await session.ask("get_member", user_uuid=VERA)
        for spelled in (str, str.upper):
            for name in (space["name"], space["slug"]):
                assert await session.ask("get_space", space_uuid=spelled(name), project_uuid="corner shop") == space
            assert await session.ask("get_member", user_uuid=spelled(person["email"])) == person


async def test_charts_and_dashboards_are_found_by_name_with_one_request_and_by_slug_with_none(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    main = {"project_uuid": places.MAIN}
    async with connected(service) as session:
        for tool, listing in (("chart", "list_charts"), ("dashboard", "list_dashboards")):
            one = (await session.ask(listing, **main))["items"][0]
            sent: list[int] = []
            answers: list[dict[str, Any]] = []
            for given in (one["uuid"], one["slug"], one["name"]):
                service.arrived.clear()
                answers.append(await session.ask(f"get_{tool}", **{tool: given}, **main))
                sent.append(len(service.arrived))
            assert answers[0] == answers[1] == answers[2]
            assert (sent[1] - sent[0], sent[2] - sent[0]) == (0, 1)


async def test_a_tab_is_given_by_its_name(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        main = {"project_uuid": places.MAIN}
        boards = (await session.ask("list_dashboards", **main, limit=200))["items"]
        details = [await session.ask("get_dashboard", dashboard=one["uuid"], **main) for one in boards]
        tabbed = next(one for one in details if one.get("tabs"))
        tab = tabbed["tabs"][-1]
        text = await session.refusal("add_dashboard_tile", dashboard=tabbed["uuid"], markdown="Hi", **main)
        assert f"{tab['name']} ({tab['uuid']})" in text
        where = {"dashboard": tabbed["uuid"], **main}
        made = await session.ask("add_dashboard_tile", tab_uuid=tab["name"].upper(), markdown="Hi", **where)
        assert {one["tab_uuid"] for one in made["tiles"]} >= {tab["uuid"]}
        assert len(made["tiles"]) == len(tabbed["tiles"]) + 1
        assert "has no tab 'Nowhere'" in await session.refusal(
            "add_dashboard_tile", tab_uuid="Nowhere", markdown="Hi", **where
        )


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
        ("get_member", {"user_uuid": "nobody@corner-shop.example"}, "This Lightdash has no user 'nobody@"),
        ("get_group", {"group_uuid": "Nobodies"}, "This Lightdash has no group 'Nobodies'"),
        ("get_chart", {"project_uuid": "Corner Shop", "chart": "No Such"}, "has no chart 'No Such'; lightdash_tools__"),
        ("get_scheduler", {"scheduler_uuid": "No Such"}, "__list_schedulers shows those that there are."),
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


async def test_a_tile_is_given_by_its_title_or_by_the_chart_that_it_shows(sandbox: Sandbox) -> None:
    main = {"project_uuid": places.MAIN}
    async with connected(serving(sandbox)) as session:
        board = await session.ask("create_dashboard", name="Tiles", space_uuid="Sales", **main)
        where = {"dashboard": board["uuid"], **main}
        for title in ("Notes", "Notes", "Facts"):
            board = await session.ask("add_dashboard_tile", markdown="Hi", title=title, **where)
        facts_tile = board["tiles"][2]["uuid"]
        said = await session.refusal("remove_dashboard_tile", tile_uuid="Notes", **where)
        assert "'Notes' is the name of 2 tiles" in said
        assert board["tiles"][0]["uuid"] in said
        assert "has no tile 'Fact': did you mean 'Facts'?" in await session.refusal(
            "update_dashboard_tile", tile_uuid="Fact", title="x", **where
        )
        remark = await session.ask("add_comment", tile_uuid="facts", text="Why?", **where)
        assert remark["tile_uuid"] == facts_tile
        left = await session.ask("remove_dashboard_tile", tile_uuid="Facts", **where)
    assert left["gone"] == "Facts"
    assert facts_tile not in {one["uuid"] for one in left["tiles"]}


async def test_content_is_deleted_restored_and_verified_by_its_name() -> None:
    sandbox = Sandbox(soft_delete=True)
    main = {"project_uuid": places.MAIN}
    async with connected(serving(sandbox)) as session:
        chart = await session.ask("get_chart", chart=places.MAIN_CHART, **main)
        named_chart = {"kind": "chart", "item": chart["name"], **main}
        assert (await session.ask("verify_content", **named_chart))["uuid"] == chart["uuid"]
        gone = await session.ask("delete_content", **named_chart)
        assert gone["uuid"] == chart["uuid"]
        assert "has no chart" in await session.refusal("delete_content", **named_chart)
        assert "The trash has no chart 'Nothing'" in await session.refusal(
            "restore_content", **{**named_chart, "item": "Nothing"}
        )
        back = await session.ask("restore_content", **named_chart)
        assert (back["uuid"], back["space"]) == (chart["uuid"], chart["space_name"])
        assert (await session.ask("resolve_url", url=back["url"]))["id"] == chart["uuid"]
    sandbox.close()


async def test_who_deletes_something_is_not_promised_to_restore_it_unless_they_may() -> None:
    sandbox = Sandbox(soft_delete=True)
    board = {"dashboard": "Weekly review"}
    async with analyst(sandbox, person="editor") as editor:
        gone = await editor.ask("delete_dashboard", **board)
        assert "403" in await editor.refusal("restore_content", kind="dashboard", item="Weekly review")
        chart = await editor.ask("delete_chart", chart="Top products")
        await editor.ask("restore_content", kind="chart", item="Top products")
    async with analyst(sandbox) as admin:
        await admin.ask("assign_role", role="developer", user_uuid="edith@corner-shop.example")
    async with analyst(sandbox, person="editor") as developer:
        query = await developer.ask("delete_sql_chart", sql_chart="Busiest hours")
        assert "403" in await developer.refusal("restore_content", kind="chart", item="Busiest hours")
        await developer.ask("create_sql_chart", name="Mine", space_uuid="Sales", sql="SELECT 1")
        await developer.ask("delete_content", kind="chart", item="Mine")
        await developer.ask("restore_content", kind="chart", item="Mine")
    async with analyst(sandbox) as admin:
        await admin.ask("restore_content", kind="dashboard", item="Weekly review")
        again = await admin.ask("delete_dashboard", **board)
    sandbox.close()
    assert gone["to_get_back"].endswith("} brings it back, if an admin of the project calls it.")
    assert chart["to_get_back"].endswith("} brings it back.")
    assert query["to_get_back"].endswith("brings it back, if an admin of the project or whoever made it calls it.")
    assert again["to_get_back"].endswith("} brings it back.")


async def test_a_custom_role_is_given_by_its_name(sandbox: Sandbox) -> None:
    headers = {"Authorization": f"ApiKey {sandbox.token}"}
    way = httpx2.ASGITransport(sandbox.app)
    async with httpx2.AsyncClient(transport=way, base_url="http://sandbox", headers=headers) as http:
        organization = (await http.get("/api/v1/org")).json()["results"]["organizationUuid"]
        body = {"name": "Night watch", "scopes": ["view:Dashboard"]}
        made = (await http.post(f"/api/v2/orgs/{organization}/roles", json=body)).json()["results"]
    async with connected(serving(sandbox)) as session:
        given = {"user_uuid": VERA, "project_uuid": places.MAIN}
        assert (await session.ask("assign_role", role="night watch", **given))["role_id"] == made["roleUuid"]
        said = await session.refusal("assign_role", role="editr", **given)
    assert "Lightdash has no role 'editr': did you mean 'editor'" in said


async def test_a_sql_chart_is_deleted_by_its_name_unless_two_have_it(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    main = {"project_uuid": places.MAIN}
    new = {"space_uuid": "Sales", "sql": "SELECT 1", **main}
    async with connected(service) as session:
        twins = [await session.ask("create_sql_chart", name="Twins / old: 100 %?", **new) for _ in range(2)]
        await session.ask("duplicate_chart", chart=places.MAIN_CHART, name="Twins / old: 100 %?", **main)
        service.arrived.clear()
        said = await session.refusal("delete_sql_chart", sql_chart="twins / old: 100 %?", **main)
        assert "is the name of 2 SQL charts" in said
        assert all(one["saved_sql_uuid"] in said for one in twins)
        assert {request.method for request in service.arrived} == {"GET"}
        await session.ask("delete_sql_chart", sql_chart=twins[0]["saved_sql_uuid"], **main)
        left = await session.ask("get_sql_chart", sql_chart="Twins / old: 100 %?", **main)
        assert left["saved_sql_uuid"] == twins[1]["saved_sql_uuid"]
        assert (await session.ask("get_sql_chart", sql_chart=left["slug"], **main)) == left
        assert "The project has no SQL chart 'Nothing'" in await session.refusal(
            "delete_sql_chart", sql_chart="Nothing", **main
        )


async def test_an_evaluation_is_deleted_by_its_title_unless_two_of_the_agent_have_it(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    main = {"project_uuid": places.MAIN}
    asked = {"title": "Basics", "prompts": [{"prompt": "How many orders?"}], **main}
    async with connected(service) as session:
        agents = [await session.ask("create_project_agent", name=name, **main) for name in ("Ann", "Ben")]
        made = [
            await session.ask("create_agent_evaluation", agent_uuid=name, **asked) for name in ("Ann", "Ann", "Ben")
        ]
        service.arrived.clear()
        said = await session.refusal("delete_agent_evaluation", agent_uuid="Ann", eval_uuid="basics", **main)
        assert "'basics' is the name of 2 evaluations" in said
        assert [one["eval_uuid"] in said for one in made] == [True, True, False]
        assert {request.method for request in service.arrived} == {"GET"}
        gone = await session.ask("delete_agent_evaluation", agent_uuid=agents[1]["uuid"], eval_uuid="Basics", **main)
        assert gone["uuid"] == made[2]["eval_uuid"]
        assert "The agent has no evaluation 'Basics'" in await session.refusal(
            "get_agent_evaluation", agent_uuid="Ben", eval_uuid="Basics", **main
        )


async def test_of_many_that_hold_a_name_the_one_that_is_called_so_is_found_on_any_page(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    main = {"project_uuid": places.MAIN}
    async with connected(service) as session:
        only = await session.ask("duplicate_chart", chart=places.MAIN_CHART, name="Stock X", **main)
        for number in range(AT_ONCE + 1):
            await session.ask("duplicate_chart", chart=places.MAIN_CHART, name=f"Stock X {number}", **main)
        assert (await session.ask("get_chart", chart="Stock X", **main))["uuid"] == only["uuid"]
        await session.ask("duplicate_chart", chart=places.MAIN_CHART, name="Stock X", **main)
        said = await session.refusal("delete_chart", chart="Stock X", **main)
    assert "'Stock X' is the name of 2 charts" in said


async def test_a_scheduler_of_ones_own_is_found_by_its_name_by_whom_no_list_of_all_is_shown(sandbox: Sandbox) -> None:
    main = {"project_uuid": places.MAIN}
    sent = {"cron": "0 9 * * 1", "emails": ["a@corner-shop.example"], "chart": places.MAIN_CHART, **main}
    for default in (None, places.MAIN):
        async with analyst(sandbox, project=default, person="editor") as editor:
            made = await editor.ask("create_scheduler", name="Mine", **sent)
            refused = await editor.refusal("list_schedulers", **main)
            assert refused == (
                "Lightdash answered 403: You don't have access to this resource or action. A project's schedulers are"
                " listed to its developers and admins alone: lightdash_tools__get_scheduler shows one by its UUID, and"
                " one of your own by its name."
            )
            assert (await editor.ask("get_scheduler", scheduler_uuid="mine"))["scheduler_uuid"] == made[
                "scheduler_uuid"
            ]
            text = await editor.refusal("get_scheduler", scheduler_uuid="Monday numbers")
            await editor.ask("delete_scheduler", scheduler_uuid="Mine")
        assert text.endswith("'Monday numbers': those of others are listed for developers and admins. Give its UUID.")
    async with analyst(sandbox, person="viewer") as viewer:
        assert "Lightdash shows you no scheduler 'Mine'" in await viewer.refusal("get_scheduler", scheduler_uuid="Mine")


async def test_who_may_share_a_space_need_not_see_the_groups(sandbox: Sandbox) -> None:
    async with analyst(sandbox) as admin:
        group = (await admin.ask("list_groups"))["items"][0]
    room = {"space_uuid": "Sales"}
    async with analyst(sandbox, person="editor") as editor:
        assert "lists no groups" in await editor.refusal("list_groups")
        assert "lists no groups" in await editor.refusal(
            "grant_group_space_access", group_uuid=group["name"], role="viewer", **room
        )
        await editor.ask("grant_group_space_access", group_uuid=group["uuid"], role="editor", **room)
        said = await editor.refusal("revoke_group_space_access", group_uuid="Nobody", **room)
        assert said == "Lightdash lists no groups for you. Give the UUID of the group."
        gone = await editor.ask("revoke_group_space_access", group_uuid=group["name"].upper(), **room)
    assert gone["gone"] == f"the share of Sales with {group['name']}"


async def test_a_scheduler_is_found_by_its_name_in_any_project(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        main = {"project_uuid": places.MAIN}
        sent = {"cron": "0 9 * * 1", "emails": ["a@corner-shop.example"], "chart": places.MAIN_CHART, **main}
        made = await session.ask("create_scheduler", name="Monday: all of it", **sent)
        found = await session.ask("get_scheduler", scheduler_uuid="monday: all of it")
        assert found["scheduler_uuid"] == made["scheduler_uuid"]
        await session.ask("create_scheduler", name="Monday: all of it", **sent)
        said = await session.refusal("delete_scheduler", scheduler_uuid="Monday: all of it")
    assert "is the name of 2 schedulers" in said
