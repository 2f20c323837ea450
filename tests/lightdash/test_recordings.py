"""The client against answers of a real Lightdash: every recorded exchange of an endpoint it uses."""

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, cast

import httpx2
import pytest
from tests.lightdash import places
from tests.lightdash.calls import EVERYBODY
from tests.lightdash.sandbox.recordings import FOLDER, Step, load
from tests.lightdash.sessions import client_of, ok
from tests.lightdash.templates import template_of
from tests.shared import absence

from aboveboard import effects
from aboveboard.effects import DELETE
from aboveboard.errors import ApiError, Conflict, NotFound, Refused, Unauthorised
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Model, Page
from aboveboard.lightdash.client.complaints import flatten_message

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not FOLDER.is_dir(), reason=absence(FOLDER)),
]

Asking = Callable[[LightdashClient], Awaitable[Any]]
PAGE: Final[dict[str, Any]] = {"limit": 50, "page": 1}
FOUND: Final[dict[str, Any]] = {"search": None, "space": None, **PAGE}
PROJECT, SPACE = places.MAIN, places.SALES

# What a recorded line such as "GET /api/v1/org/projects" is the answer to, and how to ask for it.
ASKING: Final[Mapping[str, Asking]] = {
    "GET /api/v1/health": lambda it: it.instance.health(),
    "GET /api/v1/user": lambda it: it.instance.me(),
    "GET /api/v1/org/projects": lambda it: it.projects.list(**PAGE),
    "GET /api/v1/projects/{project:uuid}": lambda it: it.projects.get(PROJECT),
    "GET /api/v1/projects/{project:uuid}/spaces": lambda it: it.spaces.list(PROJECT, **PAGE),
    "POST /api/v1/projects/{project:uuid}/spaces": lambda it: it.spaces.create(
        PROJECT, "Sales", parent=None, shared=True
    ),
    "GET /api/v1/projects/{project:uuid}/spaces/{space:uuid}": lambda it: it.spaces.get(PROJECT, SPACE),
    "PATCH /api/v1/projects/{project:uuid}/spaces/{space:uuid}": lambda it: it.spaces.update(
        PROJECT, SPACE, name="Sales", shared=None
    ),
    "DELETE /api/v1/projects/{project:uuid}/spaces/{space:uuid}": lambda it: it.spaces.delete(PROJECT, SPACE),
    "GET /api/v2/content chart": lambda it: it.charts.list(PROJECT, **FOUND),
    "GET /api/v2/content dashboard": lambda it: it.dashboards.list(PROJECT, **FOUND),
    "GET /api/v1/saved/{chart}": lambda it: it.charts.get("a", None),
    "GET /api/v2/projects/{project:uuid}/saved/{chart}": lambda it: it.charts.get("a", PROJECT),
    "GET /api/v1/dashboards/{dashboard}": lambda it: it.dashboards.get("a", None),
    "GET /api/v2/projects/{project:uuid}/dashboards/{dashboard}": lambda it: it.dashboards.get("a", PROJECT),
    "GET /api/v1/org/users": lambda it: it.members.list(search=None, **PAGE),
    "GET /api/v1/org/groups": lambda it: it.groups.list(search=None, **PAGE),
    "GET /api/v1/groups/{group:uuid}": lambda it: it.groups.get(EVERYBODY),
}
USED: Final = {re.sub(" (chart|dashboard)$", "", line) for line in ASKING}
# Groups were recorded on a list without pages (below), and of no project that has an upstream; the parameters of a
# dashboard and a pivot stand among the recordings of whole objects.
NEVER_FILLED: Final = {
    *("Member.groups", "ProjectDetails.upstream_project_uuid", "DashboardDetails.parameters"),
    "ChartDetails.pivot_config",
    *("ChartDetails.kept_version", "DashboardDetails.kept_version"),  # which a change fills, and no answer
}
KINDS: Final[Mapping[int, type[ApiError]]] = {401: Unauthorised, 403: Refused, 404: NotFound, 409: Conflict}


def line_of(step: Step) -> str:
    return f"{step.request['method']} {template_of(step.request['path'].partition('?')[0])}"


def answers(step: Step) -> list[tuple[str, Any]]:
    """Return the ways to ask for a recorded answer; of mixed content, each kind apart, as the client asks for it."""
    line, body = line_of(step), step.body
    if line == "GET /api/v2/content":
        parts: list[tuple[str, Any]] = []
        for kind in ("chart", "dashboard"):
            items = [item for item in body["results"]["data"] if item["contentType"] == kind]
            parts.append((f"{line} {kind}", {**body, "results": {**body["results"], "data": items}}))
        return parts
    if line == "GET /api/v1/groups/{group:uuid}" and "members" not in body["results"]:
        return []  # the client always asks for them
    if line in ("GET /api/v1/org/users", "GET /api/v1/org/groups") and "pagination" not in body["results"]:
        return []  # without a page; the client names one, and asks for everybody only to find one of them
    if line == "GET /api/v1/org/users" and not isinstance(body["results"]["pagination"]["page"], int):
        return []  # page 1.5, which Lightdash takes and the client cannot ask for
    return [(line, body)] if line in ASKING else []


