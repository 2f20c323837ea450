"""NAM07: a tool that another server has too."""

from tests.audit.liars.stage import GET, serve

RULE = "NAM07"
BESIDE = "honest_plain"
TOOLS = [GET]

if __name__ == "__main__":
    serve(TOOLS, name="other notes")
