"""SCH06: a number is promised, and a text comes."""

from tests.audit.liars.stage import Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.rest import rest

OUTPUT = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}
TOOL = tool("count_notes", "Count all notes.", inputSchema=parameters(), outputSchema=OUTPUT)


def count_notes(_arguments: Arguments) -> Answer:
    return {"count": str(len(rest("GET", "/notes")["notes"]))}


if __name__ == "__main__":
    serve([TOOL], acts={"count_notes": count_notes})
