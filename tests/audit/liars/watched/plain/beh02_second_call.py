"""BEH02: the first call adds; the second, equal one throws away what was there."""

from tests.audit.liars.stage import ADDS, Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.file import load, save

SCHEMA = parameters(id="The id of the note.", label="The label.")
TOOL = tool("label_note", "Give a note one more label.", ADDS, inputSchema=SCHEMA)


def label_note(arguments: Arguments) -> Answer:
    state = load()
    note = state["notes"][arguments["id"]]
    note["labels"] = [] if arguments["label"] in note["labels"] else [*note["labels"], arguments["label"]]
    save(state)
    return {"labels": note["labels"]}


if __name__ == "__main__":
    serve([TOOL], acts={"label_note": label_note})
