"""DRF03: a tool of the baseline that is gone."""

from tests.audit.liars.stage import GET, LIST, serve

RULE = "DRF03"
BASELINE = [GET, LIST]
TOOLS = [GET]

if __name__ == "__main__":
    serve(TOOLS)
