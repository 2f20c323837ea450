"""Contacts: list, read, make, change and delete them.

A contact is known by its UID, while the card that holds it may have any name; most are named by it, so that is looked
at first. A card is read and written in the version that it is in: what Nextcloud converts loses fields.
"""

import builtins
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import uuid4

from aboveboard.errors import BadInput, Conflict, NotFound
from aboveboard.http import Nature, Path, Response
from aboveboard.nextcloud.client.changes import changes_between
from aboveboard.nextcloud.client.contacts.books import BOOK, Books, no_book, read_only
from aboveboard.nextcloud.client.contacts.cards import Card
from aboveboard.nextcloud.client.contacts.queries import defined_filter, equals, multiget, query
from aboveboard.nextcloud.client.content_lines import escape_text
from aboveboard.nextcloud.client.dav import Dav
from aboveboard.nextcloud.client.files.etags import bare, quote_etag, stale
from aboveboard.nextcloud.client.memory import Memory
from aboveboard.nextcloud.client.parallel import each
from aboveboard.nextcloud.client.xml import Element, Resource, serialize_xml

_CARD: Final = f"{BOOK}/{{card}}"
_TYPE: Final = "text/vcard; charset=utf-8"
_TRIES: Final = 3
_NAMED: Final = 100
"""Cards that are read by their names at once."""
_GENERATED: Final = "z-app-generated--"
"""How books begin that an app makes: the token of such a one tells nothing of its changes."""
_NAMES: Final = ("FN", "EMAIL", "UID")
"""What a contact is known by."""
SUMMARY: Final = ("FN", "EMAIL", "TEL", "ORG", "TITLE", "CATEGORIES", "KIND", "X-ADDRESSBOOKSERVER-KIND")
"""What is asked for of many contacts: photos are most of what a book weighs."""


@dataclass(frozen=True)
class Stored:
    """A card, its book and its name there, and which state of it this is."""

    book: str
    name: str
    etag: str | None
    card: Card


