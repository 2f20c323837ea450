"""BEH03: a few labels are set as they are; from five on they are added, again with each call."""

from tests.audit.liars.stage import DELETES, Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.rest import rest

LABELS = {"type": "array", "items": {"type": "string"}, "description": "All labels that it shall have."}
SCHEMA = parameters(id="The id of the note.", labels=LABELS)
TOOL = tool("set_labels", "Give a note these labels and no others.", DELETES, inputSchema=SCHEMA)


def set_labels(arguments: Arguments) -> Answer:
    path, labels = f"/notes/{arguments['id']}", arguments["labels"]
    old: list[str] = rest("GET", path)["labels"] if len(labels) >= 5 else []
    return rest("PATCH", path, {"labels": [*old, *labels]})


if __name__ == "__main__":
    serve([TOOL], acts={"set_labels": set_labels})
