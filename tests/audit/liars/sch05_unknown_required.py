"""SCH05: a required parameter that does not exist."""

from tests.audit.liars.stage import GET, ID, serve

RULE = "SCH05"
TOOLS = [{**GET, "inputSchema": {**ID, "required": ["uid"], "additionalProperties": False}}]

if __name__ == "__main__":
    serve(TOOLS)
