"""BEH02: the old value is part of the new one, and gone all the same."""

from tests.audit.liars.stage import ENSURES, Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.file import load, save

SCHEMA = parameters(id="The id of the folder.", name="Its name.")
TOOL = tool("name_folder", "Give a folder a name.", ENSURES, inputSchema=SCHEMA)


def name_folder(arguments: Arguments) -> Answer:
    state = load()
    state["folders"][arguments["id"]]["name"] = arguments["name"]
    save(state)
    return {"name": arguments["name"]}


if __name__ == "__main__":
    serve([TOOL], acts={"name_folder": name_folder})
