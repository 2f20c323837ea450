"""Comments on files."""

from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime

from aboveboard.errors import BadInput, NotFound
from aboveboard.http import Path
from aboveboard.nextcloud.client.dav import Dav, created_id
from aboveboard.nextcloud.client.missing import AppMissing
from aboveboard.nextcloud.client.model import Model, http_date
from aboveboard.nextcloud.client.xml import element

LONGEST = 1000


class Comment(Model):
    """A comment on a file."""

    id: int
    message: str
    author: str
    author_name: str | None = None
    created: datetime | None = None
    unread: bool | None = None
    """Left out where it was read."""


class Comments:
    """Comments on the files of one user; a file is given by its path or its id."""

    def __init__(self, dav: Dav) -> None:
        self._dav = dav

    async def list(self, file: str | int, *, limit: int = 20, offset: int = 0) -> list[Comment]:
        """List the comments on a file, newest first."""
        body = element("oc:filter-comments", [element("oc:limit", str(limit)), element("oc:offset", str(offset))])
        at = await self._at(file)
        with _plainly():
            found = await self._dav.report(at, body)
        return [
            Comment(
                id=one.number("oc:id") or 0,
                message=one.text("oc:message") or "",
                author=one.text("oc:actorId") or "",
                author_name=one.text("oc:actorDisplayName"),
                created=http_date(one.text("oc:creationDateTime")),
                unread=one.truth("oc:isUnread") or None,
            )
            for one in found
        ]

    async def create(self, file: str | int, message: str) -> int:
        """Comment on a file and return the comment's id."""
        at = await self._at(file)
        body = {"actorType": "users", "verb": "comment", "message": _sayable(message)}
        with _plainly():
            answer = await self._dav.post(at, body)
        return created_id(answer)

    async def update(self, file: str | int, comment: int, message: str) -> None:
        at = await self._one(file, comment)
        await self._dav.proppatch(at, "oc:message", _sayable(message))

    async def delete(self, file: str | int, comment: int) -> None:
        self._dav.good(await self._dav.delete(await self._one(file, comment)))

    async def _at(self, file: str | int) -> Path:
        return await self._dav.at("comments/files/{file}", file=str(await self._dav.file_id(file)))

    async def _one(self, file: str | int, comment: int) -> Path:
        number = await self._dav.file_id(file)
        return await self._dav.at("comments/files/{file}/{comment}", file=str(number), comment=str(comment))


@contextmanager
def _plainly() -> Generator[None]:
    """Say that the app is missing where Nextcloud says that it knows no files to comment on."""
    try:
        yield
    except NotFound as error:
        if "Entity type" in str(error):
            raise AppMissing("comments") from None
        raise


def _sayable(message: str) -> str:
    if not message.strip():
        raise BadInput("The comment is empty.")
    if len(message) > LONGEST:
        raise BadInput(f"The comment has {len(message)} characters, and Nextcloud takes {LONGEST} at most.")
    return message
