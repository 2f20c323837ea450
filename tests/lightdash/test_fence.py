"""With one project allowed, no tool and no id gets out of it: neither by a request, nor by a change, nor by an answer.

What arrives at the service is looked at byte by byte. Break `Api.check_project` or `path` and this finds it.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from random import Random
from typing import Any, Final
from urllib.parse import unquote

import httpx2
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from pydantic.fields import FieldInfo
from tests.lightdash.calls import made_up_call
from tests.lightdash.direct import Caller, run
from tests.lightdash.hostile import (
    ALLOWED,
    FORBIDDEN,
    FOREIGN,
    HERE,
    HOSTILE,
    SPELLINGS,
    THERE,
    ids_of,
    owners,
    texts_of,
    wide,
)
from tests.lightdash.sessions import TOOLS, Watched, facts, ok, raw_path, serving
from tests.lightdash.templates import template_of
from tests.plans import SOME_ID

from aboveboard.http.path import is_uuid
from aboveboard.lightdash.client.name_lookup import KINDS, is_name
from aboveboard.lightdash.sandbox import Sandbox

NOT_ALLOWED: Final = "is not among those this server may touch"
BY_SLUG: Final = ("chart", "dashboard", "sql_chart", "item", "job_id", "url")
# Of these, a call takes one and not the other.
EITHER: Final = ({"user_uuid", "group_uuid"}, {"chart", "dashboard"}, {"chart", "markdown"})
LISTS_OF_PROJECTS: Final = ("/api/v2/content", "/api/v2/content/deleted", "/api/v1/aiAgents/admin/threads")
# Where the names are listed that can stand for an id.
NAMES: Final = {
    "project": "/api/v1/org/projects",
    "space": f"/api/v1/projects/{ALLOWED}/spaces",
    "user": "/api/v1/org/users",
    "group": "/api/v1/org/groups",
    "tag": f"/api/v1/projects/{ALLOWED}/tags",
    "agent": f"/api/v1/projects/{ALLOWED}/aiAgents",
    "scheduler": f"/api/v1/schedulers/{ALLOWED}/list",
    "chart": "/api/v2/content",
    "dashboard": "/api/v2/content",
    "evaluation": f"/api/v1/projects/{ALLOWED}/aiAgents/{SOME_ID}/evaluations",
}
_ANY: Final = FieldInfo.from_annotation(str)
# One answer that will do for every model, of the allowed project; a space, a chart and a dashboard at once.
ANYTHING: Final[dict[str, object]] = {
    **dict.fromkeys(("uuid", "spaceUuid", "organizationUuid", "schedulerUuid", "validationUuid"), SOME_ID),
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
SLUGS: Final = ("weekly-review", "refunds", "busiest-hours", "revenue-by-month", "sales", "shared")
# What fails names the id, so that it need not be made smaller; over every tool that would take minutes.
BRIEFLY: Final = settings(max_examples=8, phases=[Phase.explicit, Phase.generate])
Arguments = dict[str, Any]


def obliging(request: httpx2.Request) -> httpx2.Response:
    """Answer everything with success, so that a tool which sends several requests sends them all."""
    if request.method == "GET" and raw_path(request) == NAMES["group"]:  # of none, Lightdash would not say why
        return ok({"data": [ANYTHING], "pagination": {"page": 1, "totalPageCount": 1, "totalResults": 1}})
    listing = request.method == "GET" and re.search("/(spaces|projects|tags|aiAgents|evaluations)$", raw_path(request))
    return ok([] if listing else ANYTHING)


@pytest.mark.surprise(5, 6, 76, 77, 78)
@settings(BRIEFLY, max_examples=12)
@given(attempt=HOSTILE)
@example(FORBIDDEN)
@example(FORBIDDEN.upper())
@example(f"urn:uuid:{FORBIDDEN}")
@example(wide(FORBIDDEN))
@example(f"{ALLOWED}/../{FORBIDDEN}")
@example(f"..%2f{FORBIDDEN}?projectUuids={FORBIDDEN}#")
@example("http://elsewhere.example\r\nAuthorization: ApiKey other")
@example("")
def test_no_id_makes_a_tool_send_a_request_out_of_the_allowed_project(attempt: str) -> None:
    assert run(ways_out(attempt)) == []


@pytest.mark.surprise(27)
def test_no_tool_changes_or_tells_anything_of_another_project() -> None:
    assert run(leaks((tool, arguments_with(tool, ids)) for tool in TOOLS for ids in all_there(tool))) == []


@pytest.mark.surprise(27)
@settings(BRIEFLY)
@given(chance=st.randoms(use_true_random=True))
def test_no_mixture_of_ids_changes_or_tells_anything_of_another_project(chance: Random) -> None:
    assert run(leaks((tool, arguments_with(tool, some_there(tool, chance))) for tool in TOOLS)) == []


@pytest.mark.surprise(46)
@pytest.mark.parametrize("project", [{}, {"project_uuid": ALLOWED}])
@pytest.mark.parametrize(("tool", "parameter"), [("get_chart", "chart"), ("get_dashboard", "dashboard")])
@settings(BRIEFLY, max_examples=60)
@given(attempt=HOSTILE)
@example("cafe/regulars")
@example("../../org")
@example("100%2fsure?")
def test_a_slug_arrives_as_it_was_given_in_one_part_of_the_path_unless_it_cannot_be_one(
    tool: str, parameter: str, project: dict[str, str], attempt: str
) -> None:
    caller = anybody()
    answer = caller.call(tool, {parameter: attempt, **project})
    arrived = [unquote(raw_path(request).rpartition("/")[2]) for request in caller.service.arrived]
    if not project and not is_uuid(attempt):  # projects may be looked at, once in a while, and here there are none
        assert answer.refused
        assert arrived in ([], ["projects"])
    elif is_name("chart", attempt):
        assert arrived[:1] == ["content"], answer.text
    elif can_be_a_slug(attempt):
        assert arrived == [attempt], answer.text
    else:
        assert answer.refused
        assert arrived == []


@cache
def anybody() -> Caller:
    """Call over a service that does whatever it is asked."""
    return Caller(Watched(obliging), allowed=ALLOWED)


@cache
def shopper() -> tuple[Caller, Sandbox]:
    """Call over the sandbox that all examples share; who changes it brings it back to its beginning."""
    sandbox = Sandbox(enterprise=True, soft_delete=True)
    return Caller(serving(sandbox), allowed=ALLOWED), sandbox


@cache
def untouched() -> Mapping[str, object]:
    """Tell what is in the sandbox at its beginning."""
    return facts(Sandbox(enterprise=True, soft_delete=True))


def all_there(tool: str) -> list[dict[str, str | None]]:
    """Give all ids of things that belong elsewhere, under the path of the allowed project and under none."""
    there: dict[str, str | None] = {name: id_of(name, tool, THERE) for name in ids_of(tool)}
    return [there | {"project_uuid": one} if "project_uuid" in there else there for one in (ALLOWED, None)]


def some_there(tool: str, chance: Random) -> dict[str, str | None]:
    """Draw for each id one of a thing of the same kind, here or elsewhere, or of some other thing, or none."""
    needed = made_up_call(tool, HERE)

    def drawn(name: str) -> str | None:
        if name == "project_uuid":
            return chance.choice((ALLOWED, ALLOWED, None, FORBIDDEN, "Corner Shop", "Corner Shop preview"))
        own, spelling = chance.choice((id_of(name, tool, HERE), id_of(name, tool, THERE))), chance.choice(SPELLINGS)
        optional = () if name in needed else (None,)
        return chance.choice((own, spelling(own), spelling(chance.choice(FOREIGN)), chance.choice(SLUGS), *optional))

    return {name: drawn(name) for name in ids_of(tool)}


def id_of(name: str, tool: str, values: Mapping[str, Any]) -> str:
    """Return an id for a parameter, as the tool's case has it or, where that lacks it, of a thing of that kind."""
    kinds = {"space_uuid": "sales", "chart": "chart", "dashboard": "dashboard", "user_uuid": "vera"}
    alike = values.get(kinds.get(name, name.removesuffix("_uuid"))) or values.get("tile", SOME_ID)
    return str(made_up_call(tool, values).get(name) or alike)


