"""Search over contacts: the server finds, in all address books at once, and only what it finds is fetched."""

import re
from typing import Final

from aboveboard.errors import BadInput
from aboveboard.nextcloud.client.contacts.contacts import SUMMARY, Contacts, Stored
from aboveboard.nextcloud.client.contacts.description import names_of
from aboveboard.nextcloud.client.contacts.queries import contains, defined_filter, query
from aboveboard.nextcloud.client.content_lines import unescape_value
from aboveboard.nextcloud.client.xml import Element

_SEARCHED: Final = ("FN", "N", "NICKNAME", "EMAIL", "ORG", "TITLE", "NOTE", "ADR", "CATEGORIES", "TEL")
_NUMBER: Final = re.compile(r"[+\d][\d\s()/.-]{3,}")


class ContactSearch:
    """Finds contacts and groups of one user."""

    def __init__(self, contacts: Contacts) -> None:
        self._contacts = contacts

    async def search(self, text: str, *, book: str | None = None) -> list[Stored]:
        """Find contacts by words that must all occur, or by a telephone number however it is written."""
        words = text.split()
        if not words:
            raise BadInput("There is nothing to search for.", next_step="Give a name, a part of one, or a number.")
        if _NUMBER.fullmatch(text.strip()):
            # A leading zero stands for a country that is not said.
            asked, digits = query(defined_filter("TEL"), properties=SUMMARY), _digits(text).lstrip("0")
            return [one for one in await self._everywhere(book, asked) if _has_number(one, digits)]
        longest = max(words, key=len)
        asked = query(*(contains(name, longest) for name in _SEARCHED), properties=(*SUMMARY, *_SEARCHED))
        others = [word.casefold() for word in words if word is not longest]
        found = await self._everywhere(book, asked)
        return [one for one in found if all(word in _searched_text(one) for word in others)]

    async def groups(self, book: str | None = None) -> dict[str, int]:
        """Count the contacts of each group."""
        counts: dict[str, int] = {}
        asked = query(defined_filter("CATEGORIES"), properties=("CATEGORIES",))
        for one in await self._everywhere(book, asked):
            for name in names_of(one.card.named("CATEGORIES")):
                counts[name] = counts.get(name, 0) + 1
        return counts

    async def _everywhere(self, book: str | None, asked: Element) -> list[Stored]:
        return await (self._contacts.ask(book, asked) if book else self._contacts.ask_all(asked))


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def _has_number(stored: Stored, digits: str) -> bool:
    return any(digits in _digits(line.value) for line in stored.card.named("TEL"))


def _searched_text(stored: Stored) -> str:
    return "\n".join(unescape_value(line.value) for line in stored.card.named(*_SEARCHED)).casefold()
