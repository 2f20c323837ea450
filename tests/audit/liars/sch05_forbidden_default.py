"""SCH05: a default that is not allowed."""

from tests.audit.liars.stage import GET, serve

RULE = "SCH05"
LIMIT = {"type": "integer", "maximum": 50, "default": 100, "description": "How many at most."}
TOOLS = [{**GET, "inputSchema": {"type": "object", "properties": {"limit": LIMIT}}}]

if __name__ == "__main__":
    serve(TOOLS)
