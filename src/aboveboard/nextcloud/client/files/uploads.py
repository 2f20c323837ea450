"""Big files go up in chunks, so that no request is long and people see how far it is."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Final, TypeAlias
from uuid import uuid4

import anyio

from aboveboard.errors import Failure
from aboveboard.http import Nature, Path, Response
from aboveboard.nextcloud.client.dav import Dav

CHUNK: Final = 10 * 1024 * 1024
"""Bytes. Nextcloud wants chunks of 5 MB to 5 GB; small ones show progress and cost little to send again."""
TIDYING: Final = 5.0
"""Seconds. So long a call that was cancelled goes on, to take away what it sent."""

Progress: TypeAlias = Callable[[int, int], Awaitable[None]]
"""Told after each piece: bytes sent so far, bytes in all."""


class Upload:
    """One file on its way up."""

    def __init__(self, dav: Dav, to: Path, data: bytes, nature: Nature, progress: Progress | None) -> None:
        self._dav, self._to, self._data, self._nature, self._progress = dav, to, data, nature, progress

    async def send(self, *, etag: str | None) -> Response:
        """Send all chunks, then put them together at the destination; the answer is that of the last step.

        For a folder that is missing that is the first chunk's.
        """
        name = f"aboveboard-{uuid4().hex}"
        folder = await self._dav.at("uploads/{user}/{name}", name=name)
        about = {"Destination": self._dav.url(self._to), "OC-Total-Length": str(len(self._data))}
        self._dav.good(await self._dav.mkcol(folder, about, nature=self._nature))
        try:
            answer = await self._chunks(name, about) or await self._assembled(name, etag, about)
        except BaseException:  # a call that is given up leaves nothing behind either
            await self._abandon(folder)
            raise
        if answer.status >= 400:
            await self._abandon(folder)
        return answer

    async def _chunks(self, name: str, about: Mapping[str, str]) -> Response | None:
        total = len(self._data)
        for number, start in enumerate(range(0, total, CHUNK), 1):
            piece = self._data[start : start + CHUNK]
            at = await self._dav.at("uploads/{user}/{name}/{chunk}", name=name, chunk=f"{number:05}")
            answer = await self._dav.put(at, piece, about, nature=self._nature)
            if answer.status == 404:
                return answer
            self._dav.good(answer)
            if self._progress is not None:
                await self._progress(start + len(piece), total)
        return None

    async def _assembled(self, name: str, etag: str | None, about: Mapping[str, str]) -> Response:
        # If-Match would be about the chunks here, so the condition names the destination.
        guard = self._dav.unless_changed(self._to, etag) if etag else {}
        overwrite = "F" if self._nature is Nature.ADDS else "T"
        source = await self._dav.at("uploads/{user}/{name}/.file", name=name)
        headers = {**about, "Overwrite": overwrite, **guard}
        return await self._dav.transfer("MOVE", source, self._to, headers=headers, nature=self._nature)

    async def _abandon(self, folder: Path) -> None:
        # A tool that may only add may not do this either; Nextcloud forgets chunks after a day.
        with suppress(Failure), anyio.move_on_after(TIDYING, shield=True):
            await self._dav.delete(folder)
