"""BEH05: an addition that calls itself destructive and loses nothing."""

from tests.audit.liars.stage import RUNS, Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.file import load, save

SCHEMA = parameters(id="The id of the note.", line="The line to add.")
TOOL = tool("append_line", "Add a line at the end of a note.", RUNS, inputSchema=SCHEMA)


def append_line(arguments: Arguments) -> Answer:
    state = load()
    state["notes"][arguments["id"]]["text"] += " " + arguments["line"]
    save(state)
    return {"text": state["notes"][arguments["id"]]["text"]}


if __name__ == "__main__":
    serve([TOOL], acts={"append_line": append_line})
