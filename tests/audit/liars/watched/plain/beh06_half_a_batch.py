"""BEH06: it labels note after note, and fails at the one that is not there."""

from tests.audit.liars.stage import ENSURES, Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.rest import rest

IDS = {"type": "array", "items": {"type": "string"}, "description": "The ids of the notes."}
TOOL = tool("mark_filed", "Label notes as filed.", ENSURES, inputSchema=parameters(ids=IDS))


def mark_filed(arguments: Arguments) -> Answer:
    for note in arguments["ids"]:
        labels = [one for one in rest("GET", f"/notes/{note}")["labels"] if one != "filed"]
        rest("PATCH", f"/notes/{note}", {"labels": [*labels, "filed"]})
    return {"filed": len(arguments["ids"])}


if __name__ == "__main__":
    serve([TOOL], acts={"mark_filed": mark_filed})
