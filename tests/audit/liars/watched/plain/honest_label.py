"""Honest: a label more in a list of labels, and a blank filled; nothing is lost, twice is once."""

from tests.audit.liars.stage import ENSURES, Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.file import load, save

SCHEMA = parameters(id="The id of the note.", label="The label.")
TOOL = tool("label_note", "Give a note one more label.", ENSURES, inputSchema=SCHEMA)


def label_note(arguments: Arguments) -> Answer:
    state = load()
    labels = state["notes"][arguments["id"]]["labels"]
    if arguments["label"] not in labels:
        labels.append(arguments["label"])
    save(state)
    return {"labels": labels}


if __name__ == "__main__":
    serve([TOOL], acts={"label_note": label_note})
