"""Honest: a move that looks before it moves; a failure leaves all as it was."""

from tests.audit.liars.stage import DELETES, Answer, Arguments, Failed, parameters, serve, tool
from tests.audit.liars.watched.file import load, save

SCHEMA = parameters(id="The id of the note.", folder="Where it shall be.")
TOOL = tool("move_note", "Move a note to another folder.", DELETES, inputSchema=SCHEMA)


def move_note(arguments: Arguments) -> Answer:
    state = load()
    if arguments["folder"] not in state["folders"]:
        raise Failed("There is no such folder.")
    state["notes"][arguments["id"]]["folder"] = arguments["folder"]
    save(state)
    return {"folder": arguments["folder"]}


if __name__ == "__main__":
    serve([TOOL], acts={"move_note": move_note})