class Contacts:
    """The contacts of one user."""

    def __init__(self, dav: Dav) -> None:
        self._dav = dav
        self._memory: Memory[builtins.list[Stored]] = Memory()
        self.books = Books(dav, self._memory)

    async def list(self, book: str, *, limit: int, offset: int = 0) -> tuple[builtins.list[Stored], bool]:
        """List some contacts of a book by the names of their cards, and tell whether there are more."""
        asked = query(defined_filter("UID"), limit=offset + limit + 1, properties=SUMMARY)
        found = await self.ask(book, asked)
        return found[offset : offset + limit], len(found) > offset + limit

    async def ask(self, book: str, asked: Element) -> builtins.list[Stored]:
        """Let the server search a book."""
        try:
            found = await self._dav.report(await self.books.at(book), asked, depth=1)
        except NotFound:
            raise no_book(book) from None
        return [stored for one in found if (stored := _stored(one)) is not None]

    async def ask_all(self, asked: Element) -> builtins.list[Stored]:
        """Let the server search all books at once; those that did not change since are not asked again."""
        found = await each(await self.books.with_tokens(), lambda one: self._current(one[0].name, one[1], asked))
        return [one for several in found for one in several]

    async def _current(self, book: str, token: str | None, asked: Element) -> builtins.list[Stored]:
        if token is None or book.startswith(_GENERATED):
            return await self.ask(book, asked)
        key = (book, serialize_xml(asked))
        known = self._memory.get(key)
        if known is not None and known.tag == token:
            return known.found
        found = await self.ask(book, asked)
        self._memory.keep(key, token, token, found)
        return found

    async def called(self, book: str, name: str) -> builtins.list[Stored]:
        """Find the contacts that have this name, mail address or uid."""
        return await self.ask(book, query(*(equals(one, name) for one in _NAMES), properties=_NAMES))

    async def between(
        self, book: str, known: str, current: str | None, properties: Sequence[str]
    ) -> dict[str, Stored | None] | None:
        """Tell what changed between two tokens, None for what is gone; in all None where the server cannot tell."""
        changed = await changes_between(self._dav, await self.books.at(book), known, current, "d:getetag")
        if changed is None:
            return None
        found: dict[str, Stored | None] = {one.place.rpartition("/")[2]: None for one in changed}
        there = [one.place.rpartition("/")[2] for one in changed if one.status != 404]
        for start in range(0, len(there), _NAMED):
            found |= await self._named(book, there[start : start + _NAMED], properties)
        return found

    async def _named(self, book: str, names: Sequence[str], properties: Sequence[str]) -> dict[str, Stored]:
        """Read some cards by their names."""
        places = [self._dav.url(await self._dav.at(_CARD, addressbook=book, card=name)) for name in names]
        found = await self._dav.report(await self.books.at(book), multiget(places, properties=properties), depth=1)
        return {stored.name: stored for one in found if (stored := _stored(one)) is not None}

    async def get(self, book: str, uid: str) -> Stored:
        """Read a contact as it is kept."""
        if not uid:  # which servers fail to look for
            raise _missing(book, uid)
        guess = await self._read(book, f"{uid}.vcf") if "/" not in uid else None
        if guess is not None and guess.card.uid == uid:
            return guess
        for found in await self.ask(book, query(equals("UID", uid), properties=("UID",))):
            exact = await self._read(book, found.name) if found.card.uid == uid else None
            if exact is not None:
                return exact
        raise _missing(book, uid)

    async def create(self, book: str, card: Card) -> Stored:
        """Keep a new contact."""
        at = await self._dav.at(_CARD, addressbook=book, card=f"{card.uid}.vcf")
        headers = {"Content-Type": _TYPE, "If-None-Match": "*"}
        answer = await self._dav.put(at, str(card).encode(), headers, nature=Nature.ADDS)
        taken = answer.status == 400 and b"already exists" in answer.content
        if taken or answer.status == 412:
            raise Conflict(f"The address book {book!r} has a contact {card.uid!r} already.", status=409)
        return await self._written(answer, book, card)

    async def update(self, book: str, uid: str, change: Callable[[Card], object], *, etag: str | None = None) -> Stored:
        """Change a contact as it is now; where somebody else writes at the same time, what they wrote is changed.

        With `etag`, only that state of it is changed. Where nothing is to change, nothing is written.
        """
        for attempt in range(_TRIES):
            old = await self.get(book, uid)
            if etag and bare(etag) != old.etag:
                raise stale(f"The contact {uid!r}", old.etag)
            new = Card(str(old.card))
            change(new)
            if str(new) == str(old.card):
                return old
            answer = await self._put_over(old, new)
            if answer.status == 412 and attempt + 1 < _TRIES:
                continue
            if answer.status == 412:
                raise stale(f"The contact {uid!r}", bare(answer.headers.get("etag")))
            return await self._written(answer, book, new)
        raise AssertionError("the last try returns or raises")

    async def delete(self, book: str, uid: str) -> Stored:
        """Delete a contact for good, and return what it was."""
        found = await self.get(book, uid)
        answer = await self._dav.delete(await self._at(found))
        await self._check_rights(answer, book)
        self._dav.good(answer)
        return found

    async def _put_over(self, old: Stored, new: Card) -> Response:
        if old.etag is None:
            raise BadInput("Nextcloud does not tell which state of the contact this is.")
        headers = {"Content-Type": _TYPE, "If-Match": quote_etag(old.etag)}
        return await self._dav.put(await self._at(old), str(new).encode(), headers, nature=Nature.REPLACES)

    async def _written(self, answer: Response, book: str, card: Card) -> Stored:
        """Return what is there once a card was written; without an ETag, the server keeps something else of it."""
        await self._check_rights(answer, book)
        etag = bare(self._dav.good(answer).headers.get("etag"))
        return Stored(book, "", etag, card) if etag else await self.get(book, card.uid)

    async def _check_rights(self, answer: Response, book: str) -> None:
        """Tell a book that may only be read, which looks as if it were not there."""
        if answer.status in (403, 404) and (await self.books.check(book)).read_only:
            raise read_only(book)

    async def _at(self, stored: Stored) -> Path:
        return await self._dav.at(_CARD, addressbook=stored.book, card=stored.name)

    async def _read(self, book: str, card: str) -> Stored | None:
        """Read a card in the version that it is in: its properties tell its text, which no Accept header converts."""
        at = await self._dav.at(_CARD, addressbook=book, card=card)
        try:
            found = _stored(await self._dav.stat(at, "d:getetag", "card:address-data"))
        except NotFound:
            return None
        if found is not None and "\r\n" in str(found.card):
            return found
        # Some servers do not tell the text so, and some lose the line ends on the way.
        version = {"Accept": f"text/vcard; version={found.card.version}"} if found else {}
        answer = self._dav.good(await self._dav.get(at, version))
        try:
            text = answer.content.decode()
        except UnicodeDecodeError:
            raise answer.misfit(f"The contact in {card!r} is not UTF-8, and cannot be read.") from None
        return Stored(book, card, bare(answer.headers.get("etag")), Card(text))


def new_card(uid: str | None, fn: str) -> Card:
    """Begin a card; 3.0 is what every client reads."""
    made = uid or str(uuid4())
    if "/" in made or not made.isprintable() or made.strip() != made:
        raise BadInput(f"{made!r} is not a UID.", next_step="Leave it out, and one is made.")
    words = fn.split()
    head = ["BEGIN:VCARD", "VERSION:3.0", "PRODID:-//aboveboard//EN"]
    card = Card("\r\n".join([*head, "END:VCARD", ""]))
    card.add("UID", escape_text(made))
    card.add("FN", escape_text(fn))
    card.add("N", ";".join([escape_text(" ".join(words[-1:])), escape_text(" ".join(words[:-1])), "", "", ""]))
    return card


def _stored(resource: Resource) -> Stored | None:
    text = resource.text("card:address-data")
    if not text:
        return None
    book, _, name = resource.place.rpartition("/")
    return Stored(book.rpartition("/")[2], name, bare(resource.text("d:getetag")), Card(text))


def _missing(book: str, uid: str) -> NotFound:
    return NotFound(
        f"The address book {book!r} has no contact {uid!r}.",
        status=404,
        next_step="search_contacts and list_contacts show uids.",
    )
