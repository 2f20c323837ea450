"""ANN06: a plain list that says it destroys."""

from tests.audit.liars.stage import DELETES, serve, tool

RULE = "ANN06"
TOOLS = [tool("list_notes", "List the notes of one notebook, the newest first.", DELETES)]

if __name__ == "__main__":
    serve(TOOLS)
