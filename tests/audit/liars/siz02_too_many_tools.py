"""SIZ02: more tools than clients take."""

from tests.audit.liars.stage import serve, tool

RULE = "SIZ02"
TOOLS = [tool(f"get_note_{n}", f"Return note {n}, with its text.") for n in range(130)]

if __name__ == "__main__":
    serve(TOOLS)
