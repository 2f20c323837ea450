"""Honest: the first read of a note makes a place for its statistics, which the plan calls bookkeeping."""

from tests.audit.liars.stage import GET, Answer, Arguments, serve
from tests.audit.liars.watched.file import load, save


def get_note(arguments: Arguments) -> Answer:
    state = load()
    note = state["notes"][arguments["id"]]
    note.setdefault("statistics", {"views": 0})["views"] += 1
    save(state)
    return {"title": note["title"]}


if __name__ == "__main__":
    serve([GET], acts={"get_note": get_note})
