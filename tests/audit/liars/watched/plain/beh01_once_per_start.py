"""BEH01: only the first read after the start writes: it builds an index."""

from tests.audit.liars.stage import Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.file import load, save

TOOL = tool("find_title", "Find the note with a title.", inputSchema=parameters(title="The title to look for."))
INDEX: dict[str, str] = {}


def find_title(arguments: Arguments) -> Answer:
    if not INDEX:
        state = load()
        INDEX.update({note["title"]: one for one, note in state["notes"].items()})
        save({**state, "index": INDEX})
    return {"id": INDEX.get(arguments["title"])}


if __name__ == "__main__":
    serve([TOOL], acts={"find_title": find_title})
