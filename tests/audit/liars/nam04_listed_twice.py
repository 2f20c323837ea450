"""NAM04: a tool that is listed twice."""

from tests.audit.liars.stage import GET, serve, tool

RULE = "NAM04"
TOOLS = [GET, tool("get_note", "Return a note as HTML, ready to print.", title="Note as HTML")]

if __name__ == "__main__":
    serve(TOOLS)
