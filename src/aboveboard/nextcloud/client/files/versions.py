"""Older versions of a file, kept by Nextcloud."""

from datetime import datetime

from aboveboard.errors import Failure, NotFound
from aboveboard.http import Nature, Response
from aboveboard.nextcloud.client.dav import Dav, without_folder
from aboveboard.nextcloud.client.files.entries import plain
from aboveboard.nextcloud.client.missing import AppMissing
from aboveboard.nextcloud.client.model import Model, http_date

_PROPERTIES = ("d:getcontentlength", "d:getlastmodified", "d:getcontenttype", "nc:version-label", "nc:version-author")


class Version(Model):
    """A version of a file."""

    id: str
    modified: datetime | None = None
    size: int | None = None
    author: str | None = None
    label: str | None = None
    current: bool | None = None
    """Whether it is what the file holds now; left out where it is not."""


class Versions:
    """The versions of one user's files."""

    def __init__(self, dav: Dav) -> None:
        self._dav = dav

    async def list(self, path: str) -> list[Version]:
        """List the versions of a file, newest first; a file that was restored holds an older one."""
        file, now = await self._file(path)
        at = await self._dav.at("versions/{user}/versions/{file}", file=file)
        folder = f"versions/{at.parts['user']}/versions/{file}"
        try:
            found = without_folder(await self._dav.propfind(at, *_PROPERTIES, depth=1), folder)
        except NotFound as error:
            raise _absent(error, path) from None
        found.sort(key=lambda one: (len(one.place), one.place), reverse=True)
        return [
            Version(
                id=one.place.rpartition("/")[2],
                modified=http_date(one.text("d:getlastmodified")),
                size=one.number("d:getcontentlength"),
                author=one.text("nc:version-author"),
                label=one.text("nc:version-label"),
                current=one.place.rpartition("/")[2] == now or None,
            )
            for one in found
        ]

    async def kept(self, file: int, modified: datetime) -> str | None:
        """Return the version that is what a file held from a time on; None where Nextcloud shows none."""
        version = str(int(modified.timestamp()))
        at = await self._dav.at("versions/{user}/versions/{file}/{version}", file=str(file), version=version)
        try:
            await self._dav.stat(at, "d:getcontentlength")
        except Failure:
            return None  # the file is written, and that is what is to be told
        return version

    async def read(self, path: str, version: str) -> bytes:
        """Read an older version; the current one is read as the file itself."""
        file = str(await self._dav.file_id(path))
        at = await self._dav.at("versions/{user}/versions/{file}/{version}", file=file, version=version)
        return self._done(await self._dav.get(at), path, version).content

    async def restore(self, path: str, version: str) -> int:
        """Make an older version what the file holds, and return its id; what it holds now becomes a version."""
        file, now = await self._file(path)
        if version == now:
            return int(file)
        source = await self._dav.at("versions/{user}/versions/{file}/{version}", file=file, version=version)
        target = await self._dav.at("versions/{user}/restore/target")
        answer = await self._dav.transfer("MOVE", source, target, headers={}, nature=Nature.REPLACES)
        if answer.status == 409:
            raise AppMissing("files_versions", status=409)  # where the app is, the place to restore to is there
        self._done(answer, path, version)
        return int(file)

    def _done(self, answer: Response, path: str, version: str) -> Response:
        try:
            return self._dav.good(answer)
        except NotFound as error:
            raise _absent(error, path, version) from None

    async def _file(self, path: str) -> tuple[str, str | None]:
        """Return the id of a file, and that of the version it holds: a version is named after the file's time."""
        at = await self._dav.at("files/{user}/{file:path}", file=path)
        found = await self._dav.stat(at, "oc:fileid", "d:getlastmodified")
        modified = http_date(found.text("d:getlastmodified"))
        number = found.text("oc:fileid") or str(await self._dav.file_id(path))
        return number, None if modified is None else str(int(modified.timestamp()))


def _absent(error: NotFound, path: str, version: str | None = None) -> NotFound:
    if "versions in" in str(error):
        return AppMissing("files_versions")
    if version is None:
        return NotFound(f"{plain(path)!r} has no versions.", status=404, next_step="Only files have versions.")
    return NotFound(
        f"{plain(path)!r} has no version {version!r}.",
        status=404,
        next_step="list_versions shows the ids of those that it has.",
    )
