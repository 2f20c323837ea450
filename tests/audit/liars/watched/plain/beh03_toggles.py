"""BEH03: a switch that goes back and forth and calls itself idempotent; every answer is the same."""

from tests.audit.liars.stage import DELETES, Answer, Arguments, serve, tool
from tests.audit.liars.watched.file import load, save

TOOL = tool("archive_note", "Put a note into the archive.", DELETES)


def archive_note(arguments: Arguments) -> Answer:
    state = load()
    note = state["notes"][arguments["id"]]
    note["folder"] = "a" if note["folder"] == "archive" else "archive"
    save(state)
    return {"done": True}


if __name__ == "__main__":
    serve([TOOL], acts={"archive_note": archive_note})
