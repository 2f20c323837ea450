"""NAM04: two names that some clients make one."""

from tests.audit.liars.stage import GET, serve, tool

RULE = "NAM04"
TOOLS = [GET, tool("get.note", "Return a note as HTML, ready to print.", title="Note as HTML")]

if __name__ == "__main__":
    serve(TOOLS)
