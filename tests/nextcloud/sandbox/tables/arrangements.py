"""What is there when a recorded scenario of Tables begins: what the scenarios before it left, under the same ids."""

from collections.abc import Awaitable, Callable, Mapping

from tests.nextcloud.sandbox.recordings import steps_of
from tests.nextcloud.sandbox.replay import Replay

Arrange = Callable[[Replay], Awaitable[None]]

_API = "/index.php/apps/tables/api/1"
_KINDS = ("shares", "favorites", "greeted", "cells", "rows", "views", "columns", "tables")


def _empty(replay: Replay) -> None:
    """Take away all tables, so that ids count from 1 again, as on a fresh server."""
    store = replay.sandbox._store  # pyright: ignore[reportPrivateUsage] - no route starts the counting anew
    for kind in _KINDS:
        store.run(f"DELETE FROM data_{kind}")  # noqa: S608 - names are ours
        store.run("DELETE FROM sqlite_sequence WHERE name = ?", f"data_{kind}")


async def _first(replay: Replay) -> None:
    _empty(replay)


async def _both_greeted(replay: Replay) -> None:
    _empty(replay)
    for person in (replay.admin, replay.bob):
        await person.send("GET", f"{_API}/tables")


def after(begin: Arrange, area: str, *scenarios: str) -> Arrange:
    """The state that some scenarios leave."""

    async def arrange(replay: Replay) -> None:
        await begin(replay)
        for scenario in scenarios:
            for step in steps_of(area, scenario):
                if step.id in STEPS:
                    await STEPS[step.id](replay)
                await replay.ask(step)

    return arrange


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


_ALL = ("tables-crud", "columns", "rows", "views-shares-import")
_OBJECTS = ("table", "columns", "rows", "view")

SCENARIOS: Mapping[str, Arrange] = {
    **{f"tables:{name}": after(_first, "tables", *_ALL[:place]) for place, name in enumerate(_ALL)},
    **{
        f"objects/tables:{name}": after(_both_greeted, "objects/tables", *_OBJECTS[:place])
        for place, name in enumerate((*_OBJECTS, "context-and-share"))
    },
}
STEPS: Mapping[str, Arrange] = {
    "tables:rows/42-list-many": _rows(2, 15, range(30)),
    "tables:views-shares-import/26-import": _files,
    "objects/tables:rows/01-create-full-v1": _without_mandatory,
    "objects/tables:rows/19-page-limit10": _rows(3, 9, range(1, 25), 12),
}


async def all_recorded(replay: Replay) -> None:
    """What the whole recording of Tables left behind."""
    await after(_first, "tables", *_ALL)(replay)
