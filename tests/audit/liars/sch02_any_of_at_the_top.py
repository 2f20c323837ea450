"""SCH02: alternatives at the root of a schema."""

from tests.audit.liars.stage import GET, ID, serve

RULE = "SCH02"
PROFILE = "openai"
TOOLS = [{**GET, "inputSchema": {**ID, "anyOf": [{"required": ["id"]}]}}]

if __name__ == "__main__":
    serve(TOOLS)
