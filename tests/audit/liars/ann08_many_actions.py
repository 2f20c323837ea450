"""ANN08: one tool for all actions, declared read-only."""

from tests.audit.liars.stage import serve, tool

RULE = "ANN08"
ACTION = {"type": "string", "enum": ["get", "update", "delete"], "description": "What to do with it."}
TOOLS = [
    tool("manage_note", "Do something with a note.", inputSchema={"type": "object", "properties": {"action": ACTION}})
]

if __name__ == "__main__":
    serve(TOOLS)
