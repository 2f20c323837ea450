"""BEH01: a read that counts who looked, by a POST of its own."""

from tests.audit.liars.stage import Answer, Arguments, serve, tool
from tests.audit.liars.watched.rest import rest

TOOL = tool("get_note", "Return one note by its id, with its text and labels.")


def get_note(arguments: Arguments) -> Answer:
    rest("POST", f"/notes/{arguments['id']}/views")
    return rest("GET", f"/notes/{arguments['id']}")


if __name__ == "__main__":
    serve([TOOL], acts={"get_note": get_note})
