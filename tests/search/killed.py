"""A run that is killed: `python killed.py PLACE DOCUMENTS HOW`: after HOW documents, `within` one, at `statement-N`.

It indexes documents from a source of its own and kills itself (SIGKILL) as it is told, with nothing tidied up.
"""

import os
import signal
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import anyio

from aboveboard.search.chunks import Chunk
from aboveboard.search.entries import Entry, Known, Passage
from aboveboard.search.settings import SearchSettings
from aboveboard.search.source import Listing
from aboveboard.search.syncing import Report, Sync

PERSON = "somebody"


class Numbers:
    """Documents that say their number."""

    name = "number"

    def __init__(self, count: int) -> None:
        self.count = count
        self.fetched: list[str] = []

    async def listing(self, mark: str | None, known: Mapping[str, Known]) -> Listing:
        entries = [Entry(key=str(at), etag="1", title=f"Document {at}") for at in range(self.count)]
        return Listing(entries=entries, present={one.key for one in entries}, mark="all")

    async def text(self, entry: Entry) -> str:
        self.fetched.append(entry.key)
        return f"# One\n\nNumber {entry.key}.\n\n# Two\n\nStill number {entry.key}.\n"

    async def visible(self, keys: Collection[str]) -> Collection[str]:
        return keys

    async def rest(self) -> None: ...

    async def link(self, entry: Entry) -> str:
        return entry.key


class Deadly(Sequence[str]):
    """Words that kill whoever reads them."""

    def __len__(self) -> int:
        return 1

    def __getitem__(self, at: object) -> str:  # type: ignore[override]
        raise IndexError

    def __iter__(self) -> Iterator[str]:
        os.kill(os.getpid(), signal.SIGKILL)
        yield ""


def main(place: str, count: int, how: str) -> None:
    """Index, and end as told."""
    index: Any = SearchSettings(index=place).open_store().open(PERSON, "test")
    if how.startswith("statement-"):
        left = int(how.removeprefix("statement-"))

        def counted(_: str) -> None:
            nonlocal left
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)

        index._db.set_trace_callback(counted)

    async def progress(report: Report) -> None:
        if how.isdecimal() and report.indexed == int(how):
            os.kill(os.getpid(), signal.SIGKILL)
        if how == "within" and report.indexed == 3:
            entry = Entry(key="0", etag="2", title="Half of it")
            passages = [Passage(Chunk(0, 4), ["half"]), Passage(Chunk(4, 8), Deadly())]
            index.write("number", entry, "half written", passages)

    anyio.run(lambda: Sync(index, None).run([Numbers(count)], progress=progress))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
