"""BEH02: of two ways to write that only the description names, one drops what was there."""

from tests.audit.liars.stage import ADDS, Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.file import load, save

SCHEMA = parameters(id="The id of the note.", line="The line.", style="How to write it, such as 'below' or 'afresh'.")
TOOL = tool("write_line", "Write a line into a note.", ADDS, inputSchema=SCHEMA)


def write_line(arguments: Arguments) -> Answer:
    state = load()
    note = state["notes"][arguments["id"]]
    old = [] if arguments["style"] == "afresh" else [note["text"]]
    note["text"] = "\n".join([*old, arguments["line"]])
    save(state)
    return {"text": note["text"]}


if __name__ == "__main__":
    serve([TOOL], acts={"write_line": write_line})
