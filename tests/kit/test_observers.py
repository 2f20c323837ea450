"""Observers: told of every call that ended, of whatever kind, and of every request that was sent for it."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import anyio
import httpx2
import mcp_types as mcp
import pytest
from mcp import Client
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from starlette.applications import Starlette
from tests.kit.shop import TOKEN, Shop, ShopClient, Thing, both_eras, call, doing, service, toolset
from tests.notebook import Notebook

from aboveboard.effects import READ, REPLACE
from aboveboard.errors import NotFound
from aboveboard.kit.audit_log import AuditLog
from aboveboard.kit.caller import Caller
from aboveboard.kit.policy import Policy
from aboveboard.kit.provider import OneClient
from aboveboard.kit.server import build_server
from aboveboard.kit.service import Catalogue
from aboveboard.kit.serving import web
from aboveboard.kit.start import serve
from aboveboard.kit.toolset import Toolset
from aboveboard.kit.watch import Watch
from aboveboard.observing import CallRecord, Observer, RequestRecord

pytestmark = pytest.mark.anyio

SECRET = "hunter2"


class Clumsy(Notebook):
    """An observer that fails at everything it is told."""

    def call_ended(self, record: CallRecord) -> None:
        raise ValueError(record.name)

    def request_sent(self, record: RequestRecord) -> None:
        raise ValueError(record.route)


def shelf() -> Toolset[ShopClient]:
    tools = toolset("shelf")

    async def names(shop: ShopClient, typed: str) -> Sequence[str]:
        return [(await shop.send("GET", typed or "1")).name]

    @tools.resource("shop://shelf/{place}", "Place", completers={"place": names})
    async def place(shop: ShopClient, place: str) -> Thing:
        """What stands there."""
        if place == "gone":
            raise NotFound("Nothing there.", status=404)
        if place == "broken":
            raise KeyError(place)
        return await shop.send("GET", place)

    @tools.prompt("Tidy Up")
    def tidy() -> str:
        """Put things in order."""
        return "Tidy up."

    assert all(map(callable, (place, tidy)))
    return tools


def watched(*observers: Observer, shop: Shop | None = None, tools: Toolset[ShopClient] | None = None) -> Server[None]:
    catalogue = Catalogue(service(tools or shelf()), Policy())
    return build_server(catalogue, OneClient(ShopClient(shop or Shop())), observers)


@both_eras
async def test_every_kind_of_call_is_told_with_who_asked_and_how_it_ended(mode: str) -> None:
    notebook = Notebook()
    template = mcp.ResourceTemplateReference(uri="shop://shelf/{place}")
    async with Client(watched(notebook), mode=mode) as client:
        await client.read_resource(f"shop://shelf/{SECRET}")
        for place in ("gone", "broken"):
            with pytest.raises(MCPError):
                await client.read_resource(f"shop://shelf/{place}")
        await client.complete(template, {"name": "place", "value": SECRET})
        await client.get_prompt("tidy")
        with pytest.raises(MCPError):
            await client.get_prompt("tidy", {"x": SECRET})
        assert notebook.closed == 0
    assert [(one.kind, one.name, list(one.arguments), one.outcome) for one in notebook.calls] == [
        ("resource", "shop://shelf/{place}", ["place"], "ok"),
        ("resource", "shop://shelf/{place}", ["place"], "failed: NotFound"),
        ("resource", "shop://shelf/{place}", ["place"], "bug"),
        ("completion", "shop://shelf/{place}", ["place"], "ok"),
        ("prompt", "tidy", [], "ok"),
        ("prompt", "tidy", ["x"], "bad-input"),
    ]
    assert {(one.effect, one.scope, one.subject, one.client) for one in notebook.calls} == {
        ("READ", "shelf.read", "local", "mcp")
    }
    assert SECRET not in repr(notebook.calls) + repr(notebook.requests)
    assert notebook.closed == 1


@both_eras
async def test_a_call_of_what_is_not_there_is_told_without_the_name_that_a_caller_made_up(mode: str) -> None:
    notebook = Notebook()
    nowhere = mcp.ResourceTemplateReference(uri=f"shop://{SECRET}/{{x}}")
    async with Client(watched(notebook), mode=mode) as client:
        for asked in (
            client.call_tool(SECRET, {SECRET: 1}),
            client.read_resource(f"shop://{SECRET}"),
            client.get_prompt(SECRET),
        ):
            with pytest.raises(MCPError):
                await asked
        await client.complete(nowhere, {"name": SECRET, "value": SECRET})
    kinds = ["tool", "resource", "prompt", "completion"]
    assert [(one.kind, one.name, one.outcome) for one in notebook.calls] == [
        (kind, "(unknown)", "failed: no such name") for kind in kinds
    ]
    assert {one.client for one in notebook.calls} == {"mcp"}
    assert SECRET not in repr(notebook.calls)


async def test_requests_to_the_service_are_told_with_every_attempt_and_no_value() -> None:
    answers = [httpx2.Response(503), httpx2.Response(200, json={"name": "Teapot"})]
    notebook, shop = Notebook(), Shop(lambda _: answers.pop(0))
    tools = doing(REPLACE, lambda client: client.send("PUT", SECRET))
    assert not (await call(watched(notebook, shop=shop, tools=tools))).is_error
    told = [(one.service, one.host, one.method, one.route, one.status, one.attempt) for one in notebook.requests]
    assert told == [
        ("The shop", "shop.test", "PUT", "/things/{thing}", 503, 1),
        ("The shop", "shop.test", "PUT", "/things/{thing}", 200, 2),
    ]
    assert all(one.seconds >= 0 for one in notebook.requests)
    assert TOKEN not in repr(notebook.requests)


async def test_a_request_that_got_no_answer_is_told_without_a_status() -> None:
    def nobody(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("no way", request=request)

    notebook = Notebook()
    await call(watched(notebook, shop=Shop(nobody), tools=doing(READ, lambda client: client.send("GET"))))
    assert {one.status for one in notebook.requests} == {None}
    assert [one.attempt for one in notebook.requests] == [*range(1, len(notebook.requests) + 1)]


async def test_requests_for_a_list_and_beside_the_calls_are_told_too() -> None:
    notebook, shop, done = Notebook(), Shop(), anyio.Event()
    client = ShopClient(shop)

    async def has(client: ShopClient, app: str) -> bool:
        return (await client.send("GET", app)).name == "Teapot"

    async def upkeep() -> None:
        await client.send("GET", "upkeep")
        done.set()

    radio = Toolset[ShopClient]("radio", title="Radio", app="radio")
    catalogue = Catalogue(replace(service(radio), has_app=has), Policy())
    async with Client(build_server(catalogue, OneClient(client), [notebook], upkeep)) as listing:
        await done.wait()
        await listing.list_tools()
    assert sorted(shop.lines) == ["GET /things/radio", "GET /things/upkeep"]
    assert (len(notebook.requests), notebook.calls) == (2, [])


async def test_the_request_that_tells_whether_the_service_is_ready_is_told_too(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook, client, apps = Notebook(), ShopClient(Shop()), list[Starlette]()

    def serve_web(app: Starlette, *_: object) -> None:
        apps.append(app)

    async def ready() -> None:
        await client.send("GET")

    monkeypatch.setattr(web, "serve_web", serve_web)
    serve(service(shelf()), lambda: client, web=web.WebSettings(), observers=[notebook], ready=ready)
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(apps[0]), base_url="http://127.0.0.1") as http:
        assert (await http.get("/readyz")).status_code == 200
    assert [(one.method, one.route) for one in notebook.requests] == [("GET", "/things/{thing}")]


async def test_two_calls_at_once_are_told_apart() -> None:
    notebook = Notebook()
    async with Client(watched(notebook)) as client, anyio.create_task_group() as tasks:
        for number in range(5):
            tasks.start_soon(client.read_resource, f"shop://shelf/{number}")
    assert (len(notebook.calls), len(notebook.requests)) == (5, 5)


async def test_what_is_sent_when_a_call_has_ended_is_told_to_nobody() -> None:
    notebook, client = Notebook(), ShopClient(Shop())
    with Watch([notebook]).over("tool", "shop_do_it", "things.read", Caller()):
        await client.send("GET")
    await client.send("GET")
    assert (len(notebook.calls), len(notebook.requests)) == (1, 1)


async def test_an_observer_that_fails_takes_neither_the_answer_nor_the_others_notes(
    caplog: pytest.LogCaptureFixture,
) -> None:
    notebook = Notebook()
    tools = doing(READ, lambda client: client.send("GET"))
    result = await call(watched(Clumsy(), notebook, tools=tools))
    assert result.structured_content == {"name": "Teapot"}
    assert (len(notebook.calls), len(notebook.requests)) == (1, 1)
    assert "An observer failed to take note of CallRecord" in caplog.text


async def test_the_audit_log_tells_of_resources_prompts_and_completions(tmp_path: Path) -> None:
    log = tmp_path / "audit.ndjson"
    async with Client(watched(AuditLog(str(log)))) as client:
        await client.read_resource("shop://shelf/1")
        await client.get_prompt("tidy")
        template = mcp.ResourceTemplateReference(uri="shop://shelf/{place}")
        await client.complete(template, {"name": "place", "value": ""})
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line.get(kind) for line, kind in zip(lines, ("resource", "prompt", "completion"), strict=True)] == [
        "shop://shelf/{place}",
        "tidy",
        "shop://shelf/{place}",
    ]
