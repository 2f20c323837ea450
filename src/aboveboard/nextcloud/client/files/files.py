"""The user's files: list, read, write, move, copy, delete. Every path starts at the top of the user's files."""

from collections.abc import Callable
from typing import Final

from aboveboard.errors import ApiError, BadInput, Conflict, NotFound
from aboveboard.http import Nature, Path, Response
from aboveboard.nextcloud.client.dav import Dav
from aboveboard.nextcloud.client.files.entries import PROPERTIES, Entry, entry, parent, plain
from aboveboard.nextcloud.client.files.etags import bare, quote_etag, stale
from aboveboard.nextcloud.client.files.folders import Folders
from aboveboard.nextcloud.client.files.listing import Listing, Part
from aboveboard.nextcloud.client.files.overwriting import Content, Overwriting, Sleep, content_of
from aboveboard.nextcloud.client.files.refusals import apart, nowhere, place_taken
from aboveboard.nextcloud.client.files.uploads import CHUNK, Progress, Upload
from aboveboard.nextcloud.client.files.written import Written, read_written
from aboveboard.nextcloud.client.model import Model

TRIES: Final = 4
"""How often a file that others keep changing is appended to before giving up."""
APPENDABLE: Final = 20 * 1024 * 1024
"""Bytes of a file that is appended to: all of it is read and sent."""


class Received(Model):
    """Whose something is that others shared with the user, and whether it is the share itself or lies in it."""

    owner: str | None
    itself: bool
    id: int | None


class Quota(Model):
    """How much room the user has, in bytes; without a limit, `available` is None."""

    used: int
    available: int | None = None


