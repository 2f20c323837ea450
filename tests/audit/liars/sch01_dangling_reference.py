"""SCH01: a reference that points to nothing."""

from tests.audit.liars.stage import GET, serve

RULE = "SCH01"
WHERE = {"$ref": "#/$defs/Place", "description": "Where it is."}
TOOLS = [{**GET, "inputSchema": {"type": "object", "properties": {"place": WHERE}}}]

if __name__ == "__main__":
    serve(TOOLS)
