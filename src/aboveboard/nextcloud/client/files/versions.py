"""Older versions of a file, kept by Nextcloud."""

from datetime import datetime

from aboveboard.http import Nature
from aboveboard.nextcloud.client.dav import Dav, named
from aboveboard.nextcloud.client.model import Model, http_date

_PROPERTIES = ("d:getcontentlength", "d:getlastmodified", "d:getcontenttype", "nc:version-label", "nc:version-author")


class Version(Model):
    """A version of a file."""

    id: str
    modified: datetime | None = None
    size: int | None = None
    author: str | None = None
    label: str | None = None
    current: bool = False
    """Whether it is what the file holds now."""


class Versions:
    """The versions of one user's files."""

    def __init__(self, dav: Dav) -> None:
        self._dav = dav

    async def list(self, path: str) -> list[Version]:
        """List the versions of a file, newest first; a file that was restored holds an older one."""
        file, now = await self._file(path)
        at = await self._dav.at("versions/{user}/versions/{file}", file=file)
        folder = f"versions/{at.parts['user']}/versions/{file}"
        found = named(await self._dav.propfind(at, *_PROPERTIES, depth=1), folder)
        found.sort(key=lambda one: (len(one.place), one.place), reverse=True)
        return [
            Version(
                id=one.place.rpartition("/")[2],
                modified=http_date(one.text("d:getlastmodified")),
                size=one.number("d:getcontentlength"),
                author=one.text("nc:version-author"),
                label=one.text("nc:version-label"),
                current=one.place.rpartition("/")[2] == now,
            )
            for one in found
        ]

    async def read(self, path: str, version: str) -> bytes:
        """Read an older version; the current one is read as the file itself."""
        file = str(await self._dav.file_id(path))
        at = await self._dav.at("versions/{user}/versions/{file}/{version}", file=file, version=version)
        return self._dav.good(await self._dav.get(at)).content

    async def restore(self, path: str, version: str) -> None:
        """Make an older version what the file holds; what it holds now becomes a version."""
        file, now = await self._file(path)
        if version == now:
            return
        source = await self._dav.at("versions/{user}/versions/{file}/{version}", file=file, version=version)
        target = await self._dav.at("versions/{user}/restore/target")
        self._dav.good(await self._dav.transfer("MOVE", source, target, headers={}, nature=Nature.REPLACES))

    async def _file(self, path: str) -> tuple[str, str | None]:
        """Return the id of a file, and that of the version it holds: a version is named after the file's time."""
        at = await self._dav.at("files/{user}/{file:path}", file=path)
        found = await self._dav.stat(at, "oc:fileid", "d:getlastmodified")
        modified = http_date(found.text("d:getlastmodified"))
        number = found.text("oc:fileid") or str(await self._dav.file_id(path))
        return number, None if modified is None else str(int(modified.timestamp()))
