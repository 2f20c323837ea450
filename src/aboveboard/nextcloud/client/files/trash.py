"""The trash bin: what was deleted, and how it comes back or goes for good."""

import builtins
import re
from datetime import UTC, datetime
from typing import Final

from aboveboard.errors import ApiError, BadInput, Failure, NotFound
from aboveboard.http import Nature, Response
from aboveboard.nextcloud.client.dav import Dav, without_folder
from aboveboard.nextcloud.client.files.entries import plain
from aboveboard.nextcloud.client.files.search import Search
from aboveboard.nextcloud.client.missing import AppMissing
from aboveboard.nextcloud.client.model import Model, unix_date
from aboveboard.nextcloud.client.xml import Resource

_PROPERTIES = (
    "nc:trashbin-filename",
    "nc:trashbin-original-location",
    "nc:trashbin-deletion-time",
    "oc:size",
    "d:getcontentlength",
    "d:resourcetype",
    "oc:fileid",
)
DELETED_AT: Final = re.compile(r"\.d\d+$")
"""How a key ends."""
MOST_TOLD: Final = 10
"""Entries that are told where one name fits several."""
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class Trashed(Model):
    """A deleted file or folder."""

    key: str
    """What the other methods take: the name with the time of deletion."""
    name: str
    original_path: str
    folder: bool | None = None
    """Left out of a file."""
    deleted: datetime | None = None
    size: int | None = None
    id: int | None = None


class Back(Model):
    """Where something is that was in the bin, and its id, which it kept."""

    path: str
    id: int | None


class Trash:
    """The trash bin of one user."""

    def __init__(self, dav: Dav) -> None:
        self._dav = dav

    async def list(self) -> list[Trashed]:
        at = await self._dav.at("trashbin/{user}/trash")
        bin_itself = f"trashbin/{at.parts['user']}/trash"
        try:
            found = await self._dav.propfind(at, *_PROPERTIES, depth=1)
        except NotFound:
            raise AppMissing("files_trashbin") from None  # a bin that is empty is there nevertheless
        return [_trashed(one) for one in without_folder(found, bin_itself)]

    async def get(self, key: str) -> Trashed:
        """Tell what one entry of the bin is."""
        at = await self._dav.at("trashbin/{user}/trash/{key}", key=key)
        try:
            return _trashed(await self._dav.stat(at, *_PROPERTIES))
        except NotFound as error:
            raise self._missing(error, key) from None

    async def key_of(self, file: int) -> str | None:
        """Return the key of a file or folder that is known by its id; None where the bin shows none."""
        return next((one.key for one in await self.held() if one.id == file), None)

    async def newest(self) -> builtins.list[Trashed]:
        """List the bin, what was deleted last first."""
        return sorted(await self.list(), key=lambda one: (one.deleted or _LONG_AGO, one.key), reverse=True)

    async def held(self) -> builtins.list[Trashed]:
        """List the bin for whoever has done their work already: where it cannot be listed, it shows nothing."""
        try:
            return await self.newest()
        except Failure:
            return []

    async def key_for(self, given: str) -> str:
        """Return the key that is given, or that of the one entry whose name or old path is given.

        What ends like a key is one: once that entry is restored, the same call must not find another by its name.
        """
        if DELETED_AT.search(given):
            return given
        wanted = plain(given)
        fitting = [one for one in await self.newest() if wanted and wanted in (one.name, one.original_path)]
        if not fitting:
            raise _nothing(given)
        if len(fitting) > 1:
            told = [f"{one.key} ({one.original_path}, deleted {one.deleted or 'some time'})" for one in fitting]
            more = [f"and {len(told) - MOST_TOLD} more"] if len(told) > MOST_TOLD else []
            raise BadInput(
                f"{given!r} may be any of these: {', '.join([*told[:MOST_TOLD], *more])}.", next_step="Give one's key."
            )
        return fitting[0].key

    async def restore(self, key: str) -> Back:
        """Put something back where it was, and tell where it is.

        Where its name is taken it gets another one, and where its folder is gone it comes to the top.
        """
        source = await self._dav.at("trashbin/{user}/trash/{key}", key=key)
        target = await self._dav.at("trashbin/{user}/restore/{key}", key=key)
        entry = await self.get(key)
        # It leaves the bin for its old place, where nothing gives way to it.
        answer = await self._dav.transfer("MOVE", source, target, headers={}, nature=Nature.ADDS)
        self._done(answer, key)
        # Nextcloud does not say where it put it, but the file keeps its id.
        place = await Search(self._dav).place_of(entry.id) if entry.id is not None else None
        return Back(path=entry.original_path if place is None else place, id=entry.id)

    async def delete(self, key: str) -> None:
        """Delete something for good."""
        self._done(await self._dav.delete(await self._dav.at("trashbin/{user}/trash/{key}", key=key)), key)

    async def empty(self) -> None:
        """Delete everything in the bin for good."""
        self._dav.good(await self._dav.delete(await self._dav.at("trashbin/{user}/trash")))

    def _done(self, answer: Response, key: str) -> None:
        try:
            self._dav.good(answer)
        except NotFound as error:
            raise self._missing(error, key) from None

    def _missing(self, error: ApiError, key: str) -> NotFound:
        if "trashbin in" in str(error):
            return AppMissing("files_trashbin")
        return _nothing(key)


def _nothing(given: str) -> NotFound:
    return NotFound(
        f"There is no {given!r} in the trash bin.",
        status=404,
        next_step="list_trash shows the keys of what there is.",
    )


def _trashed(one: Resource) -> Trashed:
    return Trashed(
        key=one.place.rpartition("/")[2],
        name=one.text("nc:trashbin-filename") or "",
        original_path=(one.text("nc:trashbin-original-location") or "").strip("/"),
        folder=one.is_folder or None,
        deleted=unix_date(one.number("nc:trashbin-deletion-time")),
        size=one.number("d:getcontentlength") or one.number("oc:size"),
        id=one.number("oc:fileid"),
    )
