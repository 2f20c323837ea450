"""SCH01: an input schema that is a list."""

from tests.audit.liars.stage import GET, serve

RULE = "SCH01"
TOOLS = [{**GET, "inputSchema": {"type": "array"}}]

if __name__ == "__main__":
    serve(TOOLS)
