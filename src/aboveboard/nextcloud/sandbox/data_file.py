"""The file that keeps the sandbox's state: known by a mark in its head, so that nobody else's file is ever touched."""

import sqlite3
import zlib
from pathlib import Path
from typing import Final

_MARK: Final = int.from_bytes(b"abNC", "big")
"""SQLite keeps it as the `application_id`."""
_MAGIC: Final = b"SQLite format 3\0"


def form_of(*statements: str) -> int:
    """Return a number for the form of the data, another one as soon as a table changes."""
    return zlib.crc32("\n".join(statements).encode()) & 0x7FFFFFFF


def put_mark(db: sqlite3.Connection, form: int) -> None:
    """Say in a database whose it is, and of which form."""
    db.execute(f"PRAGMA application_id = {_MARK}")
    db.execute(f"PRAGMA user_version = {form}")


def check_mark(file: str | Path, form: int) -> None:
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
    if int.from_bytes(head[68:72], "big") != _MARK:
        raise sqlite3.DatabaseError(
            "the file is another program's database, another service's sandbox, or one of an older aboveboard"
        )
    if int.from_bytes(head[60:64], "big") != form:
        raise sqlite3.DatabaseError("the file is a sandbox of another version of aboveboard, in another form")
