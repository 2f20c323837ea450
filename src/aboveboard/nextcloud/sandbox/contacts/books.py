"""The tree of address books: someone's own, those that others share with them, and the two that the server makes."""

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence

from aboveboard.nextcloud.sandbox.contacts import conversion, vcards
from aboveboard.nextcloud.sandbox.dav.dialect import DavCall, Resource, not_found
from aboveboard.nextcloud.sandbox.dav.propfind import update_statuses
from aboveboard.nextcloud.sandbox.dav.xml import Element, Value, clark, make, table
from aboveboard.nextcloud.sandbox.store import Store
from aboveboard.nextcloud.sandbox.wire import digest, http_date

SYSTEM, RECENT = "z-server-generated--system", "z-app-generated--contactsinteraction--recent"
CARD_TYPE = "text/vcard; charset=utf-8"
_ALL = (
    "all read write write-properties write-content unlock bind unbind write-acl read-acl"
    " read-current-user-privilege-set"
)
_OWNER = (
    "write-properties write write-content unlock bind unbind write-acl read read-acl read-current-user-privilege-set"
)
_READER = "write-properties read read-acl read-current-user-privilege-set"
_RECENT = "unbind read read-acl read-current-user-privilege-set"
_PATCHABLE = {clark("d:displayname"): "displayname", clark("card:addressbook-description"): "description"}


class Card(Resource):
    """A card in a book."""

    collection = False

    def __init__(self, book: "Book", uri: str, data: bytes, modified: int, number: int = 0) -> None:
        super().__init__(f"{book.path}/{uri}")
        self.book, self.uri, self.data, self.modified, self.number = book, uri, data, modified, number

    def value(self, name: str) -> Value | None:
        """A property of the table below."""
        read = _CARD_PROPERTIES.get(name)
        return read(self) if read else super().value(name)

    def patch(self, updates: Mapping[str, Element | None]) -> dict[str, int]:
        """Everything is said to be set, and nothing is."""
        return update_statuses(dict(updates), ())

    @property
    def text(self) -> str:
        """What the card holds."""
        return self.data.decode()

    def parsed(self) -> vcards.VCard:
        """What the card holds, taken apart."""
        return vcards.read(self.text)


def _has_photo(card: Card) -> str:
    return "1" if conversion.photo(card.parsed()) else "0"


_CARD_PROPERTIES: dict[str, Callable[[Card], Value | None]] = table(
    {
        "d:getetag": lambda card: f'"{digest(card.text)}"',
        "d:getlastmodified": lambda card: http_date(card.modified),
        "d:getcontenttype": lambda _: CARD_TYPE,
        "d:getcontentlength": lambda card: str(len(card.data)),
        "card:address-data": lambda card: card.text,
    }
)
_CARD_PROPERTIES["{http://nextcloud.com/ns}has-photo"] = _has_photo


class Book(Resource):
    """An address book as one person sees it."""

    privileges = _OWNER

    def __init__(self, dav: DavCall, row: sqlite3.Row, *, shared: bool = False, writable: bool = True) -> None:
        self.store, self.row, self.shared, self.writable = dav.call.store, row, shared, writable
        name = f"{row['uri']}_shared_by_{row['uid']}" if shared else row["uri"]
        super().__init__(f"{dav.url}/users/{dav.call.uid}/{name}")
        self.name = name
        if shared and not writable:
            self.privileges = _READER

    def value(self, name: str) -> Value | None:
        """A property of the table below."""
        read = _BOOK_PROPERTIES.get(name)
        return read(self) if read else super().value(name)

    def patch(self, updates: Mapping[str, Element | None]) -> dict[str, int]:
        """Another name or description."""
        for name, column in _PATCHABLE.items():
            if name in updates:
                element = updates[name]
                self.store.update(
                    "addressbooks", self.row["id"], **{column: element.text if element is not None else None}
                )
        return update_statuses(dict(updates), ())

    @property
    def shown_name(self) -> str:
        """What it is called; who shares it is told with it."""
        return f"{self.row['displayname']} ({self.row['uid']})" if self.shared else self.row["displayname"]

    def members(self) -> Sequence[Card]:
        """The cards, by their names."""
        rows = self.store.all("SELECT * FROM cards WHERE book = ? ORDER BY uri", self.row["id"])
        return [self._card(row) for row in rows]

    def card(self, uri: str) -> Card | None:
        """A card by its name, where there is one."""
        row = self.store.one("SELECT * FROM cards WHERE book = ? AND uri = ?", self.row["id"], uri)
        return None if row is None else self._card(row)

    def _card(self, row: sqlite3.Row) -> Card:
        return Card(self, row["uri"], row["data"], row["modified"], row["id"])

    def token(self) -> int:
        """The number of the last change."""
        return self.row["token"]


class Accounts(Book):
    """All accounts of the server as cards, which nobody may write."""

    privileges = _READER

    def __init__(self, dav: DavCall) -> None:
        Resource.__init__(self, f"{dav.url}/users/{dav.call.uid}/{SYSTEM}")
        self.store, self.name, self.shared, self.writable = dav.call.store, SYSTEM, False, False

    @property
    def shown_name(self) -> str:
        """What it is called."""
        return "Accounts"

    def members(self) -> Sequence[Card]:
        """A card for each account."""
        people = self.store.all("SELECT * FROM users WHERE enabled ORDER BY uid")
        return [Card(self, f"Database:{one['uid']}.vcf", _account(one), one["first_login"]) for one in people]

    def card(self, uri: str) -> Card | None:
        """An account's card."""
        return next((card for card in self.members() if card.uri == uri), None)

    def token(self) -> int:
        """The number of the last change; here, how many there are."""
        return len(self.members())


