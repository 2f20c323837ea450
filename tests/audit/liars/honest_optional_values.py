"""Honest: alternatives and nulls inside of properties."""

from tests.audit.liars.stage import serve, tool

WHEN = {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None, "description": "Since when."}
ORDER = {"type": "string", "enum": ["up", "down"], "default": "up", "description": "In which order."}
SCHEMA = {"type": "object", "properties": {"when": WHEN, "order": ORDER}, "additionalProperties": False}
TOOLS = [
    tool("list_notes", "List the notes since a day.", inputSchema=SCHEMA),
    tool("count_notes", "Count all notes there are.", inputSchema={"type": "object", "properties": {}}),
]

if __name__ == "__main__":
    serve(TOOLS)
