"""What a title may mean: the boards, notes, contacts or events of an account, each with its id and its names."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from aboveboard.naming import Candidate

if TYPE_CHECKING:
    from aboveboard.nextcloud.client import NextcloudClient

Kind = Literal[
    "board",
    "deleted board",
    "stack",
    "card",
    "label",
    "attachment",
    "person",
    "table",
    "view",
    "column",
    "note",
    "recipe",
    "feed",
    "folder",
    "address book",
    "contact",
    "event",
    "task",
    "deleted event",
]
Numbered = list[Candidate[int]]
Worded = list[Candidate[str]]


class Candidates:
    """Lists those that a title may mean; where the server can look for it, only those that are called so."""

    def __init__(self, nextcloud: "NextcloudClient") -> None:
        self._nextcloud = nextcloud

    async def of(self, kind: Kind, title: str, *inside: Any) -> Sequence[Candidate[Any]]:
        """List those of a kind, in a place if they are in one."""
        return await self._finders[kind](title, *inside)

    @property
    def _finders(self) -> Mapping[Kind, Callable[..., Awaitable[Sequence[Candidate[Any]]]]]:
        return {
            "board": partial(self._boards, deleted=False),
            "deleted board": partial(self._boards, deleted=True),
            "stack": self._stacks,
            "card": self._cards,
            "label": self._labels,
            "attachment": self._attachments,
            "person": self._people,
            "table": self._tables,
            "view": self._views,
            "column": self._columns,
            "note": self._notes,
            "recipe": self._recipes,
            "feed": self._feeds,
            "folder": self._folders,
            "address book": self._address_books,
            "contact": self._contacts,
            "event": partial(self._in_a_calendar, "VEVENT"),
            "task": partial(self._in_a_calendar, "VTODO"),
            "deleted event": self._deleted_events,
        }

    async def _boards(self, _title: str, *, deleted: bool) -> Numbered:
        boards = await self._nextcloud.deck.boards.list()
        return [Candidate(one.id, [one.title]) for one in boards if bool(one.deleted_at) == deleted]

    async def _stacks(self, _title: str, board: int) -> Numbered:
        return [Candidate(one.id, [one.title]) for one in (await self._nextcloud.deck.boards.get(board)).stacks]

    async def _cards(self, _title: str, board: int, stack: int | None = None) -> Numbered:
        """List archived cards too: which of two that are called alike is meant is not to be guessed."""
        stacks = self._nextcloud.deck.stacks
        every = [*await stacks.list(board), *await stacks.archived(board)]
        return [Candidate(card.id, [card.title]) for one in every if stack in (None, one.id) for card in one.cards]

    async def _labels(self, _title: str, board: int) -> Numbered:
        return [Candidate(one.id, [one.title]) for one in await self._nextcloud.deck.labels.list(board)]

    async def _attachments(self, _title: str, board: int, stack: int, card: int) -> Numbered:
        from aboveboard.nextcloud.client.deck.cards import Spot

        found = await self._nextcloud.deck.attachments.list(Spot(board, stack, card))
        return [Candidate(one.id, [one.name]) for one in found]

    async def _people(self, _title: str, board: int) -> Worded:
        return [Candidate(one.uid, [one.displayname]) for one in (await self._nextcloud.deck.boards.get(board)).users]

    async def _tables(self, _title: str) -> Numbered:
        return [Candidate(one.id, [one.title]) for one in await self._nextcloud.tables.list()]

    async def _views(self, _title: str) -> Numbered:
        return [Candidate(one.id, [one.title]) for one in await self._nextcloud.tables.views()]

    async def _columns(self, _title: str, table: int) -> Numbered:
        return [Candidate(one.id, [one.title]) for one in await self._nextcloud.table_columns.list(table)]

    async def _notes(self, _title: str) -> Numbered:
        """List notes by their titles, and with their categories, which tell two of one title apart."""
        notes = await self._nextcloud.notes.every()
        return [Candidate(one.id, [one.title, f"{one.category}/{one.title}".lstrip("/")]) for one in notes]

    async def _recipes(self, _title: str) -> Numbered:
        return [Candidate(one.id, [one.name]) for one in await self._nextcloud.cookbook.list()]

    async def _feeds(self, _title: str) -> Numbered:
        return [Candidate(one.id, [one.title, one.url]) for one in await self._nextcloud.feeds.list()]

    async def _folders(self, _title: str) -> Numbered:
        return [Candidate(one.id, [one.name]) for one in await self._nextcloud.feeds.folders()]

    async def _address_books(self, _title: str) -> Worded:
        books = await self._nextcloud.contacts.books.list()
        return [Candidate(one.name, [one.name, one.display_name]) for one in books]

    async def _contacts(self, title: str, book: str) -> Worded:
        from aboveboard.nextcloud.client.contacts.description import describe_card

        found = [describe_card(one.card) for one in await self._nextcloud.contacts.called(book, title)]
        return [Candidate(one.uid, [one.fn, *(entry.value for entry in one.email)]) for one in found]

    async def _in_a_calendar(self, component: str, title: str, calendar: str) -> Worded:
        from aboveboard.nextcloud.client.calendar.titles import find_by_title

        name = (await self._nextcloud.calendars.get(calendar)).name
        return await find_by_title(self._nextcloud.calendar_objects, name, title, component)

    async def _deleted_events(self, _title: str) -> Worded:
        held = await self._nextcloud.calendar_trash.list()
        return [Candidate(one.id, [one.title, f"deleted {one.deleted or 'some time'}"]) for one in held]
