"""ANN11: a write that Anthropic counts as destructive."""

from tests.audit.liars.stage import ADD, serve

RULE = "ANN11"
PROFILE = "anthropic"
TOOLS = [ADD]

if __name__ == "__main__":
    serve(TOOLS)
