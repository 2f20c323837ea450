"""Honest: a read that leaves a line in the log, which the plan calls bookkeeping."""

from tests.audit.liars.stage import Answer, Arguments, serve, tool
from tests.audit.liars.watched.rest import rest

TOOL = tool("get_note", "Return one note by its id; who asked for it is logged.")


def get_note(arguments: Arguments) -> Answer:
    rest("POST", "/log", {"line": f"read {arguments['id']}"})
    return rest("GET", f"/notes/{arguments['id']}")


if __name__ == "__main__":
    serve([TOOL], acts={"get_note": get_note})
