"""A server that adds a note late, and for a moment has its file empty: who ends it then tears it."""

import os
from pathlib import Path
from time import sleep

from tests.audit.liars.stage import ADD, Answer, Arguments, serve
from tests.audit.liars.watched.file import load, save
from tests.audit.liars.watched.later import later


def write_note(title: str) -> None:
    state = load()
    state["notes"][str(len(state["notes"]) + 1)] = {"title": title}
    Path(os.environ["NOTES_FILE"]).write_text("", "utf-8")
    sleep(0.25)
    save(state)


def add_note(arguments: Arguments) -> Answer:
    later(write_note, arguments["id"])
    return "It will be written."


if __name__ == "__main__":
    serve([ADD], acts={"add_note": add_note})
