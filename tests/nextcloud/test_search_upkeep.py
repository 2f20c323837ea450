"""A server of one person keeps the index fresh that is there: for a bounded time at the start, or over and over."""

import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from pydantic import SecretStr
from tests.kit.serving.processes import deadline, environment
from tests.nextcloud.sessions import CATALOGUE, Watched, serving
from tests.people.web import served, speaking

from aboveboard import effects
from aboveboard.effects import RUN
from aboveboard.errors import Failure
from aboveboard.kit.caller import Caller
from aboveboard.kit.policy import Policy
from aboveboard.kit.provider import OneClient
from aboveboard.kit.server import build_server
from aboveboard.kit.service import Catalogue
from aboveboard.kit.serving.web import WebSettings, web_app
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.sandbox import Sandbox
from aboveboard.nextcloud.server import SERVICE
from aboveboard.nextcloud.tools.search import people as searching
from aboveboard.nextcloud.tools.search.people import person_of, refresh
from aboveboard.nextcloud.tools.search.sources import AREAS
from aboveboard.search.settings import SearchSettings

pytestmark = pytest.mark.anyio


def client_of(index: Path, url: str = "http://nextcloud", transport: Watched | None = None) -> NextcloudClient:
    """Make a client whose index is in a folder, and that has no model."""
    settings = SearchSettings(index=str(index), models=index)
    password = SecretStr(Sandbox.users["admin"])
    return NextcloudClient(url, "admin", password, transport=transport, search_settings=lambda: settings)


async def found(client: Client, query: str) -> list[str]:
    answer: Any = (await client.call_tool("nc_semantic_search", {"query": query, "mode": "keyword"})).structured_content
    return [one["title"] for one in answer["items"]]


async def until(look: Callable[[], Awaitable[list[str]]]) -> list[str]:
    """Look again and again until there is something to see."""
    with anyio.fail_after(deadline()):
        while not (seen := await look()):  # noqa: ASYNC110 (it looks through the protocol)
            await anyio.sleep(0.05)
    return seen


@asynccontextmanager
async def staying(client: NextcloudClient, **more: Any) -> AsyncGenerator[Client]:
    """Serve one person over HTTP, and open a session."""
    assert SERVICE.upkeep is not None
    upkeep = replace(SERVICE.upkeep, is_wanted=lambda: True, first=0.01, **more)
    server = build_server(CATALOGUE, OneClient(client), (), partial(upkeep.alone, client, stays=True))

    async def ready() -> None: ...

    async with served(lambda _: web_app(server, WebSettings(), ready)) as url, speaking(url) as session:
        yield session


async def test_a_server_over_http_finds_what_is_new_without_being_asked_to_look(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "QUIET", 0.0)
    async with staying(client_of(tmp_path, transport=serving(sandbox)), every=0.1) as session:
        assert await found(session, "porridge") == []  # from now on there is an index, which is empty
        assert await until(lambda: found(session, "porridge")) == ["Porridge"]
        given = {"title": "Okapi", "content": "An okapi hides.", "category": ""}
        await session.call_tool("nc_notes_create_note", given)
        assert await until(lambda: found(session, "okapi")) == ["Okapi"]


async def test_a_look_that_fails_is_not_the_last_one(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(searching, "QUIET", 0.0)
    tries: list[float] = []

    async def look(client: NextcloudClient, caller: Caller, seconds: float) -> None:
        tries.append(seconds)
        if len(tries) < 3:
            raise ZeroDivisionError if len(tries) == 1 else Failure("The index cannot be kept.")
        await refresh(client, caller, seconds)

    async with staying(client_of(tmp_path, transport=serving(sandbox)), every=0.05, look=look, budget=9) as session:
        await found(session, "porridge")
        assert await until(lambda: found(session, "porridge")) == ["Porridge"]
    assert set(tries) == {9}
    assert "A defect beside the calls" in caplog.text
    assert "The index cannot be kept." in caplog.text


async def test_a_look_makes_no_index_that_nobody_asked_for_and_leaves_one_alone_that_another_looked_at(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    service = serving(sandbox)
    client, other = client_of(tmp_path / "index", transport=service), client_of(tmp_path / "index", transport=service)
    await refresh(client, Caller(), 60)
    assert not (tmp_path / "index").exists()
    await (await person_of(client)).update(["note"])
    await refresh(client, Caller(), 60)
    status = await (await person_of(client)).status()
    assert {state.name for state in status.states} == set(AREAS)
    assert status.is_complete
    service.arrived.clear()
    await refresh(other, Caller(), 60)
    assert not any("/notes" in line for line in service.lines)
    for one in (client, other):
        await one.aclose()


async def test_a_look_keeps_to_its_time_and_the_next_goes_on(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "QUIET", 0.0)
    client = client_of(tmp_path, transport=serving(sandbox))
    person = await person_of(client)
    await person.status()
    await refresh(client, Caller(), 0)
    assert [state.documents for state in (await person.status()).states] == [0] * len(AREAS)
    assert not (await person.status()).is_complete
    await refresh(client, Caller(), 60)
    assert (await person.status()).is_complete
    await client.aclose()


@pytest.mark.parametrize("policy", [Policy(exclude=("semantic",)), Policy(dry_run=True)])
def test_a_server_without_the_tools_of_search_or_that_only_rehearses_has_no_upkeep(policy: Policy) -> None:
    assert Catalogue(SERVICE, Policy()).upkeep is not None
    assert Catalogue(SERVICE, policy).upkeep is None


async def test_what_the_operator_excludes_is_not_fetched_beside_calls_either(sandbox: Sandbox, tmp_path: Path) -> None:
    service = serving(sandbox)
    client = client_of(tmp_path, transport=service)
    person = await person_of(client)
    await person.status()
    upkeep = Catalogue(SERVICE, Policy(exclude=["files", "tasks"])).upkeep
    assert upkeep is not None
    await upkeep.look(client, Caller(), 60)
    assert {state.name for state in (await person.status()).states} == set(AREAS) - {"file", "task"}
    assert not any("/dav/files/" in line for line in service.lines)
    await client.aclose()


async def test_a_stdio_server_brings_its_index_up_to_date_at_the_start_by_itself(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    """As a process, started as clients start it."""
    async with served(lambda _: sandbox.app) as url:
        client = client_of(tmp_path, url)
        await (await person_of(client)).update()
        with effects.under(RUN):
            await client.notes.create("Axolotl", "An axolotl smiles.")
        given = {
            "NEXTCLOUD_HOST": url,
            "NEXTCLOUD_USERNAME": "admin",
            "NEXTCLOUD_PASSWORD": Sandbox.users["admin"],
            "ABOVEBOARD_SEARCH_INDEX": str(tmp_path),
            "ABOVEBOARD_MODELS": str(tmp_path),
        }
        command = StdioServerParameters(
            command=sys.executable, args=["-m", "aboveboard", "serve", "nextcloud"], env=environment(given)
        )
        async with Client(command) as session:
            assert await until(lambda: found(session, "axolotl")) == ["Axolotl"]
        await client.aclose()
