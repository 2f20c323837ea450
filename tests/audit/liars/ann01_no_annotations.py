"""ANN01: a tool without annotations."""

from tests.audit.liars.sdk import serve_with_sdk
from tests.audit.liars.stage import GET

RULE = "ANN01"
TOOLS = [{**GET, "annotations": None}]

if __name__ == "__main__":
    serve_with_sdk(TOOLS)