SUCCESSES: Final = [(step, line, body) for step in load() if step.status in (200, 201) for line, body in answers(step)]
ERRORS: Final = [step for step in load() if step.status >= 400]


async def asked(line: str, answer: httpx2.Response) -> Any:
    """Ask, and answer the request that the line names; what the client reads before it writes is answered too."""

    def service(request: httpx2.Request) -> httpx2.Response:
        return answer if request.method == line.partition(" ")[0] else ok(A_SPACE)

    with effects.under(DELETE):
        return await ASKING[line](client_of(service))


@pytest.mark.surprise(14)
@pytest.mark.parametrize("line", ASKING)
async def test_every_real_answer_is_read_to_its_last_item(line: str) -> None:
    recorded = [(step, body) for step, of, body in SUCCESSES if of == line]
    assert recorded
    for step, body in recorded:
        name, found = step.id, await asked(line, httpx2.Response(step.status, json=body))
        if line.startswith("DELETE"):
            assert found.uuid == A_SPACE["uuid"], name
        else:
            assert ids([one.model_dump(by_alias=True) for one in models(found)]) == ids(listed(body)), name


async def test_no_field_of_a_real_answer_is_overlooked_for_its_spelling() -> None:
    # An optional field that no answer ever fills is most likely one that Lightdash calls otherwise.
    filled: dict[str, set[str]] = {}
    seen: dict[str, set[str]] = {}
    for _, line, body in SUCCESSES:
        found = await asked(line, httpx2.Response(200, json=body))
        for model in models(found):
            kind = type(model).__name__
            seen.setdefault(kind, set()).update(vars(model))
            filled.setdefault(kind, set()).update(model.model_fields_set)
    never = {f"{kind}.{field}" for kind, fields in seen.items() for field in fields - filled[kind]}
    assert never == NEVER_FILLED


@pytest.mark.surprise(75)
def test_no_endpoint_in_use_was_recorded_with_a_deprecation_header() -> None:
    assert [step.id for step in load() if line_of(step) in USED and "deprecation" in step.headers] == []
    assert any("deprecation" in step.headers for step in load())


async def test_everybody_is_read_from_a_list_without_pages() -> None:
    steps = [step for step in load() if line_of(step) == "GET /api/v1/org/users" and step.status == 200]
    for step in steps:
        client = client_of(lambda request, step=step: httpx2.Response(200, json=step.body))
        for person in step.body["results"]["data"]:
            found = (await client.members.get(person["userUuid"])).model_dump(by_alias=True)
            assert found["email"] == person["email"], step.id
            assert found["groups"] == person.get("groups"), step.id
    assert len(steps) > 5


@pytest.mark.surprise(2, 16, 20)
@pytest.mark.parametrize("area", sorted({step.area for step in ERRORS}))
async def test_every_real_error_becomes_the_failure_of_its_status_in_lightdashs_words(area: str) -> None:
    for step in (step for step in ERRORS if step.area == area):
        content = b"" if step.body is None else step.body if isinstance(step.body, str) else json.dumps(step.body)
        answer = httpx2.Response(step.status, headers=step.headers, content=content)
        with pytest.raises(ApiError) as caught:
            await asked("GET /api/v1/projects/{project:uuid}", answer)
        assert type(caught.value) is KINDS.get(step.status, ApiError), step.id
        assert caught.value.status == step.status, step.id
        if "MissingConfigError" in str(step.body):
            continue  # what only the enterprise edition can do may be said in words of our own
        assert str(caught.value).startswith(f"Lightdash answered {step.status}"), step.id
        assert message_of(step.body) in str(caught.value), step.id


def message_of(body: Any) -> str:
    error = cast("dict[str, Any]", body).get("error", "") if isinstance(body, dict) else ""
    text = error if isinstance(error, str) else str(error["message"])
    return " ".join(flatten_message(text).split())[:500].rstrip(".")


def models(found: Any) -> list[Model]:
    return cast("Page[Model]", found).items if isinstance(found, Page) else [found]


def listed(body: Any) -> list[dict[str, Any]]:
    results = body["results"]
    return cast("list[Any]", results) if isinstance(results, list) else results.get("data", [results])


def ids(things: list[dict[str, Any]]) -> list[str]:
    keys = ("uuid", "userUuid", "projectUuid", "version")
    return [next(str(thing[key]) for key in keys if key in thing) for thing in things]


A_SPACE: Final[dict[str, object]] = {
    "uuid": SPACE,
    "name": "Sales",
    "slug": "sales",
    "projectUuid": PROJECT,
    "inheritParentPermissions": True,
    **{key: [] for key in ("queries", "dashboards", "access", "groupsAccess")},
}
