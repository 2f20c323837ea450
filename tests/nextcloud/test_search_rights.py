"""Who was granted little finds little: no way of asking for nothing in particular gets at the rest."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client
from mcp.server.context import ServerRequestContext
from pydantic import SecretStr
from tests.nextcloud.sessions import CATALOGUE, Session, Watched, connected, serving

from aboveboard.kit.caller import Caller
from aboveboard.kit.policy import Policy
from aboveboard.kit.provider import OneClient
from aboveboard.kit.server import build_server
from aboveboard.kit.service import Catalogue
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.sandbox import Sandbox
from aboveboard.nextcloud.server import SERVICE
from aboveboard.nextcloud.tools.search.people import refresh
from aboveboard.search.settings import SearchSettings

pytestmark = pytest.mark.anyio
WORD = "porridge plan packing list"


class Granted(OneClient[NextcloudClient]):
    """One person, by whose grant a client may do only so much."""

    scopes: frozenset[str] | None = None

    def caller(self, context: ServerRequestContext[Any, Any]) -> Caller:
        return Caller(scopes=self.scopes)


class Sparing(Session):
    """A session whose rights can be changed."""

    granted: Granted

    def may(self, *scopes: str) -> None:
        self.granted.scopes = frozenset({"semantic.read", "semantic.write", *scopes})


@asynccontextmanager
async def indexed(service: Watched) -> AsyncGenerator[Sparing]:
    """Open a session of one whose index holds everything."""
    settings = SearchSettings()
    password = SecretStr(Sandbox.users["admin"])
    client = NextcloudClient("http://nextcloud", "admin", password, transport=service, search_settings=lambda: settings)
    provider = Granted(client)
    async with Client(build_server(CATALOGUE, provider)) as session:
        made = Sparing(session, service)
        made.granted = provider
        await made.ask("nc_webdav_write_file", path="odd/broken.pdf", content="this is no PDF", create_parents=True)
        assert (await made.ask("nc_update_search_index", seconds=120))["done"]
        yield made


async def test_a_list_of_no_sources_is_all_that_one_may_read_and_not_all_there_is(sandbox: Sandbox) -> None:
    async with indexed(serving(sandbox)) as session:
        session.may("notes.read")
        nothing: dict[str, list[str]] = {"sources": []}
        for given in ({}, nothing):
            answer = await session.ask("nc_semantic_search", query=WORD, mode="keyword", **given)
            assert {one["source"] for one in answer["items"]} == {"note"}
            note = answer["items"][0]["id"]
            near = await session.ask("nc_semantic_find_related", source="note", document_id=note, **given)
            assert {one["source"] for one in near["items"]} <= {"note"}
            done = await session.ask("nc_update_search_index", **given)
            assert [one["source"] for one in done["items"]] == ["note"]


async def test_one_who_was_granted_search_and_nothing_to_search_is_refused(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    async with indexed(service) as session:
        session.may()
        service.arrived.clear()
        for tool, given in (("nc_semantic_search", {"query": WORD}), ("nc_update_search_index", {})):
            assert "You were not granted to read anything that is searched" in await session.refusal(tool, **given)
        assert service.lines == []


async def test_the_status_tells_nothing_of_what_one_may_not_read(sandbox: Sandbox) -> None:
    async with indexed(serving(sandbox)) as session:
        files = (await session.ask("nc_get_vector_sync_status"))["items"]
        assert "broken.pdf" in str(files)
        session.may("notes.read")
        told = await session.ask("nc_get_vector_sync_status")
        assert [one["source"] for one in told["items"]] == ["note"]
        assert "broken.pdf" not in str(told)


async def test_nothing_is_fetched_for_one_whose_clients_may_read_nothing(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    async with indexed(service) as session:
        client: Any = session.granted._client  # pyright: ignore[reportPrivateUsage]
        service.arrived.clear()
        await refresh(client, Caller(scopes=frozenset({"semantic.read"})), 60)
        assert service.lines == []


async def test_tasks_are_an_area_of_their_own(sandbox: Sandbox) -> None:
    async with indexed(serving(sandbox)) as session:
        asked = {"query": "Buy brushes", "mode": "keyword"}
        assert "task" in {one["source"] for one in (await session.ask("nc_semantic_search", **asked))["items"]}
        session.may("calendar.read")
        assert "task" not in {one["source"] for one in (await session.ask("nc_semantic_search", **asked))["items"]}
        assert "You were not granted tasks.read" in await session.refusal(
            "nc_semantic_search", sources=["task"], **asked
        )


async def test_what_the_operator_excludes_is_not_found_by_naming_no_source(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox), catalogue=Catalogue(SERVICE, Policy(exclude=["files"]))) as admin:
        done = await admin.ask("nc_update_search_index", seconds=120, sources=[])
        assert "file" not in {one["source"] for one in done["items"]}