def arguments_with(tool: str, ids: Mapping[str, str | None]) -> Arguments:
    """Put ids into the call of a tool; of two that exclude each other, the one that the call lacks goes first."""
    usual = made_up_call(tool, HERE)
    added = {name for name in ids if ids[name] is not None and name not in usual}
    excluded = {other for pair in EITHER if pair & added for other in pair - added}
    given = {**usual, **ids}
    return {name: value for name, value in given.items() if value is not None and name not in excluded}


def can_be_a_slug(text: str) -> bool:
    """Tell whether a text could name something: no part of a path alone, and nothing that cannot be printed."""
    return text not in ("", ".", "..") and not any(ord(char) < 0x20 or 0x7F <= ord(char) < 0xA0 for char in text)


async def ways_out(attempt: str) -> list[str]:
    """Give an id to every parameter of every tool that takes one, and tell what came of it that must not."""
    caller = anybody()
    found: list[str] = []
    for tool in TOOLS:
        for parameter, many in texts_of(tool).items():
            arguments = {**arguments_of(tool, parameter), parameter: [attempt] if many else attempt}
            text = (await caller.answer(tool, arguments)).text
            arrived = caller.service.arrived
            sent = [request for request in arrived if not looks_up(request, parameter)]
            seen = (*outside(arrived), *guessed(parameter, attempt, text, sent=bool(sent)))
            found += [f"{tool} with {parameter}={attempt!r} {way}" for way in seen]
    return found


