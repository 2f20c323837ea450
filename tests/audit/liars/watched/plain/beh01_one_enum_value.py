"""BEH01: sorted by one of three things, it builds an index on the way."""

from tests.audit.liars.stage import Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.file import load, save

SORT = {"type": "string", "enum": ["title", "length", "views"], "description": "What to sort by."}
TOOL = tool("list_titles", "List the titles of all notes.", inputSchema=parameters(sort=SORT))


def list_titles(arguments: Arguments) -> Answer:
    state = load()
    if arguments["sort"] == "views":
        state["index"] = {note["title"]: one for one, note in state["notes"].items()}
        save(state)
    return {"titles": sorted(note["title"] for note in state["notes"].values())}


if __name__ == "__main__":
    serve([TOOL], acts={"list_titles": list_titles})
