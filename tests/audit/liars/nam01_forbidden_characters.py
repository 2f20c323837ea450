"""NAM01: a name with a blank and an exclamation mark."""

from tests.audit.liars.stage import GET, serve

RULE = "NAM01"
TOOLS = [{**GET, "name": "get note!"}]

if __name__ == "__main__":
    serve(TOOLS)
