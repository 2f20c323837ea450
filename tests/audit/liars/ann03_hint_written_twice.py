"""ANN03: a hint that is written twice, which every parser but the raw one hides."""

from tests.audit.liars.stage import serve

RULE = "ANN03"
TOOLS = [
    """{"name": "get_note", "title": "Get Note", "description": "Return one note by its id, with its text.",
    "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": false, "destructiveHint": false,
    "idempotentHint": true, "openWorldHint": false, "readOnlyHint": true}}"""
]

if __name__ == "__main__":
    serve(TOOLS)
