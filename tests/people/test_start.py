"""What a server of one person costs is not changed by what many need, and what many need goes with them."""

import gc
import os
import subprocess
import sys
import weakref
from pathlib import Path

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from pydantic import SecretStr

from aboveboard.kit.people.settings import EXTRA, PeopleSettings
from aboveboard.kit.people.sign_in_mode import SignInMode
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.sandbox import Sandbox
from aboveboard.nextcloud.tools.search.people import person_of
from aboveboard.search.settings import SearchSettings

pytestmark = pytest.mark.anyio

HEAVY = ("sqlalchemy", "alembic", "cryptography", "limits", "redis", "psycopg", "aboveboard.kit.people.serving")
LOADED = (
    "import sys, aboveboard.cli.serve, aboveboard.nextcloud.server, aboveboard.lightdash.server,"
    " aboveboard.kit.serving.stdio, aboveboard.kit.serving.web; print('\\n'.join(sys.modules))"
)


def test_a_server_of_one_person_loads_nothing_that_many_need() -> None:
    told = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True).stdout.split()
    # The SDK itself loads cryptography where it is there.
    assert [name for name in HEAVY if name in told and name != "cryptography"] == []


async def test_a_server_of_one_person_loads_nothing_of_it_while_it_serves(tmp_path: Path) -> None:
    serve = ["-X", "importtime", "-m", "aboveboard", "serve", "nextcloud", "--sandbox"]
    with (tmp_path / "imports").open("w+") as imports:
        server = StdioServerParameters(command=sys.executable, args=serve)
        async with Client(stdio_client(server, errlog=imports)) as client:
            assert len((await client.list_tools()).tools) > 100
            assert not (await client.call_tool("nc_notes_list_notes", {})).is_error
        imports.seek(0)
        loaded = {line.rpartition("|")[2].strip() for line in imports}
    assert "aboveboard.kit.start" in loaded
    assert loaded & set(HEAVY) - {"cryptography"} == set()


WITHOUT = "import sys; sys.modules['sqlalchemy'] = None; from aboveboard.cli import main; main()"


@pytest.mark.parametrize(
    "words",
    [
        "demo people",
        "people list nextcloud",
        "serve nextcloud --transport streamable-http --sign-in connect --public-url https://mcp.example.org",
    ],
)
def test_where_the_extra_is_missing_that_is_all_that_is_said(words: str) -> None:
    command = [sys.executable, "-c", WITHOUT, *words.split()]
    given = {**os.environ, "NEXTCLOUD_HOST": "https://cloud.example.org"}
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=given)
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", f"aboveboard: {EXTRA}\n")


async def test_a_client_that_is_dropped_takes_with_it_what_searches_remembered_of_its_person() -> None:
    sandbox = Sandbox()
    client = NextcloudClient(
        "http://nextcloud", "bob", SecretStr(Sandbox.users["bob"]), transport=httpx2.ASGITransport(sandbox.app)
    )
    client.search_settings = SearchSettings
    assert await person_of(client) is await person_of(client)
    gone = weakref.ref(client)
    await client.aclose()
    del client
    gc.collect()
    assert gone() is None
    sandbox.close()


@pytest.mark.parametrize(
    ("given", "origin"),
    [
        ("https://MCP.Example.org/", "https://mcp.example.org"),
        ("https://mcp.example.org:443", "https://mcp.example.org"),
        ("https://mcp.example.org:8443", "https://mcp.example.org:8443"),
        ("http://localhost:80", "http://localhost"),
        ("http://[::1]:3100/", "http://[::1]:3100"),
        ("", ""),
    ],
)
def test_the_public_address_is_what_browsers_name_in_forms(given: str, origin: str) -> None:
    settings = PeopleSettings(mode=SignInMode.CONNECT, public_url=given)
    assert (settings.origin, settings.host) == (origin, origin.partition("//")[2])