class Recent(Accounts):
    """Whom one had to do with lately; nothing here takes note of it."""

    privileges = _RECENT

    def __init__(self, dav: DavCall) -> None:
        super().__init__(dav)
        self.name, self.path = RECENT, f"{dav.url}/users/{dav.call.uid}/{RECENT}"

    @property
    def shown_name(self) -> str:
        """What it is called."""
        return "Recently contacted"

    def members(self) -> Sequence[Card]:
        """Nobody."""
        return ()


def _account(row: sqlite3.Row) -> bytes:
    lines = ["BEGIN:VCARD", "VERSION:3.0", f"PRODID:{vcards.PRODUCT}", f"UID:{row['uid']}", f"FN:{row['displayname']}"]
    lines += [f"N:{row['displayname']};;;;"]
    lines += [f"EMAIL;TYPE=OTHER:{row['email']}"] if row["email"] else []
    return "\r\n".join([*lines, "END:VCARD", ""]).encode()


def _ctag(book: Book) -> str:
    return f"http://sabre.io/ns/sync/{book.store.now()}" if isinstance(book, Recent) else str(book.token())


def _owner(book: Book) -> str | None:
    if isinstance(book, Accounts):
        return None if isinstance(book, Recent) else "principals/system/system"
    return f"principals/users/{book.row['uid']}" if book.shared else None


def _description(book: Book) -> str | None:
    if isinstance(book, Accounts):
        return None if isinstance(book, Recent) else "System address book which holds all accounts"
    return book.row["description"]


def _versions(_: Book) -> list[Element]:
    found: list[Element] = []
    for kind, version in (("text/vcard", "3.0"), ("text/vcard", "4.0"), ("application/vcard+json", "4.0")):
        element = make("card:address-data-type")
        element.set("content-type", kind)
        element.set("version", version)
        found.append(element)
    return found


def privileges(names: str) -> list[Element]:
    """What one may do."""
    return [make("d:privilege", [make(f"d:{name}")]) for name in names.split()]


_BOOK_PROPERTIES: dict[str, Callable[[Book], Value | None]] = table(
    {
        "d:displayname": lambda book: book.shown_name,
        "d:resourcetype": lambda _: [make("d:collection"), make("card:addressbook")],
        "card:addressbook-description": _description,
        "cs:getctag": _ctag,
        "d:sync-token": lambda book: None if isinstance(book, Recent) else f"http://sabre.io/ns/sync/{book.token()}",
        "oc:owner-principal": _owner,
        "oc:read-only": lambda book: None if not book.shared and book.writable else str(int(not book.writable)),
        "card:supported-address-data": _versions,
        "d:current-user-privilege-set": lambda book: privileges(book.privileges),
    }
)


class Home(Resource):
    """All that someone sees."""

    def __init__(self, dav: DavCall) -> None:
        super().__init__(f"{dav.url}/users/{dav.call.uid}")
        self._dav = dav

    def value(self, name: str) -> Value | None:
        """What one may do here is everything."""
        if name == clark("d:current-user-privilege-set"):
            return privileges(_ALL)
        return super().value(name)

    def members(self) -> Iterable[Book]:
        """One's own, those of others, and those that the server makes."""
        store, uid = self._dav.call.store, self._dav.call.uid
        own = store.all("SELECT * FROM addressbooks WHERE uid = ? ORDER BY id", uid)
        sql = (
            "SELECT addressbooks.*, writable FROM addressbooks JOIN addressbook_shares AS s ON book = id"
            " WHERE s.uid = ? ORDER BY id"
        )
        yield from (Book(self._dav, row) for row in own)
        yield from (Book(self._dav, row, shared=True, writable=bool(row["writable"])) for row in store.all(sql, uid))
        yield from (Accounts(self._dav), Recent(self._dav))


def find(dav: DavCall) -> Resource:
    """What a path names; of other people's homes there is nothing."""
    if not dav.path or (len(dav.path) == 1 and dav.path[0] == "users"):
        return Resource("/".join((dav.url, *dav.path)))
    if dav.path[:2] != ("users", dav.call.uid):
        raise not_found(f"Node with name '{dav.path[-1]}' could not be found")
    if len(dav.path) == 2:
        return Home(dav)
    book = find_book(dav)
    if len(dav.path) == 3:
        return book
    card = book.card(dav.path[3]) if len(dav.path) == 4 else None
    if card is None:
        raise not_found("Card not found")
    return card


def find_book(dav: DavCall) -> Book:
    """The book that a path is in."""
    for book in Home(dav).members():
        if book.name == dav.path[2]:
            return book
    raise not_found(f"Addressbook with name '{dav.path[2]}' could not be found")


def note_change(store: Store, book: int, uri: str, *, gone: bool) -> None:
    """A book has a new number, and what changed under it."""
    store.run("UPDATE addressbooks SET token = token + 1 WHERE id = ?", book)
    row = store.one("SELECT token FROM addressbooks WHERE id = ?", book)
    store.insert("card_changes", book=book, uri=uri, token=row["token"] if row else 0, gone=int(gone))
