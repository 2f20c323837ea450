"""NAM05: a tool called search."""

from tests.audit.liars.stage import GET, serve

RULE = "NAM05"
TOOLS = [{**GET, "name": "search", "description": "Return the notes that hold a text."}]

if __name__ == "__main__":
    serve(TOOLS)
