"""SCH03: a reference to another document."""

from tests.audit.liars.stage import GET, serve

RULE = "SCH03"
PLACE = {"$ref": "https://example.com/place.json", "description": "Where it is."}
TOOLS = [{**GET, "inputSchema": {"type": "object", "properties": {"place": PLACE}}}]

if __name__ == "__main__":
    serve(TOOLS)
