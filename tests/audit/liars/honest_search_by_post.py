"""Honest: a search that is sent by POST and changes nothing."""

from tests.audit.liars.stage import serve, tool

TOOLS = [tool("search_notes", "Search notes by a POST to /search; the query goes into the body.")]

if __name__ == "__main__":
    serve(TOOLS)
