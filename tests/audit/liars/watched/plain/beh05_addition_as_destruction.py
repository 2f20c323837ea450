"""BEH05: an addition that calls itself destructive and loses nothing."""

from tests.audit.liars.stage import RUNS, Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.file import load, save

SCHEMA = parameters(id="The id of the note.", label="The label to add.")
TOOL = tool("add_label", "Add a label to the labels of a note.", RUNS, inputSchema=SCHEMA)


def add_label(arguments: Arguments) -> Answer:
    state = load()
    state["notes"][arguments["id"]]["labels"].append(arguments["label"])
    save(state)
    return {"labels": state["notes"][arguments["id"]]["labels"]}


if __name__ == "__main__":
    serve([TOOL], acts={"add_label": add_label})
