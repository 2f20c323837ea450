"""ANN13: one tool for any action with any parameters, declared read-only."""

from tests.audit.liars.stage import parameters, serve, tool

RULE = "ANN13"
SCHEMA = parameters(action="The action's name.", params={"type": "object", "description": "What it takes."})
TOOLS = [tool("notes_api", "Call an action of the notes service.", inputSchema=SCHEMA)]

if __name__ == "__main__":
    serve(TOOLS)
