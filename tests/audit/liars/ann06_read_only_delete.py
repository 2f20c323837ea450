"""ANN06: a delete with the hints of its neighbour."""

from tests.audit.liars.sdk import serve_with_sdk
from tests.audit.liars.stage import GET, READS, tool

RULE = "ANN06"
TOOLS = [GET, tool("delete_note", "Delete a note for good.", READS)]

if __name__ == "__main__":
    serve_with_sdk(TOOLS)
