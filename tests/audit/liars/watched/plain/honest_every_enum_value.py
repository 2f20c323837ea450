"""Honest: it sorts by three things, and writes for none of them."""

from tests.audit.liars.stage import Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.file import load

SORT = {"type": "string", "enum": ["title", "length", "views"], "description": "What to sort by."}
TOOL = tool("list_titles", "List the titles of all notes.", inputSchema=parameters(sort=SORT))


def list_titles(_arguments: Arguments) -> Answer:
    state = load()
    return {"titles": sorted(note["title"] for note in state["notes"].values())}


if __name__ == "__main__":
    serve([TOOL], acts={"list_titles": list_titles})
