"""What is kept of address books: the books, their cards, who else sees a book, and what happened in which order."""

import re
from collections.abc import Iterable

from aboveboard.nextcloud.sandbox.store import ID, PERSON
from aboveboard.sandbox.table import Fact, Rows, Table, show_fact

BOOK = "book INTEGER REFERENCES addressbooks ON DELETE CASCADE"


def _tell_cards(rows: Rows) -> Iterable[Fact]:
    """A card line by line, so that a comparison shows which of them changed."""
    sql = "SELECT cards.*, uid, b.uri AS name FROM cards JOIN addressbooks AS b ON book = b.id"
    for row in rows.all(sql):
        at = f"contacts/{row['uid']}/{row['name']}/{row['uri']}"
        yield f"derived/{at}/modified", row["modified"]
        yield from _tell_lines(at, row["data"])


def _tell_lines(at: str, data: bytes) -> Iterable[Fact]:
    counts: dict[str, int] = {}
    for line in re.split(rb"\r?\n(?![ \t])", data):
        name = re.split(rb"[:;]", line)[0].decode("utf-8", "replace").upper()
        counts[name] = counts.get(name, 0) + 1
        if line:
            yield f"{at}/{name}/{counts[name]}", show_fact(line)


BOOKS = Table(
    "addressbooks",
    f"{ID}, {PERSON}, uri TEXT, displayname TEXT, description TEXT, token INTEGER",
    at="addressbooks/{uid}/{uri}",
    derived={"token"},
    unseen={"id"},
    indexes=("uid",),
)
CARDS = Table(
    "cards",
    f"{ID}, {BOOK}, uri TEXT, data BLOB, card_uid TEXT, modified INTEGER, UNIQUE (book, uri)",
    tell=_tell_cards,
)
CHANGES = Table(
    "card_changes",
    f"{ID}, {BOOK}, uri TEXT, token INTEGER, gone INTEGER",
    fleeting=True,
    indexes=("book",),
)
SHARES = Table(
    "addressbook_shares",
    f"{BOOK}, {PERSON}, writable INTEGER, PRIMARY KEY (book, uid)",
    at="addressbooks/shared/{book}/{uid}",
    flags={"writable"},
)
