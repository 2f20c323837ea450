"""ANN03: a hint in snake case, which no client reads."""

from tests.audit.liars.stage import READS, serve, tool

RULE = "ANN03"
TOOLS = [tool("get_note", "Return one note by its id, with its text.", {**READS, "read_only_hint": True})]

if __name__ == "__main__":
    serve(TOOLS)
