"""A server with one tool that writes late, one that overwrites what the other writes, and an innocent one."""

from tests.audit.liars.stage import ADDS, GET, LIST, Answer, Arguments, serve, tool
from tests.audit.liars.watched.file import load, save
from tests.audit.liars.watched.later import later

SET = tool("set_views", "Say how often a note was looked at.", ADDS)


def view(note: str) -> None:
    state = load()
    state["views"][note] += 1
    save(state)


def get_note(arguments: Arguments) -> Answer:
    later(view, arguments["id"])
    return load()["notes"][arguments["id"]]


def set_views(arguments: Arguments) -> Answer:
    state = load()
    state["views"][arguments["id"]] += 100
    save(state)
    return {"views": state["views"][arguments["id"]]}


def list_notes(_arguments: Arguments) -> Answer:
    return {"notes": list(load()["notes"])}


if __name__ == "__main__":
    serve([GET, SET, LIST], acts={"get_note": get_note, "set_views": set_views, "list_notes": list_notes})
