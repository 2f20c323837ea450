"""Whoever does not search does not pay for it."""

import os
import subprocess
import sys
from pathlib import Path

LOOK = """
import sys
from dataclasses import replace
from functools import partial
import anyio
from mcp import Client
from aboveboard.kit.policy import Policy
from aboveboard.kit.provider import OneClient
from aboveboard.kit.server import build_server
from aboveboard.kit.service import Catalogue
from aboveboard.nextcloud.sandbox import Sandbox
from aboveboard.nextcloud.server import SERVICE, connect

given = {"NEXTCLOUD_HOST": "http://nextcloud", "NEXTCLOUD_USERNAME": "admin"}
client = connect({**given, "NEXTCLOUD_PASSWORD": Sandbox.users["admin"]}, Sandbox().app)
work = partial(replace(SERVICE.upkeep, first=0, every=0.001).alone, client, stays=True)

async def main():
    async with Client(build_server(Catalogue(SERVICE, Policy()), OneClient(client), (), work)) as session:
        await session.list_tools()
        await session.call_tool("nc_notes_list_notes", {})

anyio.run(main)
print(sorted(name for name in sys.modules if name.startswith(("aboveboard.search.", "numpy", "onnxruntime"))))
"""


def test_a_server_without_an_index_lists_and_calls_tools_and_loads_nothing_of_search(tmp_path: Path) -> None:
    place = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    ended = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, check=True, env=place)
    assert ended.stdout.strip() == "['aboveboard.search.places']"


def test_keyword_search_works_where_nothing_of_the_extra_is_installed() -> None:
    """With numpy and the runtime blocked, as in a base installation."""
    code = """
import sys
for name in ("numpy", "onnxruntime", "onnxruntime_extensions", "psycopg"):
    sys.modules[name] = None
from aboveboard.search.chunks import Chunk
from aboveboard.search.entries import Entry, Passage, Where
from aboveboard.search.ranking import search
from aboveboard.search.settings import SearchSettings
from aboveboard.search.words import words
index = SearchSettings().open_store().open("me", "words")
passages = [Passage(Chunk(0, 11), words("An oak door"))]
index.write("note", Entry(key="1", etag="1", title="Door"), "An oak door", passages)
print([hit.at.entry.title for hit in search(index, "oak", None, Where(), 5)])
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "['Door']"
