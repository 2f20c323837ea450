"""Honest: it counts who looked in its memory, and tells so at the fifth call; it writes nothing down."""

from itertools import count as counting

from tests.audit.liars.stage import Answer, Arguments, serve, tool
from tests.audit.liars.watched.file import load

TOOL = tool("get_note", "Return one note by its id, with its text and labels.")
CALLS = counting(1)


def get_note(arguments: Arguments) -> Answer:
    count = next(CALLS)
    told = {"popular": count} if count % 5 == 0 else {}
    return {**load()["notes"][arguments["id"]], **told}


if __name__ == "__main__":
    serve([TOOL], acts={"get_note": get_note})
