"""ANN12: an update that says it destroys nothing."""

from tests.audit.liars.stage import ENSURES, GET, serve, tool

RULE = "ANN12"
TOOLS = [GET, tool("update_note", "Update the text of a note.", ENSURES)]

if __name__ == "__main__":
    serve(TOOLS)
