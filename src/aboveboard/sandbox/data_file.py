"""The file that keeps a sandbox's state: known by a mark in its head, so that nobody else's file is ever touched."""

import sqlite3
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_MAGIC: Final = b"SQLite format 3\0"


@dataclass(frozen=True)
class Mark:
    """Whose file it is, by four letters that SQLite keeps as the `application_id`, and of which form its data are."""

    letters: str
    form: int

    @property
    def number(self) -> int:
        """The letters as SQLite keeps them."""
        return int.from_bytes(self.letters.encode(), "big")

    def put(self, db: sqlite3.Connection) -> None:
        """Say in a database whose it is, and of which form."""
        db.execute(f"PRAGMA application_id = {self.number}")
        db.execute(f"PRAGMA user_version = {self.form}")

    def check(self, file: str | Path) -> None:
        """Refuse a file that holds anything but a sandbox of this kind and form; it is only read for that."""
        try:
            with Path(file).open("rb") as opened:
                head = opened.read(100)
        except OSError:  # it is not there yet, or SQLite will say what is wrong with it
            return
        if not head:
            return
        if not head.startswith(_MAGIC):
            raise sqlite3.DatabaseError("the file is not a database")
        if int.from_bytes(head[68:72], "big") != self.number:
            raise sqlite3.DatabaseError(
                "the file is another program's database, another service's sandbox, or one of an older aboveboard"
            )
        if int.from_bytes(head[60:64], "big") != self.form:
            raise sqlite3.DatabaseError("the file is a sandbox of another version of aboveboard, in another form")


def form_of(statements: Iterable[str]) -> int:
    """Return a number for the form of the data, another one as soon as a table changes."""
    return zlib.crc32("\n".join(statements).encode()) & 0x7FFFFFFF
