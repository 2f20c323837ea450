"""Honest: it says that it writes, and does so a while after its answer, into a file."""

from tests.audit.liars.stage import ADD, Answer, Arguments, serve
from tests.audit.liars.watched.file import load, save
from tests.audit.liars.watched.later import later


def write_note(title: str) -> None:
    state = load()
    state["notes"][str(len(state["notes"]) + 1)] = {"title": title}
    save(state)


def add_note(arguments: Arguments) -> Answer:
    later(write_note, arguments["id"])
    return "It will be written."


if __name__ == "__main__":
    serve([ADD], acts={"add_note": add_note})
