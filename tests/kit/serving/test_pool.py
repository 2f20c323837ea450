"""One pool of connections for a whole server: opened by the first call, kept by the next ones, closed at the end."""

import time

import pytest
from mcp import Client
from tests.kit.serving.exchange import fetch, modern_call
from tests.kit.serving.processes import SERVE, answers, call, eventually, greet, request, serving, started
from tests.kit.serving.upstream import counted_sandbox, in_thread, settings_for

from aboveboard.kit.policy import Policy
from aboveboard.kit.provider import OneClient
from aboveboard.kit.server import build_server
from aboveboard.kit.service import Catalogue
from aboveboard.kit.serving.web import WebSettings, web_app
from aboveboard.lightdash.server import SERVICE, connect, ready

LIST = "lightdash_tools__list_projects"
CALLS = 50


@pytest.mark.anyio
async def test_fifty_calls_of_two_clients_share_one_connection_that_the_first_of_them_opens() -> None:
    with counted_sandbox() as (lightdash, counted), serving(settings=settings_for(lightdash.url)) as web:
        async with Client(web.mcp, mode="legacy") as older, Client(web.mcp) as newer:
            assert (await older.list_tools()).tools == (await newer.list_tools()).tools
            assert (counted.paths, lightdash.open_connections) == ([], 0)
            rested = 0
            for _ in range(CALLS // 2):
                for client in (older, newer):
                    begun = time.monotonic()
                    assert not (await client.call_tool(LIST)).is_error
                    rested += time.monotonic() - begun > 3  # a busy machine may let one rest until it is dropped
        assert len(counted.paths) == CALLS
        assert len(counted.connections) <= 1 + rested


def test_a_hundred_calls_at_once_over_stdio_stay_within_the_pool() -> None:
    with counted_sandbox(takes=0.3) as (lightdash, counted), started(SERVE, settings_for(lightdash.url)) as process:
        greet(process)
        process.send(request(1, "tools/list"))
        process.wire.wait_for_lines(2)
        assert (counted.paths, lightdash.open_connections) == ([], 0)
        process.send(*(call(number, LIST) for number in range(2, 102)))
        process.wire.wait_for_lines(102)
        process.close_stdin()
        process.assert_clean_end()
        assert not any(answer["result"].get("isError") for answer in answers(process).values())
        assert len(counted.paths) == 100
        assert counted.most_at_once <= 32  # idle ones beyond sixteen are closed, so there may be more in all


def test_the_pool_is_closed_when_the_server_ends_and_not_only_when_its_process_does() -> None:
    with counted_sandbox() as (lightdash, counted):
        client = connect(settings_for(lightdash.url))
        server = build_server(Catalogue(SERVICE, Policy()), OneClient(client))
        app = web_app(server, WebSettings(), lambda: ready(settings_for(lightdash.url)))
        with in_thread(app) as running:
            assert modern_call(f"{running.url}/mcp", LIST).status_code == 200
            assert fetch("GET", f"{running.url}/readyz").status_code == 200
            # Whoever asked whether it is ready leaves nothing open.
            eventually(lambda: lightdash.open_connections == 1, "the connection of the question to close")
            assert len(counted.connections) == 2
        eventually(lambda: lightdash.open_connections == 0, "the pool to close")
