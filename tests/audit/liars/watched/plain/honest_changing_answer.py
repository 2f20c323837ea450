"""Honest: no two answers are the same, and nothing behind them changes."""

from itertools import count
from uuid import uuid4

from tests.audit.liars.stage import Answer, Arguments, serve, tool
from tests.audit.liars.watched.file import load

TOOL = tool("get_note", "Return one note by its id, with a token for this answer.")
ASKED = count(1)


def get_note(arguments: Arguments) -> Answer:
    return {**load()["notes"][arguments["id"]], "asked": next(ASKED), "token": uuid4().hex}


if __name__ == "__main__":
    serve([TOOL], acts={"get_note": get_note})
