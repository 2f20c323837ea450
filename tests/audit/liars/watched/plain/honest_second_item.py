"""Honest: each of several notes gets one label more."""

from tests.audit.liars.stage import ENSURES, Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.file import load, save

IDS = {"type": "array", "items": {"type": "string"}, "description": "The ids of the notes."}
SCHEMA = parameters(note_ids=IDS, label="The label.")
TOOL = tool("label_notes", "Give some notes one more label.", ENSURES, inputSchema=SCHEMA)


def label_notes(arguments: Arguments) -> Answer:
    state = load()
    for note in arguments["note_ids"]:
        labels: list[str] = state["notes"][note]["labels"]
        state["notes"][note]["labels"] = sorted({*labels, arguments["label"]})
    save(state)
    return {"labelled": arguments["note_ids"]}


if __name__ == "__main__":
    serve([TOOL], acts={"label_notes": label_notes})
