"""DRF02: a tool that the baseline does not know."""

from tests.audit.liars.stage import GET, LIST, serve

RULE = "DRF02"
BASELINE = [GET]
TOOLS = [GET, LIST]

if __name__ == "__main__":
    serve(TOOLS)
