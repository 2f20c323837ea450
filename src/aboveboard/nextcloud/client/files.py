"""The user's files: list, read, write, move, copy, delete. Every path starts at the top of the user's files."""

import re
from dataclasses import dataclass
from unicodedata import normalize

from aboveboard.errors import ApiError, BadInput, Conflict, NotFound
from aboveboard.http import Answer, Nature, Path
from aboveboard.nextcloud.client.dav import Dav
from aboveboard.nextcloud.client.entries import PROPERTIES, Entry, entry, parent, plain
from aboveboard.nextcloud.client.etags import bare, quoted, stale
from aboveboard.nextcloud.client.model import Model
from aboveboard.nextcloud.client.uploads import CHUNK, Progress, Upload

_TOTAL = re.compile(r"bytes (?:\d+-\d+|\*)/(\d+)")


@dataclass(frozen=True)
class Content:
    """What a file holds, or a part of it."""

    path: str
    data: bytes
    start: int
    size: int
    """The length of the whole file."""
    content_type: str
    etag: str | None

    @property
    def complete(self) -> bool:
        """Tell whether this is the whole file."""
        return len(self.data) == self.size


class Written(Model):
    """A file that was written, moved or copied."""

    path: str
    created: bool
    etag: str | None = None
    id: int | None = None


class Quota(Model):
    """How much room the user has, in bytes; without a limit, `available` is None."""

    used: int
    available: int | None = None


class Files:
    """The files of one user."""

    def __init__(self, dav: Dav) -> None:
        self._dav = dav

    async def list(self, folder: str = "") -> list[Entry]:
        """List what is directly in a folder."""
        at = await self._at(folder)
        found = [entry(one) for one in await self._dav.propfind(at, *PROPERTIES, depth=1)]
        # Nextcloud stores composed characters, however they are given.
        asked = normalize("NFC", plain(folder))
        itself = next((one for one in found if normalize("NFC", one.path) == asked), None)
        if itself is not None and itself.kind == "file":
            raise BadInput(f"{plain(folder)!r} is a file, not a folder.", next_step="Read it, or list its folder.")
        return [one for one in found if one is not itself]

    async def stat(self, path: str) -> Entry:
        return entry(await self._dav.stat(await self._at(path), *PROPERTIES))

    async def quota(self) -> Quota:
        found = await self._dav.stat(await self._at(""), "d:quota-used-bytes", "d:quota-available-bytes")
        available = found.number("d:quota-available-bytes")
        # Negative numbers say that there is no limit, or that it is not known.
        limited = available is not None and available >= 0
        return Quota(used=found.number("d:quota-used-bytes") or 0, available=available if limited else None)

    async def read(self, path: str, *, start: int = 0, length: int | None = None) -> Content:
        """Read a file, or `length` bytes of it from `start` on."""
        if start < 0 or (length is not None and length < 1):
            raise BadInput("A part of a file starts at 0 or later and has at least one byte.")
        headers: dict[str, str] = {}
        if start or length is not None:
            headers["Range"] = f"bytes={start}-{'' if length is None else start + length - 1}"
        # A server that knows no ranges sends all of it; what was not asked for is not kept.
        most = None if length is None else start + length
        answer = await self._dav.get(await self._file(path), headers, at_most=most)
        if answer.status == 416:
            return _beyond(answer, plain(path), start)
        return _content(self._dav.good(answer), plain(path), start, length)

    async def write(
        self,
        path: str,
        data: bytes,
        *,
        etag: str | None = None,
        create: bool = False,
        parents: bool = False,
        content_type: str | None = None,
        progress: Progress | None = None,
    ) -> Written:
        """Write a file: over what is there, only over the version `etag`, or (`create`) only where nothing is.

        With `parents`, folders that are missing on the way are made. Nextcloud itself goes by a file's name and not
        by `content_type`.
        """
        at = await self._file(path)
        nature = Nature.ADDS if create else Nature.REPLACES
        headers = {"X-NC-WebDAV-Auto-Mkcol": "1"} if parents else {}
        if len(data) > CHUNK:
            answer = await Upload(self._dav, at, data, nature, progress).send(etag=etag, headers=headers)
        else:
            headers |= {"Content-Type": content_type} if content_type else {}
            headers |= {"If-None-Match": "*"} if create else {"If-Match": quoted(etag)} if etag else {}
            answer = await self._dav.put(at, data, headers, nature)
            if progress is not None:
                await progress(len(data), len(data))
        if answer.status == 412:
            raise _taken(path) if create else stale(plain(path), bare(answer.headers.get("etag")))
        if answer.status in (404, 409):
            raise self._nowhere(answer, path)
        return _written(self._dav.good(answer), path)

    async def mkdir(self, path: str, *, parents: bool = False) -> bool:
        """Make a folder, and tell whether it is new: one that is there already is left as it is.

        With `parents`, folders that are missing on the way are made.
        """
        answer = await self._dav.mkcol(await self._file(path))
        if answer.status == 409 and parents and parent(path):
            await self.mkdir(parent(path), parents=True)
            answer = await self._dav.mkcol(await self._file(path))
        if answer.status == 405:
            if (await self.stat(path)).kind == "file":
                raise Conflict(f"{plain(path)!r} is a file.", status=405, next_step="Choose another name.")
            return False
        if answer.status == 409:
            raise self._nowhere(answer, path)
        self._dav.good(answer)
        return True

    async def delete(self, path: str, *, etag: str | None = None) -> None:
        """Delete a file, or a folder with all that is in it; Nextcloud's trash bin keeps it for a while."""
        headers = {"If-Match": quoted(etag)} if etag else None
        answer = await self._dav.delete(await self._file(path), headers)
        if answer.status == 412:
            raise stale(plain(path), bare(answer.headers.get("etag")))
        if answer.status == 207:
            raise ApiError(f"Only a part of {plain(path)!r} was deleted.", next_step="List it to see what is left.")
        self._dav.good(answer)

    async def move(self, source: str, destination: str, *, overwrite: bool = False, etag: str | None = None) -> Written:
        """Move or rename; with `overwrite`, over what is there, or only over the version `etag`."""
        return await self._transfer("MOVE", source, destination, overwrite=overwrite, etag=etag)

    async def copy(self, source: str, destination: str, *, overwrite: bool = False, etag: str | None = None) -> Written:
        """Copy, a folder with all that is in it; with `overwrite`, over what is there, or only over `etag`."""
        return await self._transfer("COPY", source, destination, overwrite=overwrite, etag=etag)

    async def set_favorite(self, path: str, *, favorite: bool) -> None:
        nature = Nature.ADDS if favorite else Nature.REPLACES
        await self._dav.proppatch(await self._file(path), "oc:favorite", str(int(favorite)), nature=nature)

    async def _transfer(
        self, method: str, source: str, destination: str, *, overwrite: bool, etag: str | None
    ) -> Written:
        of, to = await self._file(source), await self._file(destination)
        if of == to:
            raise BadInput(f"Source and destination are both {plain(source)!r}.")
        headers = {"Overwrite": "T" if overwrite or etag else "F"}
        if etag:
            headers |= self._dav.unless_changed(to, etag)
        adds = method == "COPY" and headers["Overwrite"] == "F"
        nature = Nature.ADDS if adds else Nature.REPLACES
        answer = await self._dav.transfer(method, of, to, headers=headers, nature=nature)
        if answer.status == 412:
            raise stale(plain(destination)) if etag else _taken(destination)
        if answer.status == 409:
            raise self._nowhere(answer, destination)
        return _written(self._dav.good(answer), destination)

    async def _at(self, path: str) -> Path:
        return await self._dav.at("files/{user}/{path:path}", path=path)

    async def _file(self, path: str) -> Path:
        if not plain(path):
            raise BadInput("The path is empty, which is the top of all files.", next_step="Name a file or folder.")
        return await self._at(path)

    def _nowhere(self, answer: Answer, path: str) -> ApiError:
        if answer.status == 409 and b"non-files" in answer.content:
            return Conflict(f"{plain(path)!r} is a folder.", status=409, next_step="Choose another name.")
        return NotFound(
            f"{plain(path)!r} has no place: the folder {parent(path)!r} does not exist.",
            status=answer.status,
            next_step="Create that folder first.",
        )