def arguments_of(tool: str, parameter: str) -> Arguments:
    fields = TOOLS[tool].load().fields
    others = {
        other for pair in EITHER if parameter in pair for other in pair if not fields.get(other, _ANY).is_required()
    }
    arguments = {name: value for name, value in made_up_call(tool).items() if name not in others}
    return {**arguments, "project_uuid": ALLOWED} if "project_uuid" in fields else arguments


def outside(arrived: list[httpx2.Request]) -> Iterator[str]:
    """Tell what was sent to another host, project or route, or in another name."""
    for request in arrived:
        path, query = raw_path(request), request.url.params
        if (
            request.url.host != "lightdash"
            or project_of(path) not in (ALLOWED, None)
            or {".", ".."} & set(path.split("/"))
        ):
            yield f"became {request.url}"
        asked = [value for name, value in query.multi_items() if "projectuuid" in name.lower()]
        if asked != ([ALLOWED] if path in LISTS_OF_PROJECTS else []):
            yield f"became {query}"
        if request.headers["authorization"] != f"ApiKey {Sandbox.token}":
            yield "changed who asks"


def guessed(parameter: str, attempt: str, text: str, *, sent: bool) -> Iterator[str]:
    """Tell what is no UUID, nor a name, and was not refused unsent: Lightdash answers 500 to most of it."""
    only_uuid = parameter.endswith("_uuid") or parameter in ("comment_id", "reply_to")
    refusal = ""
    if parameter in ("tab_uuid", "tile_uuid") and not is_uuid(attempt):
        refusal = f"has no {parameter[:-5]} {attempt!r}"
    elif only_uuid and not is_uuid(attempt):
        refusal = f"has no {KINDS[parameter]} " if parameter in KINDS and attempt.strip() else "is not a UUID"
    elif parameter == "project_uuid" and attempt != ALLOWED:
        refusal = f"The project {attempt.lower()} {NOT_ALLOWED}"
    # A dashboard is read to find its tab or tile.
    if refusal and ((sent and parameter not in ("tab_uuid", "tile_uuid")) or refusal not in text):
        yield f"was not refused: {text}"


def looks_up(request: httpx2.Request, parameter: str) -> bool:
    """Tell whether a request asks for the list in which a name may stand; a scheduler is looked for in all projects."""
    kind = KINDS.get(parameter, "")
    listed = (NAMES.get(kind), NAMES["project"] if kind == "scheduler" else None)
    return request.method == "GET" and raw_path(request) in listed


def project_of(path: str) -> str | None:
    """Return the project that a path names; one that no template of the client gives is a way out."""
    template = template_of(path)
    assert template is not None, path
    pattern = re.sub(r"\\{(\w+)(:uuid)?\\}", r"(?P<\1>[^/]+)", re.escape(template))
    found = re.fullmatch(pattern, path)
    assert found is not None
    return found.groupdict().get("project")


async def leaks(calls: Iterable[tuple[str, Arguments]]) -> list[str]:
    """Call tools, and tell what they told or changed of another project."""
    caller, sandbox = shopper()
    found: list[str] = []
    for tool, arguments in calls:
        answer = await caller.answer(tool, arguments)
        if not answer.refused and foreign_in(answer.text):
            found.append(f"{tool} {arguments} told of another project: {answer.text}")
        if any(request.method != "GET" for request in caller.service.arrived):
            before, after = untouched(), facts(sandbox)
            changed = [key for key in before.keys() | after.keys() if before.get(key) != after.get(key)]
            if any(foreign_in(key) or foreign_in(json.dumps(after.get(key))) for key in changed):
                found.append(f"{tool} {arguments} changed {changed}")
            sandbox.reset()
    return found


def foreign_in(text: str) -> bool:
    """Tell whether a text speaks of a thing of another project."""
    found = re.findall("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", text)
    return any(owners().get(one, ALLOWED) != ALLOWED for one in found)
