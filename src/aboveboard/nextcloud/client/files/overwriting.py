"""Writing over a file: only over what is known, never the same again, and not within the second of the last write.

Nextcloud tells the states of a file apart by the second. Of two writes in one second the first keeps no version, and
both have one ETag: whoever read the first writes over the second, and no condition stops it. So a file that was just
written is left alone until its second is over, and the ETag of what was read so early is marked with what was read.
"""

import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Final, Protocol

from aboveboard.errors import BadInput, Conflict, NotFound
from aboveboard.http import Response
from aboveboard.nextcloud.client.files.entries import plain
from aboveboard.nextcloud.client.files.etags import bare, marks_of
from aboveboard.nextcloud.client.model import http_date

SETTLED: Final = 2.0
"""Seconds after a write in which its ETag may not tell: one, and one for clocks that cut off the rest of theirs."""
_TOTAL: Final = re.compile(r"bytes (?:\d+-\d+|\*)/(\d+)")

Sleep = Callable[[float], Awaitable[None]]


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
    age: float = SETTLED
    """How many seconds ago it was written."""
    modified: datetime | None = None

    @property
    def complete(self) -> bool:
        """Tell whether this is the whole file."""
        return len(self.data) == self.size

    @property
    def fresh(self) -> bool:
        """Tell whether another write may still get the same ETag; a time far ahead was set by someone."""
        return abs(self.age) < SETTLED

    def marked(self) -> "Content":
        """Return the same, with an ETag that tells what was read where Nextcloud's own may not."""
        return replace(self, etag=mark_etag(self.etag, self.data, self.start, self.size)) if self.fresh else self


def mark_etag(etag: str | None, data: bytes, start: int, size: int) -> str | None:
    """Return an ETag that tells, besides what Nextcloud's own does, what some part of the file holds."""
    return etag and f"{etag}~{size}-{start}-{len(data)}-{_digest(data)}"


def content_of(answer: Response, path: str, start: int, length: int | None) -> Content:
    """Read an answer with a file or a part of one."""
    if "etag" not in answer.headers and "last-modified" not in answer.headers:
        # For a folder Nextcloud sends a sentence and a 200.
        raise BadInput(f"{path!r} is a folder.", next_step="List it instead.")
    etag, age, modified = bare(answer.headers.get("etag")), _age(answer), http_date(answer.headers.get("last-modified"))
    if answer.status == 416:  # any part of an empty file is beyond its end
        return Content(path, b"", 0, 0, "application/octet-stream", etag, age, modified)
    data, said = answer.content, _TOTAL.match(answer.headers.get("content-range", ""))
    if answer.status == 206 and said:
        size = int(said[1])
    else:
        told = answer.headers.get("content-length") if "content-encoding" not in answer.headers else None
        size = len(data) if told is None else int(told)
        data = data[start : None if length is None else start + length]
    kind = answer.headers.get("content-type", "application/octet-stream")
    return Content(path, data, start, size, kind, etag, age, modified)


class Read(Protocol):
    """Reads a file, or a part of it, with Nextcloud's own ETag."""

    async def __call__(self, path: str, *, start: int = 0, length: int | None = None) -> Content:
        """Return so many bytes from there."""
        ...


class Overwriting:
    """What is looked at before a file is written over."""

    def __init__(self, read: Read, sleep: Sleep) -> None:
        self._read = read
        self._sleep = sleep

    async def settled(self, path: str, *, length: int | None = None) -> Content:
        """Read a file, or its first bytes, when the second in which it was written is over."""
        found = await self._read(path, length=length)
        if found.fresh:
            await self._sleep(SETTLED - found.age)
            found = await self._read(path, length=length)
        return found

    async def look(self, path: str) -> Content | None:
        """Return the file that is there, with its first byte alone; None where nothing is."""
        try:
            return await self.settled(path, length=1)
        except NotFound:
            return None
        except BadInput:
            raise Conflict(f"{plain(path)!r} is a folder.", status=409, next_step="Choose another name.") from None

    async def holds(self, there: Content, data: bytes) -> bool:
        """Tell whether a file holds these bytes already."""
        return there.size == len(data) and (not data or (await self._read(there.path)).data == data)

    async def is_version(self, there: Content, etag: str) -> bool:
        """Tell whether a file is still the one that an ETag is of, by its marks too if it has any."""
        own, marks = marks_of(etag)
        if there.etag != own:
            return False
        if marks is None:
            return True
        size, start, length, digest = marks
        if there.size != size:
            return False
        part = (await self._read(there.path, start=start, length=length)).data if length else b""
        return _digest(part) == digest


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:16]


def _age(answer: Response) -> float:
    """Tell how old a file is by the service's clock, or by ours where it does not tell the time."""
    written, now = http_date(answer.headers.get("last-modified")), http_date(answer.headers.get("date"))
    if written is None:
        return SETTLED
    return (time.time() if now is None else now.timestamp()) - written.timestamp()
