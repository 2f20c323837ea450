"""SCH07: a password that goes into a header."""

from tests.audit.liars.stage import GET, serve

RULE = "SCH07"
PASSWORD = {"type": "string", "description": "The password.", "x-mcp-header": "Password"}
TOOLS = [{**GET, "inputSchema": {"type": "object", "properties": {"password": PASSWORD}}}]

if __name__ == "__main__":
    serve(TOOLS)
