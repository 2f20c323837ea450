"""`aboveboard seed lightdash`: another Lightdash has what our sandbox has, and the plan's values are found there."""

import json
import re
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final

import anyio
import httpx2
import pytest
from tests.lightdash.contract import CONTRACT
from tests.plans import plan_of

from aboveboard.errors import BadInput
from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.sandbox.engine.shop import PARAMETERS
from aboveboard.lightdash.sandbox.warehouse.data import COLUMNS
from aboveboard.lightdash.seed import fill_lightdash
from aboveboard.lightdash.seed.filling import KINDS
from aboveboard.lightdash.seed.instance import Instance, SeedError

WAREHOUSE: Final = {"host": "db", "port": "5432", "user": "reader", "password": "secret", "database": "shop"}
TOKEN: Final = {"LIGHTDASH_API_KEY": Sandbox.token}
COPIED: Final = {"spaceName", "spaceSlug", "metricQuery", "chartConfig", "tiles", "tabs", "filters", "sql", "access"}


@pytest.fixture
def lightdash() -> Iterator[Sandbox]:
    sandbox = Sandbox()
    yield sandbox
    sandbox.close()


class WithoutExplores(httpx2.AsyncBaseTransport):
    """A service whose new projects have no explores and parameters before somebody sends them."""

    def __init__(self, service: httpx2.AsyncBaseTransport) -> None:
        self._service = service
        self.sent: dict[str, Any] = {}

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        kind = request.url.path.rpartition("/")[2]
        if kind not in ("explores", "parameters"):
            return await self._service.handle_async_request(request)
        if request.method == "PUT":
            self.sent[request.url.path] = json.loads(await request.aread())
            return httpx2.Response(200, json={"status": "ok"})
        known = self.sent.get(request.url.path, [] if kind == "explores" else {})
        return httpx2.Response(200, json={"status": "ok", "results": known})


def fill(service: httpx2.AsyncBaseTransport, **seed: str) -> tuple[list[str], dict[str, str]]:
    held = CONTRACT.held(service, made_up=lambda _: True)  # what is sent; of SQL charts as code the document lies
    return fill_lightdash("http://lightdash", TOKEN, WAREHOUSE | seed, plan_of("lightdash").values, held)


def asking(sandbox: Sandbox, ask: Callable[[Instance], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        async with Instance("http://lightdash", sandbox.token, httpx2.ASGITransport(sandbox.app)) as instance:
            return await ask(instance)

    return anyio.run(run)


async def empty(instance: Instance) -> None:
    for project in reversed(await instance.get("/api/v1/org/projects")):
        await instance.send("DELETE", f"/api/v1/org/projects/{project['projectUuid']}", None)
    for group in (await instance.get("/api/v1/org/groups"))["data"]:
        await instance.send("DELETE", f"/api/v1/groups/{group['uuid']}", None)
    for person in (await instance.get("/api/v1/org/users"))["data"][1:]:
        await instance.send("DELETE", f"/api/v1/org/user/{person['userUuid']}", None)


async def contents(instance: Instance) -> dict[str, Any]:
    """Return what every project holds, by its name and slugs."""
    found: dict[str, Any] = {}
    for project in await instance.get("/api/v1/org/projects"):
        for kind in KINDS:
            for one in await instance.documents(project["projectUuid"], kind):
                kept = {name: value for name, value in one.items() if name in COPIED}
                found[f"{project['name']}/{kind}/{one['slug']}"] = kept
    return found


def test_where_all_of_it_is_there_nothing_is_made_and_the_ids_are_those_of_the_plan(lightdash: Sandbox) -> None:
    before = lightdash.dump()
    made, ids = fill(httpx2.ASGITransport(lightdash.app))
    assert made == []
    assert lightdash.dump() == before
    values = plan_of("lightdash").values
    assert ids == {name: values[name] for name in ids}
    chosen = {name for name in values if name.endswith(("_tab", "_tile"))}  # by whoever writes the dashboard
    elsewhere = {"stranger", "nothing", "prompts", *chosen}
    assert ids.keys() == values.keys() - elsewhere


def test_an_empty_lightdash_is_filled_once_with_all_that_the_sandbox_has(lightdash: Sandbox) -> None:
    wanted = asking(lightdash, contents)
    asking(lightdash, empty)
    service = WithoutExplores(httpx2.ASGITransport(lightdash.app))
    made, ids = fill(service)
    assert {"the invitation of dana@corner-shop.example", "the group Everybody", "the project Corner Shop"} <= {*made}
    filled = asking(lightdash, contents)
    assert {name: filled.get(name) for name in wanted} == wanted
    assert fill(service) == ([], ids)
    assert ids.keys() == fill(httpx2.ASGITransport(Sandbox().app))[1].keys()
    assert not set(ids.values()) & set(map(str, plan_of("lightdash").values.values()))


def test_the_explores_that_are_sent_read_no_table_and_have_the_columns_of_the_sandboxs(lightdash: Sandbox) -> None:
    asking(lightdash, empty)
    service = WithoutExplores(httpx2.ASGITransport(lightdash.app))
    fill(service)
    explores = [one for path, sent in service.sent.items() if path.endswith("explores") for one in sent]
    assert {one["name"] for one in explores} == COLUMNS.keys()
    for name, table in (item for one in explores for item in one["tables"].items()):
        assert re.findall(r"\bfrom (\w+)", table["sqlTable"]) == ["generate_series"]
        assert re.findall(r"\bas (\w+)(?:,|\n)", table["sqlTable"]) == [*COLUMNS[name]], name
    assert [sent.keys() for path, sent in service.sent.items() if path.endswith("parameters")] == [
        PARAMETERS.keys()
    ] * 2


def test_what_is_missing_or_refused_is_said_in_a_sentence(lightdash: Sandbox) -> None:
    service = httpx2.ASGITransport(lightdash.app)
    with pytest.raises(BadInput, match="The seed needs host, password of a PostgreSQL that the Lightdash reaches"):
        fill_lightdash("http://lightdash", TOKEN, {"port": "1", "user": "x", "database": "x"}, {}, service)
    with pytest.raises(BadInput, match=r"seed\.port of the backend file must be a number, not 'five'"):
        fill(service, port="five")
    with pytest.raises(BadInput, match="The seed needs LIGHTDASH_API_KEY"):
        fill_lightdash("http://lightdash", {}, WAREHOUSE, {}, service)
    wrong = {"LIGHTDASH_API_KEY": "ldpat_wrong"}
    with pytest.raises(SeedError, match="Lightdash answered GET /api/v1/user with HTTP status 401: Failed to auth"):
        fill_lightdash("http://lightdash", wrong, WAREHOUSE, {}, service)
