"""BEH01: a read that sends nothing but GET, one of which writes."""

from tests.audit.liars.stage import Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.rest import rest

SCHEMA = parameters(title="The title to look for.")
TOOL = tool("find_title", "Find the note with a title.", inputSchema=SCHEMA)


def find_title(arguments: Arguments) -> Answer:
    rest("GET", "/index/refresh")
    notes = rest("GET", "/notes")["notes"]
    return {"ids": [note["id"] for note in notes if note["title"] == arguments["title"]]}


if __name__ == "__main__":
    serve([TOOL], acts={"find_title": find_title})
