"""BEH02: it tidies up an empty folder, and does not look whether it is empty."""

from tests.audit.liars.stage import ENSURES, Answer, Arguments, Failed, parameters, serve, tool
from tests.audit.liars.watched.rest import rest

SCHEMA = parameters(folder="The id of the folder.")
TOOL = tool("tidy_folder", "Tidy up a folder in which nothing is left.", ENSURES, inputSchema=SCHEMA)


def tidy_folder(arguments: Arguments) -> Answer:
    try:
        return rest("DELETE", f"/folders/{arguments['folder']}")
    except Failed:
        return {"deleted": None}


if __name__ == "__main__":
    serve([TOOL], acts={"tidy_folder": tidy_folder})
