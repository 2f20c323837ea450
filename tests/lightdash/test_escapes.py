"""No id can leave the allowed project: what arrives at the service is looked at byte by byte."""

import re
from typing import Any, Final
from urllib.parse import unquote

import httpx2
import pytest
from pydantic.fields import FieldInfo
from tests.lightdash.places import MAIN as FORBIDDEN
from tests.lightdash.places import PREVIEW as ALLOWED
from tests.lightdash.samples import GOOD, SAMPLED, SOMEONE
from tests.lightdash.sessions import Watched, connected, ok, raw_path
from tests.lightdash.templates import template_of

from aboveboard.kit.server import BUG
from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

IDS: Final = {
    (name, parameter)
    for name, tool in SAMPLED.items()
    for parameter in tool.fields
    if parameter.endswith("_uuid") or parameter in ("chart", "dashboard", "comment_id", "reply_to")
}
BY_SLUG: Final = {(tool, parameter) for tool, parameter in IDS if parameter in ("chart", "dashboard")}
# Of these, a call takes one and not the other.
EITHER: Final = ({"user_uuid", "group_uuid"}, {"chart", "dashboard"})
SLUGS: Final = {("get_chart", "chart"), ("get_dashboard", "dashboard")}
ATTEMPTS: Final = (
    "..",
    ".",
    "",
    " ",
    "../",
    "..%2f",
    "%2e%2e",
    "%2e%2e%2f",
    "..\\",
    "....//",
    f"../{FORBIDDEN}",
    f"../../projects/{FORBIDDEN}",
    f"..%2f..%2fprojects%2f{FORBIDDEN}",
    f"{ALLOWED}/../{FORBIDDEN}",
    f"{ALLOWED}/spaces/..",
    f"{ALLOWED}%2f..%2f{FORBIDDEN}",
    f"{ALLOWED}?projectUuids={FORBIDDEN}",
    f"{ALLOWED}&projectUuids={FORBIDDEN}",
    f"{ALLOWED}#x",
    f"{ALLOWED}\x00",
    f"{ALLOWED}\n",
    f"\n{ALLOWED}",
    f" {ALLOWED}",
    f"{ALLOWED},{FORBIDDEN}",
    f"x\r\nAuthorization: ApiKey other\r\n{ALLOWED}",
    FORBIDDEN,
    FORBIDDEN.upper(),
    f"{{{FORBIDDEN}}}",
    f"{{{ALLOWED}}}",
    FORBIDDEN.replace("-", ""),
    f"urn:uuid:{FORBIDDEN}",
    "".join(chr(ord(char) + 0xFEE0) if char.isalnum() else char for char in FORBIDDEN),
    "․․",
    "‥",
    "．．／",
    "\u2215..\u2215",
    "http://elsewhere.example/",
    "//elsewhere.example/",
    "@elsewhere.example",
    "x" * 5_000,
)
LISTS_OF_PROJECTS: Final = ("/api/v2/content", "/api/v1/aiAgents/admin/threads")
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


def obliging(request: httpx2.Request) -> httpx2.Response:
    """Answer everything with success, so that a tool which sends several requests sends them all."""
    listing = request.method == "GET" and re.search("/(spaces|projects)$", raw_path(request))
    return ok([] if listing else ANYTHING)


def arguments_of(tool: str, parameter: str) -> dict[str, Any]:
    fields = SAMPLED[tool].fields
    others = {
        other for pair in EITHER if parameter in pair for other in pair if not fields.get(other, _ANY).is_required()
    }
    arguments = {name: value for name, value in GOOD[tool](SOMEONE).items() if name not in others}
    return {**arguments, "project_uuid": ALLOWED} if "project_uuid" in fields else arguments


def test_no_kind_of_id_is_left_out() -> None:
    known = {"project_uuid", "space_uuid", "parent_space_uuid", "user_uuid", "group_uuid", "chart", "dashboard"}
    assert known <= {parameter for _, parameter in IDS}


@pytest.mark.parametrize(("tool", "parameter"), sorted(IDS))
async def test_no_id_reaches_a_route_outside_the_allowed_project(tool: str, parameter: str) -> None:
    service = Watched(obliging)
    async with connected(service, allowed=[ALLOWED]) as session:
        for attempt in ATTEMPTS:
            service.arrived.clear()
            result = await session.call(tool, **{**arguments_of(tool, parameter), parameter: attempt})
            assert BUG not in str(result.content), attempt
            for request in service.arrived:
                assert_stays_inside(request, attempt)


@pytest.mark.parametrize(("tool", "parameter"), sorted(IDS - BY_SLUG))
async def test_what_is_no_uuid_where_only_a_uuid_will_do_is_refused_before_anything_is_sent(
    tool: str, parameter: str
) -> None:
    service = Watched(obliging)
    async with connected(service, allowed=[ALLOWED]) as session:
        for attempt in set(ATTEMPTS) - {FORBIDDEN, FORBIDDEN.upper()}:
            assert "is not a UUID" in await session.refusal(
                tool, **{**arguments_of(tool, parameter), parameter: attempt}
            )
    assert service.arrived == []


@pytest.mark.parametrize("project", [{}, {"project_uuid": ALLOWED}])
@pytest.mark.parametrize(("tool", "parameter"), sorted(SLUGS))
async def test_a_slug_arrives_as_it_was_given_in_one_part_of_the_path_or_not_at_all(
    tool: str, parameter: str, project: dict[str, str]
) -> None:
    service = Watched(obliging)
    async with connected(service, allowed=[ALLOWED]) as session:
        for attempt in ATTEMPTS:
            await session.call(tool, **{parameter: attempt}, **project)
    arrived = [unquote(raw_path(request).rpartition("/")[2]) for request in service.arrived]
    assert arrived == [attempt for attempt in ATTEMPTS if attempt not in ("", ".", "..") and attempt.isprintable()]


def project_of(path: str) -> str | None:
    """Return the project that a path names; one that no template of the client gives is a way out."""
    template = template_of(path)
    assert template is not None, path
    pattern = re.sub(r"\\{(\w+)(:uuid)?\\}", r"(?P<\1>[^/]+)", re.escape(template))
    found = re.fullmatch(pattern, path)
    assert found is not None
    return found.groupdict().get("project")


def assert_stays_inside(request: httpx2.Request, attempt: str) -> None:
    path, query = raw_path(request), request.url.query.decode()
    assert request.url.host == "lightdash", attempt
    assert project_of(path) in (ALLOWED, None), f"{attempt!r} became {path}"
    assert not {".", ".."} & set(path.split("/")), f"{attempt!r} became {path}"
    asked = re.findall("(?i)projectUuids[^=]*=([^&]*)", query)
    assert asked == ([ALLOWED] if path in LISTS_OF_PROJECTS else []), f"{attempt!r} became {query}"
    assert request.headers["authorization"] == f"ApiKey {Sandbox.token}", attempt
