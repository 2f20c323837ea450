"""Honest: an example with dots in it, which is no JSON."""

from tests.audit.liars.stage import serve, tool

SCHEMA = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
TOOLS = [
    tool("get_note", "Return one note. Example response: {...}", outputSchema=SCHEMA),
    tool("list_notes", 'List all notes. Example response: {"items": [...], "total": 1}', outputSchema=SCHEMA),
    tool("read_note", 'Return a note\'s text. Example response: {"id": 7}', outputSchema=SCHEMA),
]

if __name__ == "__main__":
    serve(TOOLS)