def _beyond(answer: Answer, path: str, start: int) -> Content:
    if start == 0:  # any part of an empty file is beyond its end
        return Content(path, b"", 0, 0, "application/octet-stream", bare(answer.headers.get("etag")))
    raise BadInput(f"{path!r} ends before byte {start}.", next_step="Start earlier.")


def _content(answer: Answer, path: str, start: int, length: int | None) -> Content:
    if "etag" not in answer.headers and "last-modified" not in answer.headers:
        # For a folder Nextcloud sends a sentence and a 200.
        raise BadInput(f"{path!r} is a folder.", next_step="List it instead.")
    data, said = answer.content, _TOTAL.match(answer.headers.get("content-range", ""))
    if answer.status == 206 and said:
        size = int(said[1])
    else:
        told = answer.headers.get("content-length") if "content-encoding" not in answer.headers else None
        size = len(data) if told is None else int(told)
        data = data[start : None if length is None else start + length]
    kind = answer.headers.get("content-type", "application/octet-stream")
    return Content(path, data, start, size, kind, bare(answer.headers.get("etag")))


def _taken(path: str) -> Conflict:
    return Conflict(
        f"There is already something at {plain(path)!r}; nothing was written.",
        status=412,
        next_step="Choose another name, or say that it may be overwritten.",
    )


def _written(answer: Answer, path: str) -> Written:
    number = re.match(r"\d+", answer.headers.get("oc-fileid", ""))
    return Written(
        path=plain(path),
        created=answer.status == 201,
        etag=bare(answer.headers.get("oc-etag") or answer.headers.get("etag")),
        id=int(number[0]) if number else None,
    )
