"""BEH05: a count that warns of everything a tool can do."""

from tests.audit.liars.stage import RUNS, Answer, Arguments, serve, tool
from tests.audit.liars.watched.rest import rest

TOOL = tool("count_notes", "Count all notes.", RUNS, inputSchema={"type": "object", "properties": {}})


def count_notes(_arguments: Arguments) -> Answer:
    return {"count": len(rest("GET", "/notes")["notes"])}


if __name__ == "__main__":
    serve([TOOL], acts={"count_notes": count_notes})
