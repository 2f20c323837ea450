"""NAM03: a name that starts with a digit."""

from tests.audit.liars.stage import GET, serve

RULE = "NAM03"
TOOLS = [{**GET, "name": "2nd_note"}]

if __name__ == "__main__":
    serve(TOOLS)
