"""Folders that are made, with those that are missing on the way."""

from collections.abc import Awaitable, Callable

from aboveboard.errors import Conflict
from aboveboard.http import Path, Response
from aboveboard.nextcloud.client.dav import Dav
from aboveboard.nextcloud.client.files.entries import Entry, parent, plain
from aboveboard.nextcloud.client.files.refusals import nowhere
from aboveboard.nextcloud.client.files.written import Written, read_written


class Folders:
    """Makes folders of one user, given where a path leads and what is there."""

    def __init__(
        self, dav: Dav, file: Callable[[str], Awaitable[Path]], stat: Callable[[str], Awaitable[Entry]]
    ) -> None:
        self._dav, self._file, self._stat = dav, file, stat

    async def make(self, path: str, *, parents: bool) -> Written:
        """Make a folder; one that is there already is left as it is."""
        answer = await self._dav.mkcol(await self._file(path))
        if answer.status == 409 and parents and parent(path):
            answer = await self._with_parents(path)
        if answer.status == 405:
            there = await self._stat(path)
            if there.kind == "file":
                raise Conflict(f"{plain(path)!r} is a file.", status=405, next_step="Choose another name.")
            return Written(path=there.path, created=False, id=there.id)
        if answer.status == 409:
            raise nowhere(answer, path)
        return read_written(self._dav.good(answer), path)

    async def _with_parents(self, path: str) -> Response:
        """Make a folder whose own folder is missing, and those around it; the answer is about itself."""
        parts = plain(path).split("/")
        there, missing, step = 0, len(parts), 1
        # The next one up may be all that is missing; else larger and larger steps, then halves, find what is there.
        while missing - there > 1:
            tried = max(there + 1, missing - step) if step else (there + missing) // 2
            answer = await self._dav.mkcol(await self._file("/".join(parts[:tried])))
            if answer.status != 409:
                await self._is_folder(answer, "/".join(parts[:tried]))
                there, step = tried, 0
                if answer.status == 201:  # it was missing, so all below it are
                    break
            else:
                missing, step = tried, step * 2
        for depth in range(there + 1, len(parts)):
            await self._is_folder(await self._dav.mkcol(await self._file("/".join(parts[:depth]))), path)
        return await self._dav.mkcol(await self._file(path))

    async def _is_folder(self, answer: Response, path: str) -> None:
        """Pass what was made or is there, unless it is a file."""
        if answer.status != 405:
            self._dav.good(answer)
        elif (await self._stat(path)).kind == "file":
            raise Conflict(f"{plain(path)!r} is a file.", status=405, next_step="Choose another name.")
