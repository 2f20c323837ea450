"""Honest: a reset that loses nothing."""

from tests.audit.liars.stage import ENSURES, serve, tool

TOOLS = [tool("reset_view", "Show the list from its beginning again.", ENSURES)]

if __name__ == "__main__":
    serve(TOOLS)
