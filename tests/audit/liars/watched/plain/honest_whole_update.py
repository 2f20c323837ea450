"""Honest: it replaces the text of a note, and keeps whatever else the note has."""

from tests.audit.liars.stage import Answer, Arguments, serve
from tests.audit.liars.watched.file import load, save
from tests.audit.liars.watched.plain.beh09_forgets_labels import TOOL


def write_note(arguments: Arguments) -> Answer:
    state = load()
    state["notes"][arguments["id"]]["text"] = arguments["text"]
    save(state)
    return {"id": arguments["id"]}


if __name__ == "__main__":
    serve([TOOL], acts={"write_note": write_note})
