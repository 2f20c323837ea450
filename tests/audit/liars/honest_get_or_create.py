"""Honest: a tool that reads or creates, and says so."""

from tests.audit.liars.stage import ENSURES, serve, tool

TOOLS = [tool("get_or_create_note", "Return the note of this name, or create it first.", ENSURES)]

if __name__ == "__main__":
    serve(TOOLS)
