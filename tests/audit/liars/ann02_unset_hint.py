"""ANN02: a tool that writes and does not say whether it destroys."""

from tests.audit.liars.stage import serve, tool

RULE = "ANN02"
PROFILE = "anthropic"
TOOLS = [tool("add_note", "Write down a new note and return its id.", {"readOnlyHint": False, "openWorldHint": False})]

if __name__ == "__main__":
    serve(TOOLS)
