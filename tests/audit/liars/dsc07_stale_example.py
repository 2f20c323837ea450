"""DSC07: an example that its own schema refuses."""

from tests.audit.liars.sdk import serve_with_sdk
from tests.audit.liars.stage import GET

RULE = "DSC07"
SCHEMA = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
TOOLS = [{**GET, "description": 'Return one note. Example response: {"uid": "7"}', "outputSchema": SCHEMA}]

if __name__ == "__main__":
    serve_with_sdk(TOOLS)
