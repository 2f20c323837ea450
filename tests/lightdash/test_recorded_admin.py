"""The client against answers of a real Lightdash about people, schedules, tags, comments, jobs and validation."""

from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import Any, Final, cast

import httpx2
import pytest
from pydantic import BaseModel
from tests.lightdash.sandbox.recordings import FOLDER, Step, load
from tests.lightdash.sessions import client_of, raw_path
from tests.lightdash.templates import template_of
from tests.shared import absence

from aboveboard import effects
from aboveboard.effects import RUN
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Page

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not FOLDER.is_dir(), reason=absence(FOLDER)),
]

Asking = Callable[[LightdashClient], Awaitable[Any]]
ANY: Final = "3675b69e-8324-4110-bdca-059031aa8da3"
PAGE: Final[dict[str, Any]] = {"limit": 200, "page": 1}
WHAT: Final[dict[str, Any]] = {
    **{"name": "Monday", "cron": "0 9 * * 1", "timezone": "UTC", "kind": "csv", "message": None},
    **{"emails": ["demo@lightdash.com"], "channels": []},
}

# What a recorded line is the answer to, and how to ask for it.
ASKING: Final[Mapping[str, Asking]] = {
    "GET /api/v1/jobs/{job:uuid}": lambda it: it.jobs.get(ANY),
    "GET /api/v1/schedulers/job/{job}/status": lambda it: it.jobs.get("7"),
    "POST /api/v1/projects/{project:uuid}/refresh": lambda it: it.projects.refresh(ANY),
    "GET /api/v2/projects/{project:uuid}/parameters/list": lambda it: it.projects.parameters(ANY, search=None, **PAGE),
    "GET /api/v1/projects/{project:uuid}/access": lambda it: it.projects.access(ANY, **PAGE),
    "POST /api/v1/org/groups": lambda it: it.groups.create("Bakers"),
    "GET /api/v2/orgs/{organization:uuid}/roles": lambda it: it.roles.list(**PAGE),
    "GET /api/v2/orgs/{organization:uuid}/roles/assignments": lambda it: it.roles.organization_assignments(**PAGE),
    "GET /api/v2/projects/{project:uuid}/roles/assignments": lambda it: it.roles.assignments(ANY, **PAGE),
    "POST /api/v2/projects/{project:uuid}/roles/assignments/user/{user:uuid}": lambda it: it.roles.assign(
        ANY, "user", ANY, "viewer"
    ),
    "POST /api/v2/projects/{project:uuid}/roles/assignments/group/{group:uuid}": lambda it: it.roles.assign(
        ANY, "group", ANY, "viewer"
    ),
    "GET /api/v1/org/attributes": lambda it: it.user_attributes.list(**PAGE),
    "GET /api/v1/projects/{project:uuid}/tags": lambda it: it.tags.list(ANY, **PAGE),
    "POST /api/v1/projects/{project:uuid}/tags": lambda it: it.tags.create(ANY, "Rye", "red"),
    "GET /api/v2/projects/{project:uuid}/dashboards/{dashboard}/comments": lambda it: it.comments.list(
        ANY, "a", resolved=False, **PAGE
    ),
    "GET /api/v1/schedulers/{project:uuid}/list": lambda it: it.schedulers.list(ANY, search=None, **PAGE),
    "GET /api/v1/schedulers/{project:uuid}/runs": lambda it: it.schedulers.runs(ANY, scheduler=None, **PAGE),
    "GET /api/v1/schedulers/{scheduler:uuid}": lambda it: it.schedulers.get(ANY),
    "POST /api/v1/saved/{chart:uuid}/schedulers": lambda it: it.schedulers.create(
        ANY, chart="a", dashboard=None, **WHAT
    ),
    "POST /api/v1/dashboards/{dashboard:uuid}/schedulers": lambda it: it.schedulers.create(
        ANY, chart=None, dashboard="a", **WHAT
    ),
    "PATCH /api/v1/schedulers/{scheduler:uuid}": lambda it: it.schedulers.update(
        ANY, emails=None, channels=None, name="Tuesday"
    ),
    "PATCH /api/v1/schedulers/{scheduler:uuid}/enabled": lambda it: it.schedulers.set_enabled(ANY, enabled=True),
    "POST /api/v1/projects/{project:uuid}/validate": lambda it: it.validation.start(ANY),
    "GET /api/v2/projects/{project:uuid}/validate": lambda it: it.validation.list(
        ANY, search=None, source=None, warnings=False, **PAGE
    ),
    "GET /api/v2/projects/{project:uuid}/validate/summary": lambda it: it.validation.summary(ANY),
}
# The recorded page of parameters has none of a type or with values of one's own.
NEVER_FILLED: Final = {"Parameter.type", "Parameter.allow_custom_values"}


def line_of(method: str, path: str) -> str:
    return f"{method} {template_of(path.partition('?')[0])}"


@cache
def recorded() -> dict[str, list[Step]]:
    """Return the successes by line; of lists that Lightdash pages on demand, only pages, which the client asks for."""
    found: dict[str, list[Step]] = {}
    for step in load():
        if step.status in (200, 201) and not _unpaged(step.body):
            found.setdefault(line_of(step.request["method"], step.request["path"]), []).append(step)
    return found


def _unpaged(body: Any) -> bool:
    results = cast("dict[str, Any]", body).get("results") if isinstance(body, dict) else None
    return isinstance(results, dict) and "data" in results and "pagination" not in results


async def asked(line: str, step: Step) -> Any:
    """Ask for what was recorded; what the client reads on the way is answered from the recordings too."""
    steps = recorded()

    def service(request: httpx2.Request) -> httpx2.Response:
        other = line_of(request.method, raw_path(request))
        return httpx2.Response(200, json=(step if other == line else steps[other][0]).body)

    with effects.under(RUN):
        return await ASKING[line](client_of(service))


@pytest.mark.parametrize("line", ASKING)
async def test_every_real_answer_is_read_whole(line: str) -> None:
    steps = recorded()[line]
    for step in steps:
        found = await asked(line, step)
        if isinstance(found, Page):
            assert len(cast("Page[Any]", found).items) == len(listed(step.body["results"])), step.id
        else:
            assert found, step.id


def listed(results: Any) -> list[Any]:
    """Return the items of an answer: a plain list, a page, or comments by tile."""
    if not isinstance(results, dict):
        return results
    parts = cast("dict[str, Any]", results)
    return parts["data"] if "data" in parts else [one for several in parts.values() for one in several]


async def test_no_field_of_a_real_answer_is_overlooked_for_its_spelling() -> None:
    seen: dict[str, set[str]] = {}
    filled: dict[str, set[str]] = {}

    def look(model: Any) -> None:
        if isinstance(model, list):
            for one in cast("list[Any]", model):
                look(one)
        elif isinstance(model, BaseModel):
            kind = type(model).__name__.partition("[")[0]
            seen.setdefault(kind, set()).update(type(model).model_fields)
            filled.setdefault(kind, set()).update(name for name, value in model if value is not None)
            for _, value in model:
                look(value)

    for line in ASKING:
        for step in recorded()[line]:
            look(await asked(line, step))
    never = {f"{kind}.{field}" for kind, fields in seen.items() for field in fields - filled[kind]}
    assert never == NEVER_FILLED


def test_no_endpoint_in_use_was_recorded_with_a_deprecation_header() -> None:
    assert [step.id for line in ASKING for step in recorded()[line] if "deprecation" in step.headers] == []
