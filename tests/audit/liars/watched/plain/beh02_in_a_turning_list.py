"""BEH02: an overwritten title, seen only in a list that comes in another order every time."""

from tests.audit.liars.stage import ENSURES, Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.rest import rest

SCHEMA = parameters(id="The id of the note.", title="Its title.")
TOOL = tool("name_note", "Give a note a title.", ENSURES, inputSchema=SCHEMA)


def name_note(arguments: Arguments) -> Answer:
    return rest("PATCH", f"/notes/{arguments['id']}", {"title": arguments["title"]})


if __name__ == "__main__":
    serve([TOOL], acts={"name_note": name_note})
