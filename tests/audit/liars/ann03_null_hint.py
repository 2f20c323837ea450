"""ANN03: a hint that is null, which is not the same as missing."""

from tests.audit.liars.stage import READS, serve, tool

RULE = "ANN03"
TOOLS = [tool("get_note", "Return one note by its id, with its text.", {**READS, "openWorldHint": None})]

if __name__ == "__main__":
    serve(TOOLS)
