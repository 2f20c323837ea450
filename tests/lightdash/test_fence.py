"""With one project allowed, no tool and no id gets out of it: neither by a request, nor by a change, nor by an answer.

What arrives at the service is looked at byte by byte. Break `Api.check_project` or `path` and this finds it.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final
from urllib.parse import unquote

import anyio
import httpx2
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from pydantic.fields import FieldInfo
from tests.lightdash.hostile import ALLOWED, FORBIDDEN, FOREIGN, HERE, HOSTILE, THERE, ids_of, owners, spelled, texts_of
from tests.lightdash.samples import GOOD, SAMPLED, SOMEONE
from tests.lightdash.sessions import Watched, connected, facts, ok, raw_path, serving, text_of
from tests.lightdash.templates import template_of

from aboveboard.http.path import is_uuid
from aboveboard.kit.server import BUG
from aboveboard.lightdash.sandbox import Sandbox

NOT_ALLOWED: Final = "is not among those this server may touch"
BY_SLUG: Final = ("chart", "dashboard", "sql_chart", "item", "job_id", "url")
# Of these, a call takes one and not the other.
EITHER: Final = ({"user_uuid", "group_uuid"}, {"chart", "dashboard"}, {"chart", "markdown"})
LISTS_OF_PROJECTS: Final = ("/api/v2/content", "/api/v2/content/deleted", "/api/v1/aiAgents/admin/threads")
_ANY: Final = FieldInfo.from_annotation(str)
# One answer that will do for every model, of the allowed project; a space, a chart and a dashboard at once.
ANYTHING: Final[dict[str, object]] = {
    **dict.fromkeys(("uuid", "spaceUuid", "organizationUuid", "schedulerUuid", "validationUuid"), SOMEONE.space),
    **dict.fromkeys(("cron", "format", "error", "errorType", "status", "jobId"), "anything"),
    **dict.fromkeys(("name", "slug", "type", "spaceName", "tableName", "createdAt"), "anything"),
    **{key: {} for key in ("metricQuery", "chartConfig", "filters")},
    **{
        key: []
        for key in ("queries", "dashboards", "access", "groupsAccess", "tabs", "tiles", "members", "data", "targets")
    },
    "projectUuid": ALLOWED,
    **{"inheritParentPermissions": True, "enabled": True},
    "pagination": {"page": 1, "totalPageCount": 0, "totalResults": 0},
}
# What fails names the id, so that it need not be made smaller; over every tool that would take minutes.
BRIEFLY: Final = settings(max_examples=2, phases=[Phase.generate])
Arguments = dict[str, Any]


def obliging(request: httpx2.Request) -> httpx2.Response:
    """Answer everything with success, so that a tool which sends several requests sends them all."""
    listing = request.method == "GET" and re.search("/(spaces|projects)$", raw_path(request))
    return ok([] if listing else ANYTHING)


@pytest.mark.surprise(5, 6, 76, 77, 78)
@pytest.mark.parametrize("tool", SAMPLED)
@settings(BRIEFLY)
@given(attempts=st.lists(HOSTILE, min_size=4, max_size=6))
def test_no_id_makes_a_tool_send_a_request_out_of_the_allowed_project(tool: str, attempts: list[str]) -> None:
    async def attempt_all() -> None:
        service = Watched(obliging)
        async with connected(service, allowed=[ALLOWED]) as session:
            for parameter, many in texts_of(tool).items():
                for attempt in (FORBIDDEN, FORBIDDEN.upper(), *attempts):
                    service.arrived.clear()
                    arguments = {**arguments_of(tool, parameter), parameter: [attempt] if many else attempt}
                    text = text_of(await session.call(tool, **arguments))
                    assert text != BUG, (parameter, attempt)
                    assert_stays_inside(service.arrived, attempt)
                    assert_no_guessing(parameter, attempt, text, sent=bool(service.arrived))

    anyio.run(attempt_all)


@pytest.mark.surprise(27)
@pytest.mark.parametrize("tool", SAMPLED)
@settings(BRIEFLY)
@given(data=st.data())
def test_no_tool_changes_or_tells_anything_of_another_project(tool: str, data: st.DataObject) -> None:
    here, there = GOOD[tool](HERE), GOOD[tool](THERE)
    # What belongs there, under the path of the allowed project and under none; then what hypothesis makes of it.
    drawn = [{name: there.get(name) for name in ids_of(tool)} | {"project_uuid": one} for one in (ALLOWED, None)]
    drawn = [{name: one[name] for name in ids_of(tool)} for one in drawn]
    drawn += [{name: data.draw(choices(name, here, there), label=name) for name in ids_of(tool)} for _ in range(2)]

    async def attempt_all() -> None:
        sandbox = shop()
        service = serving(sandbox)
        before = facts(sandbox)
        async with connected(service, allowed=[ALLOWED]) as session:
            for ids in drawn:
                service.arrived.clear()
                given = {**here, **{name: value for name, value in ids.items() if value is not None}}
                arguments = {name: value for name, value in given.items() if ids.get(name, value) is not None}
                result = await session.call(tool, **arguments)
                assert text_of(result) != BUG, arguments
                if not result.is_error:
                    assert not foreign_in(json.dumps(result.structured_content)), arguments
                if any(request.method != "GET" for request in service.arrived):
                    assert_changed_inside(before, facts(sandbox), arguments)
                    sandbox.reset()

    anyio.run(attempt_all)


@pytest.mark.surprise(46)
@pytest.mark.parametrize("project", [{}, {"project_uuid": ALLOWED}])
@pytest.mark.parametrize(("tool", "parameter"), [("get_chart", "chart"), ("get_dashboard", "dashboard")])
@settings(BRIEFLY)
@given(attempts=st.lists(HOSTILE, min_size=8, max_size=20))
def test_a_slug_arrives_as_it_was_given_in_one_part_of_the_path_or_not_at_all(
    tool: str, parameter: str, project: dict[str, str], attempts: list[str]
) -> None:
    async def ask_all() -> None:
        service = Watched(obliging)
        async with connected(service, allowed=[ALLOWED]) as session:
            for attempt in attempts:
                service.arrived.clear()
                await session.call(tool, **{parameter: attempt}, **project)
                assert [unquote(raw_path(request).rpartition("/")[2]) for request in service.arrived] in ([attempt], [])

    anyio.run(ask_all)


@cache
def shop() -> Sandbox:
    """Open the sandbox that all examples share; who changes it brings it back to its beginning."""
    return Sandbox(enterprise=True, soft_delete=True)


def choices(name: str, here: Arguments, there: Arguments) -> st.SearchStrategy[str | None]:
    """Draw an id of a thing of the same kind, here or elsewhere, or of some other thing; or leave it out."""
    if name == "project_uuid":
        return st.sampled_from((ALLOWED, ALLOWED, None, FORBIDDEN))
    own = [str(known[name]) for known in (here, there) if name in known]
    slugs = st.sampled_from(("weekly-review", "refunds", "busiest-hours", "revenue-by-month"))
    elsewhere = spelled(st.sampled_from(FOREIGN))
    return st.one_of(st.sampled_from(own), spelled(st.sampled_from(own)), elsewhere, slugs) if own else st.none()


def arguments_of(tool: str, parameter: str) -> Arguments:
    fields = SAMPLED[tool].fields
    others = {
        other for pair in EITHER if parameter in pair for other in pair if not fields.get(other, _ANY).is_required()
    }
    arguments = {name: value for name, value in GOOD[tool](SOMEONE).items() if name not in others}
    return {**arguments, "project_uuid": ALLOWED} if "project_uuid" in fields else arguments


def assert_stays_inside(arrived: list[httpx2.Request], attempt: str) -> None:
    for request in arrived:
        path, query = raw_path(request), request.url.params
        assert request.url.host == "lightdash", attempt
        assert project_of(path) in (ALLOWED, None), f"{attempt!r} became {path}"
        assert not {".", ".."} & set(path.split("/")), f"{attempt!r} became {path}"
        asked = [value for name, value in query.multi_items() if "projectuuid" in name.lower()]
        assert asked == ([ALLOWED] if path in LISTS_OF_PROJECTS else []), f"{attempt!r} became {query}"
        assert request.headers["authorization"] == f"ApiKey {Sandbox.token}", attempt


def assert_no_guessing(parameter: str, attempt: str, text: str, *, sent: bool) -> None:
    """What is no UUID where only a UUID will do is refused unsent: Lightdash answers 500 to most of it."""
    if (parameter.endswith("_uuid") or parameter in ("comment_id", "reply_to")) and not is_uuid(attempt):
        assert "is not a UUID" in text, attempt
        assert not sent, attempt
    if parameter == "project_uuid" and is_uuid(attempt) and attempt != ALLOWED:
        assert f"The project {attempt.lower()} {NOT_ALLOWED}" in text
        assert not sent, attempt


def project_of(path: str) -> str | None:
    """Return the project that a path names; one that no template of the client gives is a way out."""
    template = template_of(path)
    assert template is not None, path
    pattern = re.sub(r"\\{(\w+)(:uuid)?\\}", r"(?P<\1>[^/]+)", re.escape(template))
    found = re.fullmatch(pattern, path)
    assert found is not None
    return found.groupdict().get("project")


def assert_changed_inside(before: Mapping[str, object], after: Mapping[str, object], arguments: Arguments) -> None:
    for key in before.keys() | after.keys():
        if before.get(key) != after.get(key):
            assert not foreign_in(key), (key, arguments)
            assert not foreign_in(json.dumps(after.get(key))), (key, arguments)


def foreign_in(text: str) -> bool:
    """Tell whether a text speaks of a thing of another project."""
    found = re.findall("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", text)
    return any(owners().get(one, ALLOWED) != ALLOWED for one in found)
