"""BEH09: an update that keeps the text alone, where the plan says that a note's text is all that it changes."""

from tests.audit.liars.stage import DELETES, Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.file import load, save

SCHEMA = parameters(id="The id of the note.", text="Its new text.")
TOOL = tool("write_note", "Replace the text of a note.", DELETES, inputSchema=SCHEMA)


def write_note(arguments: Arguments) -> Answer:
    state = load()
    old = state["notes"][arguments["id"]]
    state["notes"][arguments["id"]] = {"title": old["title"], "text": arguments["text"], "folder": old["folder"]}
    save(state)
    return {"id": arguments["id"]}


if __name__ == "__main__":
    serve([TOOL], acts={"write_note": write_note})
