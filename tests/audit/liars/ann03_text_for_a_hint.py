"""ANN03: a hint that is the text "true"."""

from tests.audit.liars.stage import READS, serve, tool

RULE = "ANN03"
TOOLS = [tool("get_note", "Return one note by its id, with its text.", {**READS, "readOnlyHint": "true"})]

if __name__ == "__main__":
    serve(TOOLS)
