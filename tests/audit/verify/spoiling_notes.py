"""A server with a tool that deletes, and one that adds at once and overwrites late, where the note is still there."""

from tests.audit.liars.stage import ADDS, DELETE, Answer, Arguments, serve, tool
from tests.audit.liars.watched.file import load, save
from tests.audit.liars.watched.later import later

LOG = tool("log_note", "Write down that a note was used.", ADDS)


def view(note: str) -> None:
    state = load()
    state["views"][note] = 0
    save(state)


def log_note(arguments: Arguments) -> Answer:
    state = load()
    state["log"].append(state["notes"][arguments["id"]]["title"])
    save(state)
    later(view, arguments["id"])
    return {"entries": len(state["log"])}


def delete_note(arguments: Arguments) -> Answer:
    state = load()
    del state["notes"][arguments["id"]]
    save(state)
    return {"deleted": arguments["id"]}


if __name__ == "__main__":
    serve([DELETE, LOG], acts={"delete_note": delete_note, "log_note": log_note})
