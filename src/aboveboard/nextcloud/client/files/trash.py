"""The trash bin: what was deleted, and how it comes back or goes for good."""

from datetime import datetime

from aboveboard.http import Nature
from aboveboard.nextcloud.client.dav import Dav, named
from aboveboard.nextcloud.client.model import Model, unix_date

_PROPERTIES = (
    "nc:trashbin-filename",
    "nc:trashbin-original-location",
    "nc:trashbin-deletion-time",
    "oc:size",
    "d:getcontentlength",
    "d:resourcetype",
    "oc:fileid",
)


class Trashed(Model):
    """A deleted file or folder."""

    key: str
    """What the other methods take: the name with the time of deletion."""
    name: str
    original_path: str
    folder: bool
    deleted: datetime | None = None
    size: int | None = None
    id: int | None = None


class Trash:
    """The trash bin of one user."""

    def __init__(self, dav: Dav) -> None:
        self._dav = dav

    async def list(self) -> list[Trashed]:
        at = await self._dav.at("trashbin/{user}/trash")
        bin_itself = f"trashbin/{at.parts['user']}/trash"
        found = await self._dav.propfind(at, *_PROPERTIES, depth=1)
        return [
            Trashed(
                key=one.place.rpartition("/")[2],
                name=one.text("nc:trashbin-filename") or "",
                original_path=one.text("nc:trashbin-original-location") or "",
                folder=one.is_folder,
                deleted=unix_date(one.number("nc:trashbin-deletion-time")),
                size=one.number("d:getcontentlength") or one.number("oc:size"),
                id=one.number("oc:fileid"),
            )
            for one in named(found, bin_itself)
        ]

    async def restore(self, key: str) -> None:
        """Put something back where it was: under another name if that is taken, at the top if its folder is gone."""
        source = await self._dav.at("trashbin/{user}/trash/{key}", key=key)
        target = await self._dav.at("trashbin/{user}/restore/{key}", key=key)
        # It leaves the bin for its old place, where nothing gives way to it.
        self._dav.good(await self._dav.transfer("MOVE", source, target, headers={}, nature=Nature.ADDS))

    async def delete(self, key: str) -> None:
        """Delete something for good."""
        self._dav.good(await self._dav.delete(await self._dav.at("trashbin/{user}/trash/{key}", key=key)))

    async def empty(self) -> None:
        """Delete everything in the bin for good."""
        self._dav.good(await self._dav.delete(await self._dav.at("trashbin/{user}/trash")))
