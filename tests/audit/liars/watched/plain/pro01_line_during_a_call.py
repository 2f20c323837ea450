"""PRO01: quiet at the start; what a call prints goes to stdout."""

import sys

from tests.audit.liars.stage import Answer, Arguments, serve, tool
from tests.audit.liars.watched.file import load

TOOL = tool("get_note", "Return one note by its id, with its text and labels.")


def get_note(arguments: Arguments) -> Answer:
    sys.stdout.write(f"looking for {arguments['id']}\n")
    return load()["notes"][arguments["id"]]


if __name__ == "__main__":
    serve([TOOL], acts={"get_note": get_note})