class Files:
    """The files of one user."""

    def __init__(self, dav: Dav, sleep: Sleep) -> None:
        self._dav = dav
        self._overwriting = Overwriting(self._read, sleep)

    async def list(self, folder: str = "") -> list[Entry]:
        """List what is directly in a folder."""
        return await Listing(self._dav, await self._at(folder), folder).all()

    async def list_part(self, folder: str, *, limit: int, offset: int) -> Part:
        """List a part of what is directly in a folder."""
        return await Listing(self._dav, await self._at(folder), folder).part(limit, offset)

    async def id_of(self, path: str) -> int:
        """Return the id of a file or folder."""
        return await self._dav.file_id(path)

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
        return (await self._read(path, start=start, length=length)).marked()

    async def _read(self, path: str, *, start: int = 0, length: int | None = None) -> Content:
        if start < 0 or (length is not None and length < 1):
            raise BadInput("A part of a file starts at 0 or later and has at least one byte.")
        headers: dict[str, str] = {}
        if start or length is not None:
            headers["Range"] = f"bytes={start}-{'' if length is None else start + length - 1}"
        # A server that knows no ranges sends all of it; what was not asked for is not kept.
        most = None if length is None else start + length
        answer = await self._dav.get(await self._file(path), headers, at_most=most)
        if answer.status == 416 and start:
            raise BadInput(f"{plain(path)!r} ends before byte {start}.", next_step="Start earlier.")
        return content_of(answer if answer.status == 416 else self._dav.good(answer), plain(path), start, length)

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

        A file that holds these bytes already is left as it is. With `parents`, folders that are missing on the way are
        made. Nextcloud itself goes by a file's name and not by `content_type`.
        """
        await self._file(path)
        if etag:
            quote_etag(etag)
        # A condition refuses a small file at once; all of a large one would be sent before.
        there = None
        if not create or len(data) > CHUNK:
            there = await self._overwriting.look(path)
            kept = await self._kept(there, path, data, etag=etag, create=create)
            if kept is not None:
                return kept
        if len(data) > CHUNK:
            answer = await self._upload(path, data, etag=etag, create=create, parents=parents, progress=progress)
        else:
            answer = await self._put(path, data, etag=etag, create=create, parents=parents, content_type=content_type)
            if progress is not None:
                await progress(len(data), len(data))
        if answer.status == 412:
            return await self._refused(answer, path, data, create=create)
        if answer.status in (404, 409):
            raise nowhere(answer, path)
        over = None if there is None else there.modified
        return read_written(self._dav.good(answer), path, data).model_copy(update={"over": over})

    async def append(self, path: str, addition: Callable[[bytes], bytes], *, create: bool = False) -> Written:
        """Add to the end of a file what goes with what it holds; what others write meanwhile is kept.

        With `create`, a file that is not there is made.
        """
        at = await self._file(path)
        for _ in range(TRIES):
            old, unless_changed = await self._appendable(path, create=create)
            data = old + addition(old)
            answer = await self._dav.put(at, data, unless_changed, nature=Nature.ADDS)
            if answer.status in (404, 409):
                raise nowhere(answer, path)
            if answer.status != 412:
                return read_written(self._dav.good(answer), path, data)
        raise Conflict(
            f"{plain(path)!r} is being changed all the time; nothing was appended.", next_step="Try again in a while."
        )

    async def mkdir(self, path: str, *, parents: bool = False) -> Written:
        """Make a folder; one that is there already is left as it is.

        With `parents`, folders that are missing on the way are made.
        """
        return await Folders(self._dav, self._file, self.stat).make(path, parents=parents)

    async def received_from(self, path: str) -> Received:
        """Tell whose that is which is at a path, and whether just that was shared with the user."""
        wanted = ("d:resourcetype", "nc:mount-type", "nc:is-mount-root", "oc:owner-id", "oc:fileid")
        found = await self._dav.stat(await self._file(path), *wanted)
        if found.text("nc:mount-type") != "shared":
            return Received(owner=None, itself=False, id=found.number("oc:fileid"))
        root = found.text("nc:is-mount-root")
        if root is None:  # before Nextcloud 29; all in a received folder says that it is shared
            above = await self._dav.stat(await self._at(parent(plain(path))), "d:resourcetype", "nc:mount-type")
            root = "false" if above.text("nc:mount-type") == "shared" else "true"
        owner = found.text("oc:owner-id") or "someone else"
        return Received(owner=owner, itself=root == "true", id=found.number("oc:fileid"))

    async def delete(self, path: str, *, etag: str | None = None) -> None:
        """Delete a file, or a folder with all that is in it; Nextcloud's trash bin keeps it for a while."""
        headers = {"If-Match": quote_etag(etag)} if etag else None
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
        apart(source, destination)
        headers = {"Overwrite": "T" if overwrite or etag else "F"}
        if etag:
            headers |= self._dav.unless_changed(to, etag)
        adds = method == "COPY" and headers["Overwrite"] == "F"
        nature = Nature.ADDS if adds else Nature.REPLACES
        answer = await self._dav.transfer(method, of, to, headers=headers, nature=nature)
        if answer.status == 412:
            raise stale(plain(destination)) if etag else place_taken(destination)
        if answer.status == 409:
            raise nowhere(answer, destination)
        if answer.status == 415:
            raise Conflict(
                f"{parent(destination)!r} is a file, not a folder.", status=415, next_step="Choose another destination."
            )
        return read_written(self._dav.good(answer), destination)

    async def _put(
        self, path: str, data: bytes, *, etag: str | None, create: bool, parents: bool, content_type: str | None
    ) -> Response:
        headers = {"X-NC-WebDAV-Auto-Mkcol": "1"} if parents else {}
        headers |= {"Content-Type": content_type} if content_type else {}
        headers |= {"If-None-Match": "*"} if create else {"If-Match": quote_etag(etag)} if etag else {}
        nature = Nature.ADDS if create else Nature.REPLACES
        # Each one that is carried out adds a version, also of the same bytes.
        answer = await self._dav.put(await self._file(path), data, headers, nature=nature, repeats=False)
        if parents and parent(path) and answer.status in (404, 409):
            # Nextcloud before 32 does not know the header that asks for the folders.
            await self.mkdir(parent(path), parents=True)
            answer = await self._dav.put(await self._file(path), data, headers, nature=nature, repeats=False)
        return answer

    async def _upload(
        self, path: str, data: bytes, *, etag: str | None, create: bool, parents: bool, progress: Progress | None
    ) -> Response:
        if parents and parent(path):
            # Of chunks Nextcloud makes no folders, whatever a header says.
            await self.mkdir(parent(path), parents=True)
        nature = Nature.ADDS if create else Nature.REPLACES
        return await Upload(self._dav, await self._file(path), data, nature, progress).send(etag=etag)

    async def _appendable(self, path: str, *, create: bool) -> tuple[bytes, dict[str, str]]:
        """Return what a file holds, and the condition under which it still holds just that."""
        try:
            old = await self._overwriting.settled(path, length=APPENDABLE)
        except NotFound:
            if create:
                return b"", {"If-None-Match": "*"}
            raise
        if not old.complete:
            raise BadInput(
                f"{plain(path)!r} has {old.size} bytes, and only files of up to {APPENDABLE} are appended to.",
                next_step="Write to a new file instead.",
            )
        if old.etag is None:
            raise ApiError(f"Nextcloud does not tell the etag of {plain(path)!r}; nothing was appended.")
        return old.data, {"If-Match": quote_etag(old.etag)}

    async def _kept(
        self, there: Content | None, path: str, data: bytes, *, etag: str | None, create: bool
    ) -> Written | None:
        """Return the file that is there, if it holds these bytes already; refuse what may not be written over."""
        if there is None:
            if etag:
                raise stale(plain(path))
            return None
        if await self._overwriting.holds(there, data):
            return await self._unchanged(there)
        if create:
            raise place_taken(path)
        if etag and not await self._overwriting.is_version(there, etag):
            raise stale(plain(path), there.etag)
        return None

    async def _refused(self, answer: Response, path: str, data: bytes, *, create: bool) -> Written:
        if not create:
            raise stale(plain(path), bare(answer.headers.get("etag")))
        kept = await self._kept(await self._overwriting.look(path), path, data, etag=None, create=True)
        if kept is None:  # what was there is gone by now
            raise place_taken(path)
        return kept

    async def _unchanged(self, there: Content) -> Written:
        number = await self._dav.file_id(there.path)
        return Written(path=there.path, created=False, etag=there.etag, id=number, unchanged=True)

    async def _at(self, path: str) -> Path:
        return await self._dav.at("files/{user}/{path:path}", path=path)

    async def _file(self, path: str) -> Path:
        if not plain(path):
            raise BadInput("The path is empty, which is the top of all files.", next_step="Name a file or folder.")
        return await self._at(path)
