"""Resources: what can be read by address, how ids are completed, and that neither goes where a tool may not."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

import anyio
import httpx2
import mcp_types as mcp
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.exceptions import MCPError
from tests.lightdash import places
from tests.lightdash.analyst import analyst
from tests.lightdash.sessions import ERAS, EVERYTHING, TOOLS, Era, Session, Watched, error, ok, serving

from aboveboard.errors import NotFound
from aboveboard.kit.mode import Mode
from aboveboard.kit.policy import Policy
from aboveboard.kit.service import BUG, Catalogue
from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.server import SERVICE

pytestmark = pytest.mark.anyio

PROJECT: Final = "lightdash://projects/{project_uuid}"
CHART: Final = "lightdash://charts/{chart}"
DASHBOARD: Final = "lightdash://dashboards/{dashboard}"
EXPLORE: Final = "lightdash://projects/{project_uuid}/explores/{explore}"
EXPORT: Final = "lightdash://exports/{file}"

READ: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    f"lightdash://projects/{places.MAIN}": ("get_project", {"project_uuid": places.MAIN}),
    f"lightdash://charts/{places.MAIN_CHART}": ("get_chart", {"chart": places.MAIN_CHART}),
    "lightdash://charts/orders-by-status": ("get_chart", {"chart": "orders-by-status"}),
    "lightdash://charts/cafe%2Fregulars": ("get_chart", {"chart": "cafe/regulars"}),
    "lightdash://dashboards/shop-overview": ("get_dashboard", {"dashboard": "shop-overview"}),
    f"lightdash://projects/{places.MAIN}/explores/orders": ("get_explore", {"explore": "orders"}),
}
# What an id may hold that would leave its place in a path, were it not escaped.
HOSTILE: Final = [
    *("..", ".", "%2e%2e", "%2E", "..%2f", "..%2f..%2fhealth", "%2e%2e%2f%2e%2e%2fuser", "x%2F..%2F..%2Fuser"),
    *("x%3Flimit=1", "x%23y", "%00", "%0d%0aX-Evil:%201", "%5c..%5c", "%ff", "%", "%zz", "%252e%252e", "x;y", "x:y"),
    *("*", "{chart}", "%7Bchart%7D", "'%20or%20'1'='1", " ", "%20", "☕", "a" * 3000),
]


@pytest.mark.parametrize("era", ERAS)
async def test_every_resource_is_a_template_with_a_title_a_description_and_a_type(sandbox: Sandbox, era: Era) -> None:
    async with analyst(sandbox, era=era) as session:
        fixed = (await session.client.list_resources()).resources
        templates = (await session.client.list_resource_templates()).resource_templates
    assert fixed == []
    assert {template.uri_template: template.mime_type for template in templates} == {
        **dict.fromkeys((PROJECT, CHART, DASHBOARD, EXPLORE), "application/json"),
        EXPORT: "application/octet-stream",
        "lightdash://pictures/{picture}": "image/svg+xml",
    }
    assert all(template.title and template.description for template in templates)
    assert len({template.name for template in templates}) == len(templates)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("uri", READ)
async def test_what_is_read_by_address_is_what_the_tool_answers(sandbox: Sandbox, uri: str, era: Era) -> None:
    tool, arguments = READ[uri]
    async with analyst(sandbox, era=era) as session:
        (content,) = (await session.client.read_resource(uri)).contents
        answer = await session.ask(tool, **arguments)
    assert isinstance(content, mcp.TextResourceContents)
    assert (content.uri, content.mime_type) == (uri, "application/json")
    assert json.loads(content.text) == answer


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("lightdash://charts/no-such-chart", "Lightdash answered 404"),
        ("lightdash://dashboards/no-such-board", "Lightdash answered 404"),
        ("lightdash://projects/99999999-0000-4000-8000-000000000000", "Lightdash answered 404"),
        (f"lightdash://projects/{places.MAIN}/explores/odrers", "has no explore 'odrers': did you mean 'orders'?"),
        ("lightdash://projects/Corner%20Shp", "This Lightdash has no project 'Corner Shp': did you mean 'Corner Shop"),
        ("lightdash://charts/..%2f..%2fuser", "Lightdash answered 404"),
        ("lightdash://charts/..", "'..' cannot be the id of a chart."),
        ("lightdash://charts/%2e%2e", "'..' cannot be the id of a chart."),
        ("lightdash://charts/x\n", "'x\\n' cannot be the id of a chart."),
        ("lightdash://charts/%00", "cannot be the id of a chart."),
        ("lightdash://exports/%2e%2e", "'..' cannot be the id of a file."),
        ("lightdash://exports/..%2fhealth", "Lightdash answered 404"),
    ],
)
async def test_an_address_where_nothing_is_is_an_error_of_the_asker_that_says_why(
    sandbox: Sandbox, uri: str, said: str, era: Era
) -> None:
    async with analyst(sandbox, era=era) as session:
        problem = await refused(session, uri)
    assert problem.code == mcp.INVALID_PARAMS
    assert said in problem.message


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    "uri",
    [
        *(
            "lightdash://nothing",
            "lightdash://charts/",
            "lightdash://charts/a/b",
            "lightdash://charts",
            "file:///etc/passwd",
        ),
        *("LIGHTDASH://charts/x", " lightdash://charts/x", "http://lightdash/charts/x", ""),
        *("lightdash://projects//explores/orders", f"lightdash://projects/{places.MAIN}/explores/"),
    ],
)
async def test_an_address_of_no_kind_is_not_found_and_nothing_is_sent(sandbox: Sandbox, uri: str, era: Era) -> None:
    service = serving(sandbox)
    async with analyst(service, era=era) as session:
        problem = await refused(session, uri)
    assert problem.code == mcp.INVALID_PARAMS
    assert problem.message == "There is no such resource here."
    assert service.arrived == []


LISTS = ("GET /api/v1/org/projects", "GET /api/v2/content", f"GET /api/v1/projects/{places.MAIN}/explores")


@pytest.mark.parametrize("part", HOSTILE)
async def test_no_id_leaves_its_place_in_the_path(part: str) -> None:
    service = Watched(lambda request: error(404, "Not here"))
    async with analyst(service) as session:
        for uri in (CHART, DASHBOARD, EXPORT, EXPLORE.replace("{project_uuid}", places.MAIN), PROJECT):
            problem = await refused(session, uri[: uri.index("{")] + part)
            assert problem.message != BUG
    starts = ("saved/", "dashboards/", "file/", "explores/")
    # Names are looked for in lists, and are no part of a path.
    for line in [one for one in service.lines if one not in LISTS]:
        head, _, tail = line.partition(next(start for start in starts if start in line))
        assert head in ("GET /api/v1/", f"GET /api/v2/projects/{places.MAIN}/", f"GET /api/v1/projects/{places.MAIN}/")
        assert "/" not in tail
        assert tail not in ("", ".", "..")


@given(st.text(min_size=1, max_size=20))
def test_whatever_is_asked_for_no_other_route_is_reached(text: str) -> None:
    async def read() -> list[str]:
        service = Watched(lambda request: error(404, "Not here"))
        async with analyst(service) as session:
            assert (await refused(session, f"lightdash://charts/{text}")).message != BUG
        return service.lines

    prefix = f"GET /api/v2/projects/{places.MAIN}/saved/"
    for line in [one for one in anyio.run(read) if one not in LISTS]:
        assert line.startswith(prefix)
        assert "/" not in line.removeprefix(prefix)


@pytest.mark.parametrize(
    "uri",
    [
        f"lightdash://projects/{places.MAIN}",
        f"lightdash://projects/{places.MAIN.upper()}",
        f"lightdash://projects/{places.MAIN}/explores/orders",
        f"lightdash://charts/{places.MAIN_CHART}",
        f"lightdash://dashboards/{places.MAIN_DASHBOARD}",
    ],
)
async def test_a_project_that_tools_may_not_touch_cannot_be_read_either(sandbox: Sandbox, uri: str) -> None:
    async with analyst(sandbox, project=None, allowed=[places.PREVIEW]) as session:
        problem = await refused(session, uri)
        (content,) = (await session.client.read_resource(f"lightdash://projects/{places.PREVIEW}")).contents
    assert "not among those this server may touch (LIGHTDASH_ALLOWED_PROJECTS)" in problem.message
    assert isinstance(content, mcp.TextResourceContents)


async def test_a_chart_of_another_project_is_not_found_in_the_default_one(sandbox: Sandbox) -> None:
    async with analyst(sandbox, project=places.PREVIEW, allowed=[places.PREVIEW]) as session:
        problem = await refused(session, f"lightdash://charts/{places.MAIN_CHART}")
    assert problem.message.endswith(NotFound.advice)


async def test_completing_offers_only_projects_that_may_be_touched(sandbox: Sandbox) -> None:
    async with analyst(sandbox, project=None, allowed=[places.PREVIEW]) as session:
        assert await completed(session, PROJECT, "project_uuid", "") == [places.PREVIEW]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    ("uri", "part", "typed", "expected"),
    [
        (PROJECT, "project_uuid", places.MAIN[:-1], {places.MAIN, places.PREVIEW}),
        (PROJECT, "project_uuid", places.PREVIEW.upper(), {places.PREVIEW}),
        (PROJECT, "project_uuid", "nothing like it", set[str]()),
        (EXPLORE, "project_uuid", places.PREVIEW, {places.PREVIEW}),
        (EXPLORE, "explore", "", {"orders", "customers", "products", "payments", "visits"}),
        (EXPLORE, "explore", "P", {"products", "payments"}),
        (DASHBOARD, "dashboard", "weekly", {"weekly-review"}),
        (CHART, "chart", "refund", {"refunds"}),
        (CHART, "file", "", set[str]()),
        (EXPORT, "file", "x", set[str]()),
        ("lightdash://nothing/{x}", "x", "", set[str]()),
    ],
)
async def test_ids_are_completed_by_what_is_typed_so_far(
    sandbox: Sandbox, uri: str, part: str, typed: str, expected: set[str], era: Era
) -> None:
    async with analyst(sandbox, era=era) as session:
        assert set(await completed(session, uri, part, typed)) == expected


@pytest.mark.parametrize("era", ERAS)
async def test_what_was_chosen_before_narrows_what_is_offered(sandbox: Sandbox, era: Era) -> None:
    async with analyst(sandbox, project=None, era=era) as session:
        main = {"project_uuid": places.MAIN}
        room = (await session.ask("create_space", name="Only in the main project", **main))["name"]

        async def offered(about: Any, part: str, typed: str, **chosen: str) -> list[str]:
            argument = {"name": part, "value": typed}
            return (await session.client.complete(about, argument, context_arguments=chosen)).completion.values

        explores, audit = reference(EXPLORE), mcp.PromptReference(name="audit_content")
        assert await offered(explores, "explore", "pro", project_uuid="corner shop") == ["products"]
        assert await offered(explores, "explore", "pro") == []
        assert await offered(audit, "project", "corner shop p") == ["Corner Shop preview"]
        assert await offered(audit, "space", "only in", project="Corner Shop") == [room]
        assert await offered(audit, "space", "only in", project=places.PREVIEW) == []
        assert await offered(audit, "space", "only in") == []


@pytest.mark.parametrize("default", [None, places.MAIN])
async def test_an_address_takes_names_as_tools_do(sandbox: Sandbox, default: str | None) -> None:
    async with analyst(sandbox, project=default) as session:
        for named, uri in (
            ("lightdash://projects/Corner%20Shop", f"lightdash://projects/{places.MAIN}"),
            ("lightdash://dashboards/Weekly%20review", "lightdash://dashboards/weekly-review"),
            (f"lightdash://dashboards/{places.DASHBOARD_SLUG}", f"lightdash://dashboards/{places.MAIN_DASHBOARD}"),
        ):
            pair = [(await session.client.read_resource(one)).contents[0] for one in (named, uri)]
            assert len({one.text for one in pair if isinstance(one, mcp.TextResourceContents)}) == 1


@pytest.mark.parametrize(("uri", "part"), [(CHART, "chart"), (DASHBOARD, "dashboard"), (EXPLORE, "explore")])
async def test_without_a_default_project_nothing_is_offered_for_what_stands_in_one(
    sandbox: Sandbox, uri: str, part: str
) -> None:
    service = serving(sandbox)
    async with analyst(service, project=None) as session:
        assert await completed(session, uri, part, "") == []
    assert service.arrived == []


async def test_of_many_that_could_be_meant_a_hundred_are_offered_and_it_is_said_that_there_are_more() -> None:
    def explores(request: httpx2.Request) -> httpx2.Response:
        return ok([{"name": f"table_{number:03}", "label": "Table"} for number in range(250)])

    async with analyst(explores) as session:
        answer = (await session.client.complete(reference(EXPLORE), {"name": "explore", "value": "TABLE_"})).completion
    assert answer.values == [f"table_{number:03}" for number in range(100)]
    assert (answer.total, answer.has_more) == (250, True)


@pytest.mark.parametrize("era", ERAS)
async def test_a_completion_that_fails_says_why(era: Era) -> None:
    async with analyst(lambda request: error(403, "Not on a Sunday"), era=era) as session:
        with pytest.raises(MCPError, match="Lightdash answered 403: Not on a Sunday"):
            await completed(session, CHART, "chart", "x")


async def test_a_defect_stays_on_the_server(caplog: pytest.LogCaptureFixture) -> None:
    def broken(request: httpx2.Request) -> httpx2.Response:
        raise ZeroDivisionError("the secret of the server")

    async with analyst(broken) as session:
        problem = await refused(session, "lightdash://charts/x")
        with pytest.raises(MCPError) as told:
            await completed(session, CHART, "chart", "x")
    for error_data in (problem, told.value.error):
        assert (error_data.code, error_data.message) == (mcp.INTERNAL_ERROR, BUG)
    assert caplog.text.count("the secret of the server") >= 2


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    "policy",
    [
        Policy(toolsets=EVERYTHING.toolsets, exclude=["library", "charts", "queries"]),
        Policy(toolsets=["explores", "dashboards"]),
    ],
)
async def test_a_server_without_areas_that_have_resources_has_none_and_does_not_claim_to(
    sandbox: Sandbox, policy: Policy, era: Era
) -> None:
    service = serving(sandbox)
    async with analyst(service, policy=policy, era=era) as session:
        with pytest.raises(MCPError) as listing:
            await session.client.list_resource_templates()
        problem = await refused(session, "lightdash://charts/orders-by-status")
        with pytest.raises(MCPError):
            await session.client.list_prompts()
    assert listing.value.error.code == problem.code == mcp.METHOD_NOT_FOUND
    assert service.arrived == []


@pytest.mark.parametrize("toolsets", [["charts"], ["charts", "library"], ["core"]])
async def test_a_picture_can_be_read_wherever_the_tool_is_that_links_to_it(
    sandbox: Sandbox, toolsets: list[str]
) -> None:
    async with analyst(sandbox, policy=Policy(toolsets=toolsets)) as session:
        drawn = await session.ask("render_chart", chart="orders-by-status", project_uuid=places.MAIN)
        (content,) = (await session.client.read_resource(drawn["svg"])).contents
    assert isinstance(content, mcp.TextResourceContents)
    assert content.text.startswith("<?xml")


def test_every_address_in_an_answer_is_of_a_resource_of_the_same_area() -> None:
    linking: set[str] = set()
    for tool in TOOLS.values():
        for address in re.findall(r"lightdash://\w+/[\w.]+", tool.description):
            linking.add(tool.name)
            alone = Catalogue(SERVICE, Policy(toolsets=[tool.toolset.area])).resources
            assert any(one.match(address) is not None for one in alone), (tool.name, address)
    assert linking == {"render_chart", "export_query"}


async def test_what_an_excluded_area_holds_cannot_be_read_by_address_either(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    async with analyst(service, policy=Policy(exclude=["charts"])) as session:
        templates = [one.uri_template for one in (await session.client.list_resource_templates()).resource_templates]
        problem = await refused(session, "lightdash://charts/orders-by-status")
        found = await completed(session, CHART, "chart", "orders")
    assert CHART not in templates
    assert "lightdash://dashboards/{dashboard}" in templates
    assert problem.message == "There is no such resource here."
    assert found == []
    assert service.arrived == []


async def test_resources_only_read_so_every_mode_has_them(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    async with analyst(service, policy=Policy(mode=Mode.READ_ONLY)) as session:
        assert (await session.client.read_resource("lightdash://charts/orders-by-status")).contents
    assert {request.method for request in service.arrived} == {"GET"}


def reference(uri: str) -> mcp.ResourceTemplateReference:
    return mcp.ResourceTemplateReference(uri=uri)


async def completed(session: Session, uri: str, part: str, typed: str) -> list[str]:
    answer = await session.client.complete(reference(uri), {"name": part, "value": typed})
    return answer.completion.values


async def refused(session: Session, uri: str) -> mcp.ErrorData:
    with pytest.raises(MCPError) as told:
        await session.client.read_resource(uri)
    return told.value.error
