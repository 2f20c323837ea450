"""Contacts, as documents to search."""

from collections.abc import Collection, Sequence
from typing import Final

from aboveboard.nextcloud.client.contacts.contacts import Stored
from aboveboard.nextcloud.client.contacts.queries import defined, query
from aboveboard.nextcloud.client.contacts.reading import described
from aboveboard.nextcloud.tools.search.sources.gathered import Gathered, GatheredSource
from aboveboard.search.entries import Entry

_FIELDS: Final = (
    "FN", "N", "NICKNAME", "EMAIL", "TEL", "ADR", "ORG", "TITLE", "ROLE", "BDAY", "NOTE", "URL", "CATEGORIES",
)  # fmt: skip
"""All that says something of a person; photos are most of what a book weighs."""


class ContactSource(GatheredSource):
    """The contacts in one person's address books; a key is the book's name and the card's."""

    name = "contact"

    async def gather(self, keys: Collection[str] | None = None) -> Sequence[Gathered]:
        """List the contacts of all books, or of those that some keys are of."""
        wanted = None if keys is None else {key.partition("/")[0] for key in keys}
        asked = query(defined("UID"), properties=_FIELDS if keys is None else ())
        found: list[Gathered] = []
        for book in await self._nextcloud.contacts.books.list():
            if wanted is None or book.name in wanted:
                cards = await self._nextcloud.contacts.ask(book.name, asked)
                found += [_gathered(card, book.display_name) for card in cards]
        return found

    def link(self, entry: Entry) -> str:
        """Return where people open contacts."""
        return f"{self._nextcloud.url}/index.php/apps/contacts/"


def _gathered(stored: Stored, book: str) -> Gathered:
    contact = described(stored.card)
    places = [" ".join(filter(None, [one.street, one.postal_code, one.city, one.country])) for one in contact.adr]
    said = [
        ", ".join(filter(None, [contact.title, contact.role, *contact.org])),
        ", ".join(one.value for one in (*contact.email, *contact.tel, *contact.url)),
        "\n".join(places),
        contact.note or "",
        ", ".join([*contact.nickname, *contact.categories]),
        contact.bday or "",
    ]
    return Gathered.of(f"{stored.book}/{stored.name}", contact.fn or stored.name, said, place=book)
