"""Honest: a database in a folder of its own, with the log that SQLite keeps beside it while it is open."""

import os
import sqlite3
from pathlib import Path

from tests.audit.liars.stage import ADDS, GET, Answer, Arguments, parameters, serve, tool

ADD = tool("add_note", "Write down a new note and return its id.", ADDS, inputSchema=parameters(text="What it says."))
FOLDER = Path(os.environ["NOTES_FOLDER"])


def connected() -> sqlite3.Connection:
    FOLDER.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(FOLDER / "notes.db")
    database.execute("PRAGMA journal_mode = WAL")
    return database


def get_note(arguments: Arguments) -> Answer:
    row = DATABASE.execute("SELECT text FROM notes WHERE id = ?", [arguments["id"]]).fetchone()
    if row is None:
        raise KeyError(arguments["id"])
    return {"text": row[0]}


def add_note(arguments: Arguments) -> Answer:
    with DATABASE:
        added = DATABASE.execute("INSERT INTO notes (text) VALUES (?)", [arguments["text"]])
    return {"id": added.lastrowid}


if __name__ == "__main__":
    DATABASE = connected()
    serve([GET, ADD], acts={"get_note": get_note, "add_note": add_note})
