"""Honest: six readers, whose hints are all the same."""

from tests.audit.liars.stage import serve, tool

NOUNS = ("notes", "labels", "books", "people", "places", "colours")
TOOLS = [tool(f"list_{noun}", f"List all {noun} with their ids, the newest first.") for noun in NOUNS]

if __name__ == "__main__":
    serve(TOOLS)
