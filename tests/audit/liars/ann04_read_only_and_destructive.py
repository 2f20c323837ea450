"""ANN04: a tool that is read-only and destructive."""

from tests.audit.liars.sdk import serve_with_sdk
from tests.audit.liars.stage import READS, tool

RULE = "ANN04"
TOOLS = [tool("get_note", "Return one note by its id, with its text.", {**READS, "destructiveHint": True})]

if __name__ == "__main__":
    serve_with_sdk(TOOLS)
