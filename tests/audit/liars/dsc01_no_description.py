"""DSC01: a tool without a description."""

from tests.audit.liars.sdk import serve_with_sdk
from tests.audit.liars.stage import GET

RULE = "DSC01"
TOOLS = [{**GET, "description": ""}]

if __name__ == "__main__":
    serve_with_sdk(TOOLS)
