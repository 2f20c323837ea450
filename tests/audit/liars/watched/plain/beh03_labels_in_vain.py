"""BEH03: each call puts the label once more on every note of a folder."""

from tests.audit.liars.stage import ENSURES, Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.file import load, save

SCHEMA = parameters(folder="The id of the folder.", label="The label.")
TOOL = tool("label_notes", "Give all notes of a folder a label.", ENSURES, inputSchema=SCHEMA)


def label_notes(arguments: Arguments) -> Answer:
    state = load()
    own = [note for note in state["notes"].values() if note["folder"] == arguments["folder"]]
    for note in own:
        note["labels"].append(arguments["label"])
    save(state)
    return {"labelled": len(own)}


if __name__ == "__main__":
    serve([TOOL], acts={"label_notes": label_notes})
