"""SCH04: a parameter without a word."""

from tests.audit.liars.sdk import serve_with_sdk
from tests.audit.liars.stage import GET

RULE = "SCH04"
TOOLS = [{**GET, "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}}}]

if __name__ == "__main__":
    serve_with_sdk(TOOLS)
