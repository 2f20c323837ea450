"""Which notes there are, at little cost: what changed since a time, a word where nothing did, or ids alone."""

from email.utils import parsedate_to_datetime
from typing import Final

from aboveboard.http import Session, path
from aboveboard.nextcloud.client.apps import App
from aboveboard.nextcloud.client.model import Model, check_value
from aboveboard.nextcloud.client.notes.notes import NoteSummary

_NOTES: Final = "/index.php/apps/notes/api/v1/notes"
_NEVER: Final = 4_000_000_000
"""Seconds since 1970: no note changed after that, so that of all only the ids are sent."""


class Moment(Model):
    """Up to when a list tells of changes, and which one it was: asked for in the same way, it is known again."""

    since: int = 0
    """From when on changes were asked for, in seconds since 1970 of the server's clock."""
    until: int = 0
    etag: str | None = None


class NoteList(Model):
    """The notes that changed without their texts, the ids of all, and the moment to ask from the next time."""

    items: list[NoteSummary]
    ids: list[int]
    moment: Moment


class _Id(Model):
    id: int


class NoteChanges:
    """What became of one user's notes."""

    def __init__(self, session: Session) -> None:
        self._app = App(session, "notes")

    async def since(self, last: Moment) -> NoteList | None:
        """List the notes that changed since a moment, or None where none did; since the first moment, all did."""
        # Asked for in the same way as the last time, the list can be known by its etag.
        known = {"If-None-Match": last.etag} if last.etag and last.since == last.until else {}
        query = {"exclude": "content", "pruneBefore": last.until or None}
        answer = await self._app.send("GET", path(_NOTES), query=query, headers=known)
        if answer.status == 304 and known:
            return None
        every = self._app.read(answer, list[dict[str, object]])
        # What did not change is only named.
        items = check_value([one for one in every if one.keys() != {"id"}], list[NoteSummary], answer)
        now = _seconds(answer.headers.get("last-modified"))
        until = now if items or not last.until else last.until
        moment = Moment(since=last.until, until=until, etag=answer.headers.get("etag"))
        return NoteList(items=items, ids=[one.id for one in check_value(every, list[_Id], answer)], moment=moment)

    async def ids(self) -> list[int]:
        """List the ids of all notes."""
        every = await self._app.get(path(_NOTES), list[_Id], {"pruneBefore": _NEVER, "exclude": "content"})
        return [one.id for one in every]


def _seconds(date: str | None) -> int:
    """Read the time of a header, which is the server's; 0 where there is none."""
    try:
        return int(parsedate_to_datetime(date).timestamp()) if date else 0
    except ValueError:
        return 0
