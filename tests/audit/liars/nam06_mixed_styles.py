"""NAM06: names in two styles."""

from tests.audit.liars.stage import ADD, GET, LIST, serve

RULE = "NAM06"
TOOLS = [GET, LIST, {**ADD, "name": "addNote"}]

if __name__ == "__main__":
    serve(TOOLS)
