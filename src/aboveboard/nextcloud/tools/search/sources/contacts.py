"""Contacts, as documents to search."""

from collections.abc import Sequence
from typing import Final

from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.contacts.contacts import Stored
from aboveboard.nextcloud.client.contacts.description import describe_card
from aboveboard.nextcloud.client.contacts.queries import defined_filter, query
from aboveboard.nextcloud.tools.contacts.views import contact_url
from aboveboard.nextcloud.tools.search.sources.gathered import Gathered
from aboveboard.nextcloud.tools.search.sources.shelves import Changes, Shelf, ShelfSource
from aboveboard.search.entries import Entry

_FIELDS: Final = (
    "FN", "N", "NICKNAME", "EMAIL", "TEL", "ADR", "ORG", "TITLE", "ROLE", "BDAY", "NOTE", "URL", "CATEGORIES",
)  # fmt: skip
"""All that says something of a person; photos are most of what a book weighs."""

_MADE: Final = "z-"


class ContactSource(ShelfSource):
    """The contacts in one person's address books; a key is the book's name and the card's."""

    name = "contact"

    def __init__(self, nextcloud: NextcloudClient) -> None:
        super().__init__(nextcloud)
        self._links: dict[str, str] = {}

    async def shelves(self) -> Sequence[Shelf]:
        """List the address books."""
        books = await self._nextcloud.contacts.books.with_tokens()
        return [Shelf(book.name, book.display_name, token) for book, token in books]

    async def whole(self, shelf: Shelf, *, brief: bool) -> Sequence[Gathered]:
        """List the contacts of a book."""
        asked = query(defined_filter("UID"), properties=() if brief else _FIELDS)
        found = await self._nextcloud.contacts.ask(shelf.name, asked)
        self._links |= {_key(card): contact_url(self._nextcloud, card) for card in found}
        return [_gathered(card, shelf.title) for card in found]

    async def since(self, shelf: Shelf, tag: str) -> Changes | None:
        """Ask the book what changed, unless Nextcloud makes it itself: those tell that it did, and not what."""
        changed = None
        if not shelf.name.startswith(_MADE):
            changed = await self._nextcloud.contacts.between(shelf.name, tag, shelf.tag, _FIELDS)
        if changed is None:
            return None
        found = [_gathered(one, shelf.title) for one in changed.values() if one is not None]
        return Changes(found, {f"{shelf.name}/{name}" for name, one in changed.items() if one is None})

    async def link(self, entry: Entry) -> str:
        """Return where people open the contact: what is shown was looked at, which told its uid."""
        return self._links.get(entry.key) or self._nextcloud.app_url("contacts")


def _gathered(stored: Stored, book: str) -> Gathered:
    contact = describe_card(stored.card)
    places = [" ".join(filter(None, [one.street, one.postal_code, one.city, one.country])) for one in contact.adr]
    said = [
        ", ".join(filter(None, [contact.title, contact.role, *contact.org])),
        ", ".join(one.value for one in (*contact.email, *contact.tel, *contact.url)),
        "\n".join(places),
        contact.note or "",
        ", ".join([*contact.nickname, *contact.categories]),
        contact.bday or "",
    ]
    return Gathered.of(_key(stored), contact.fn or stored.name, said, place=book)


def _key(stored: Stored) -> str:
    return f"{stored.book}/{stored.name}"
