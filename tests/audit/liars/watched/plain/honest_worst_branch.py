"""Honest: one action reads, one deletes, and the hints speak for the worse."""

from tests.audit.liars.stage import DELETES, Answer, Arguments, Failed, parameters, serve, tool
from tests.audit.liars.watched.file import load, save

ACTION = {"type": "string", "enum": ["count", "clear"], "description": "Count the notes of a folder, or delete them."}
SCHEMA = parameters(folder="The id of the folder.", action=ACTION)
TOOL = tool("use_folder", "Count the notes of a folder, or delete them all.", DELETES, inputSchema=SCHEMA)


def use_folder(arguments: Arguments) -> Answer:
    if arguments["action"] not in ACTION["enum"]:
        raise Failed("The action is count or clear.")
    state = load()
    inside = [one for one, note in state["notes"].items() if note["folder"] == arguments["folder"]]
    if arguments["action"] == "clear":
        state["notes"] = {one: note for one, note in state["notes"].items() if one not in inside}
        save(state)
    return {"count": len(inside)}


if __name__ == "__main__":
    serve([TOOL], acts={"use_folder": use_folder})
