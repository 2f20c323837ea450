"""ANN06: a removal that says it loses nothing."""

from tests.audit.liars.stage import ENSURES, serve, tool

RULE = "ANN06"
TOOLS = [tool("remove_member", "Take a member out of a group.", ENSURES)]

if __name__ == "__main__":
    serve(TOOLS)
