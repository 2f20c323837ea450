"""Honest: its schema asks for the ids, and so does the tool."""

from tests.audit.liars.stage import DELETES, Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.file import load, save

IDS = {"type": "array", "items": {"type": "string"}, "description": "The ids of the notes."}
TOOL = tool("remove_notes", "Delete some notes for good.", DELETES, inputSchema=parameters(note_ids=IDS))


def remove_notes(arguments: Arguments) -> Answer:
    state = load()
    gone = arguments["note_ids"]
    state["notes"] = {one: note for one, note in state["notes"].items() if one not in gone}
    save(state)
    return {"removed": len(gone)}


if __name__ == "__main__":
    serve([TOOL], acts={"remove_notes": remove_notes})
