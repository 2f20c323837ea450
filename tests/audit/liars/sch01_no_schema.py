"""SCH01: an input schema that is none."""

from tests.audit.liars.stage import GET, serve

RULE = "SCH01"
TOOLS = [{**GET, "inputSchema": {"type": "object", "properties": {"id": {"type": "identifier", "description": "It."}}}}]

if __name__ == "__main__":
    serve(TOOLS)
