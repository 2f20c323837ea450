"""What is in a folder: all of it, or a part of a large one."""

from dataclasses import dataclass
from typing import Final
from unicodedata import normalize

from aboveboard.errors import BadInput
from aboveboard.http import Path
from aboveboard.nextcloud.client.dav import Dav
from aboveboard.nextcloud.client.files.entries import PROPERTIES, Entry, entry, plain

AT_ONCE: Final = 1000
"""A folder of so many entries is read whole, and so can be sorted; of a larger one, only the part that is asked for."""


@dataclass(frozen=True)
class Part:
    """A part of a folder, and how many entries the whole has."""

    entries: list[Entry]
    total: int


class Listing:
    """The entries of one folder. The folder itself comes first in what Nextcloud answers, and counts there."""

    def __init__(self, dav: Dav, at: Path, folder: str) -> None:
        self._dav, self._at, self._folder = dav, at, plain(folder)

    async def all(self) -> list[Entry]:
        """Read everything, in Nextcloud's order."""
        return self._inside([entry(one) for one in await self._dav.propfind(self._at, *PROPERTIES, depth=1)])

    async def part(self, limit: int, offset: int) -> Part:
        """Read a part: folders first and by name, or in Nextcloud's order where that would take reading a large one."""
        if offset >= AT_ONCE and (far := await self._window(limit, offset)):
            return far
        found, total = await self._read(0, AT_ONCE + 1)
        inside = self._inside(found)
        if total is None or total <= AT_ONCE + 1:
            inside.sort(key=lambda one: (one.kind == "file", one.name.casefold(), one.name))
        elif offset + limit > AT_ONCE and (later := await self._window(limit, offset)):
            return later
        return Part(inside[offset : offset + limit], len(inside) if total is None else total - 1)

    async def _window(self, limit: int, offset: int) -> Part | None:
        """Read a part as Nextcloud cuts it, or None where it does not, or where the folder is not that large."""
        found, total = await self._read(offset + 1, limit)
        cut = total is not None and total > AT_ONCE + 1 and not any(map(self._is_folder, found))
        return Part(found, (total or 0) - 1) if cut else None

    async def _read(self, start: int, count: int) -> tuple[list[Entry], int | None]:
        found, total = await self._dav.propfind_part(self._at, *PROPERTIES, start=start, count=count)
        return [entry(one) for one in found], total

    def _inside(self, found: list[Entry]) -> list[Entry]:
        itself = next(filter(self._is_folder, found), None)
        if itself is not None and itself.kind == "file":
            raise BadInput(f"{self._folder!r} is a file, not a folder.", next_step="Read it, or list its folder.")
        return [one for one in found if one is not itself]

    def _is_folder(self, one: Entry) -> bool:
        # Nextcloud stores composed characters, however they are given.
        return normalize("NFC", one.path) == normalize("NFC", self._folder)
