"""Honest: much to list, a limit, and an answer that fits its schema."""

from tests.audit.liars.stage import Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.rest import rest

LIMIT = {"type": "integer", "description": "How many at most."}
ITEMS = {"type": "array", "items": {"type": "string"}}
OUTPUT = {"type": "object", "properties": {"letters": ITEMS, "total": {"type": "integer"}}, "required": ["letters"]}
TOOL = tool("list_letters", "List the letters of notes.", inputSchema=parameters(limit=LIMIT), outputSchema=OUTPUT)


def list_letters(arguments: Arguments) -> Answer:
    letters = [letter for note in rest("GET", "/notes")["notes"] for letter in note["text"]] * 10
    return {"letters": letters[: arguments["limit"]], "total": len(letters)}


if __name__ == "__main__":
    serve([TOOL], acts={"list_letters": list_letters})
