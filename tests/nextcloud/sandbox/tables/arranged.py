"""What is there when the recorded scenarios of Tables begin, and what happens between their steps unrecorded.

The ids of the recording are ours here: they count from the beginning, and everything else follows.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from tests.nextcloud.sandbox.replay import Replay

Arrange = Callable[[Replay], Awaitable[None]]

_API: Final = "/index.php/apps/tables/api/1"
_KINDS: Final = ("shares", "favorites", "greeted", "cells", "rows", "views", "columns", "tables")


async def _first_day(replay: Replay) -> None:
    """Take away all tables, as on a server that nobody used."""
    store = replay.sandbox._state  # pyright: ignore[reportPrivateUsage] - no request can do that
    for kind in _KINDS:
        store.run(f"DELETE FROM data_{kind}")  # noqa: S608 - names are ours
        store.run("DELETE FROM sqlite_sequence WHERE name = ?", f"data_{kind}")


async def _both_greeted(replay: Replay) -> None:
    await _first_day(replay)
    for person in (replay.admin, replay.bob):
        await person.send("GET", f"{_API}/tables")


def _rows(table: int, column: int, numbers: range, other: int | None = None) -> Arrange:
    async def arrange(replay: Replay) -> None:
        for number in numbers:
            cells: dict[str, object] = {str(column): f"r{number:02d}"}
            if other is not None:
                cells[str(other)] = number
            await replay.admin.post(f"{_API}/tables/{table}/rows", {"data": cells})

    return arrange


async def _without_mandatory(replay: Replay) -> None:
    await replay.admin.send("DELETE", f"{_API}/columns/22")


async def _files(replay: Replay) -> None:
    await replay.admin.put("rec-import.csv", "Name,Fresh one,Fresh two\nfirst,1,2\nsecond,3,4\n")
    await replay.admin.put("rec-import.txt", "no table at all")


SCENARIOS: Mapping[str, Arrange] = {"tables:tables-crud": _first_day, "objects/tables:table": _both_greeted}
STEPS: Mapping[str, Arrange] = {
    "tables:rows/42-list-many": _rows(2, 15, range(30)),
    "tables:views-shares-import/26-import": _files,
    "objects/tables:rows/01-create-full-v1": _without_mandatory,
    "objects/tables:rows/19-page-limit10": _rows(3, 9, range(1, 25), 12),
}
