"""BEH06: a move that takes the note out first, and looks for its new place afterwards."""

from tests.audit.liars.stage import DELETES, Answer, Arguments, Failed, parameters, serve, tool
from tests.audit.liars.watched.file import load, save

SCHEMA = parameters(id="The id of the note.", folder="Where it shall be.")
TOOL = tool("move_note", "Move a note to another folder.", DELETES, inputSchema=SCHEMA)


def move_note(arguments: Arguments) -> Answer:
    state = load()
    note = state["notes"][arguments["id"]]
    note["folder"] = None
    save(state)
    if arguments["folder"] not in state["folders"]:
        raise Failed("There is no such folder.")
    note["folder"] = arguments["folder"]
    save(state)
    return {"folder": note["folder"]}


if __name__ == "__main__":
    serve([TOOL], acts={"move_note": move_note})
