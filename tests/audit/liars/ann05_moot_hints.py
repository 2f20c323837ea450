"""ANN05: hints that mean nothing on a tool that reads."""

from tests.audit.liars.stage import GET, serve

RULE = "ANN05"
TOOLS = [GET]

if __name__ == "__main__":
    serve(TOOLS)
