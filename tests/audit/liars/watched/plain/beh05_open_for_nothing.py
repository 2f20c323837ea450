"""BEH05: it warns of the open world and never leaves the service."""

from tests.audit.liars.stage import READS, Answer, Arguments, serve, tool
from tests.audit.liars.watched.rest import rest

TOOL = tool("get_note", "Return one note by its id, with its text and labels.", {**READS, "openWorldHint": True})


def get_note(arguments: Arguments) -> Answer:
    return rest("GET", f"/notes/{arguments['id']}")


if __name__ == "__main__":
    serve([TOOL], acts={"get_note": get_note})
