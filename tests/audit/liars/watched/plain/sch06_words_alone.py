"""SCH06: an output schema, and an answer in words alone."""

from tests.audit.liars.stage import Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.file import load

OUTPUT = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}
TOOL = tool("count_notes", "Count all notes.", inputSchema=parameters(), outputSchema=OUTPUT)


def count_notes(_arguments: Arguments) -> Answer:
    return f"There are {len(load()['notes'])} notes."


if __name__ == "__main__":
    serve([TOOL], acts={"count_notes": count_notes})
