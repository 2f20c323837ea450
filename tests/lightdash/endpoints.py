"""Which endpoints the client uses, and what is known of them."""

import inspect
import json
from collections.abc import Callable
from functools import cached_property
from typing import Any, Final

import httpx2
import pytest
from tests.lightdash import places
from tests.lightdash.analyst import analyst
from tests.lightdash.contract import OPENAPI
from tests.lightdash.sessions import Watched, client_of, connected, raw_path
from tests.lightdash.templates import plain, template_of
from tests.shared import absence

from aboveboard.effects import REPLACE, under
from aboveboard.lightdash.client import LightdashClient

# Old routes of Lightdash that its API document leaves out; the recordings hold their answers.
UNDOCUMENTED: Final = {
    ("GET", "/api/v1/health"),
    ("GET", "/api/v1/saved/{}"),
    ("GET", "/api/v1/dashboards/{}"),
    ("GET", "/api/v1/jobs/{}"),
    ("PATCH", "/api/v1/saved/{}"),
    ("POST", "/api/v1/saved/{}/version"),
    ("POST", "/api/v1/projects/{}/saved"),
    ("PATCH", "/api/v1/saved/{}/pinning"),
    ("PATCH", "/api/v1/dashboards/{}/pinning"),
}
SIGN_IN: Final = frozenset(
    ("/api/v1/oauth", *(f"/api/v1/oauth/{end}" for end in ("authorize", "register", "revoke", "token", "userinfo")))
)
"""What people sign in with, which is no tool's: tests/people holds it to the recordings."""
Pair = tuple[str, str]
SLOW: Final[dict[str, Any]] = {
    **{"exploreName": "slow_orders", "dimensions": ["orders_status"], "metrics": [], "filters": {}, "sorts": []},
    **{"limit": 5, "tableCalculations": []},
}


def noting_calls(patch: pytest.MonkeyPatch) -> tuple[set[str], set[str]]:
    """Return the names of all public methods of the client's resources, and of those that were called until now."""
    every: set[str] = set()
    called: set[str] = set()

    def noted(name: str, function: Callable[..., object]) -> Callable[..., object]:
        def note(*args: object, **kwargs: object) -> object:
            called.add(name)
            return function(*args, **kwargs)

        every.add(name)
        return note

    lightdash = client_of(lambda request: httpx2.Response(500))
    for attribute, value in vars(LightdashClient).items():
        if isinstance(value, cached_property):
            resource: object = getattr(lightdash, attribute)
            kind = type(resource)
            for name, function in list(vars(kind).items()):
                if inspect.isfunction(function) and not name.startswith("_"):
                    patch.setattr(kind, name, noted(f"{attribute}.{name}", function))
    return every, called


def assert_plain(request: httpx2.Request) -> None:
    """See that a body is a JSON object or none: Lightdash answers 500 to others, and reads text as nothing at all."""
    assert "if-none-match" not in request.headers  # it would answer 304, without a body
    if request.content:
        assert request.method != "GET"
        assert request.headers["content-type"] == "application/json"
        assert isinstance(json.loads(request.content), dict), request.url


async def exercise_the_rest(service: Watched) -> None:
    """Send what no case of the plan sends."""
    async with connected(service) as session:
        await session.ask("get_chart", chart=places.MAIN_CHART)
        await session.ask("get_dashboard", dashboard=places.MAIN_DASHBOARD)
        board = {"dashboard": "weekly-review", "project_uuid": places.MAIN}
        await session.ask("add_dashboard_tile", chart=places.SQL_CHART_SLUG, **board)
        await session.ask("run_dashboard", **board)
        query = await session.ask("run_chart", chart=places.MAIN_CHART, project_uuid=places.MAIN)
        which = {"query_uuid": query["query_uuid"], "project_uuid": places.MAIN}
        await session.client.read_resource((await session.ask("export_query", **which))["resource"])
    async with analyst(service, person="editor") as session:  # one who is shown schedulers of their own alone
        await session.refusal("get_scheduler", scheduler_uuid="Monday numbers")
    lightdash = client_of(service)
    await lightdash.instance.health()
    await lightdash.instance.me()
    with under(REPLACE):  # a query that still runs, which no tool leaves behind
        running = await lightdash.queries.run_metrics(places.MAIN, SLOW)
        await lightdash.queries.cancel(places.MAIN, running.query_uuid)


def assert_known(arrived: list[httpx2.Request]) -> None:
    """See that every endpoint is in Lightdash's published API and not deprecated there, or is known to live."""
    if not OPENAPI.is_file():
        pytest.skip(absence(OPENAPI))
    document: dict[str, Any] = json.loads(OPENAPI.read_text())
    published: dict[Pair, bool] = {
        (method.upper(), plain(path)): bool(operation.get("deprecated"))
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    }
    used = {(request.method, plain(template_of(raw_path(request)) or "")) for request in arrived}
    assert {pair for pair in used if published.get(pair)} == set(), "deprecated"
    assert used - published.keys() == UNDOCUMENTED
    # The document does know deprecated ones, so the check above can fail.
    assert published["GET", "/api/v1/org/users/{}"]
