"""ANN03: hints that stand beside the annotations."""

from tests.audit.liars.stage import GET, serve

RULE = "ANN03"
TOOLS = [{**GET, "readOnlyHint": True}]

if __name__ == "__main__":
    serve(TOOLS)
