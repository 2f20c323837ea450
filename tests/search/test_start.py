"""Whoever does not search does not pay for it."""

import subprocess
import sys

LOOK = """
import sys
import aboveboard.nextcloud.server
print(sorted(name for name in sys.modules if name.startswith(("aboveboard.search.", "numpy", "onnxruntime"))))
"""


def test_a_start_loads_nothing_of_search_but_where_an_index_would_be() -> None:
    ended = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, check=True)
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
