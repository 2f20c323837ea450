"""ANN10: a tool that was destructive in the baseline."""

from tests.audit.liars.stage import DELETES, ENSURES, serve, tool

RULE = "ANN10"
BASELINE = [tool("archive_note", "Move a note to the archive.", DELETES)]
TOOLS = [tool("archive_note", "Move a note to the archive.", ENSURES)]

if __name__ == "__main__":
    serve(TOOLS)
