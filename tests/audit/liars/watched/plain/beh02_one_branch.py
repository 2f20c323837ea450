"""BEH02: adding labels is additive, setting them is not; one tool does both."""

from tests.audit.liars.stage import ENSURES, Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.rest import rest

MODE = {"type": "string", "enum": ["add", "set"], "description": "Whether to add the label or to set it."}
SCHEMA = parameters(id="The id of the note.", label="The label.", mode=MODE)
TOOL = tool("label_note", "Give a note a label.", ENSURES, inputSchema=SCHEMA)


def label_note(arguments: Arguments) -> Answer:
    note = rest("GET", f"/notes/{arguments['id']}")
    labels = [] if arguments["mode"] == "set" else [one for one in note["labels"] if one != arguments["label"]]
    return rest("PATCH", f"/notes/{arguments['id']}", {"labels": [*labels, arguments["label"]]})


if __name__ == "__main__":
    serve([TOOL], acts={"label_note": label_note})
