"""ANN09: hints that the source states and the server loses."""

from tests.audit.liars.stage import serve, tool

RULE = "ANN09"
SOURCE = "ann09_source"
TOOLS = [tool("get_note", "Return one note by its id, with its text.", {"title": "Get Note"})]

if __name__ == "__main__":
    serve(TOOLS)
