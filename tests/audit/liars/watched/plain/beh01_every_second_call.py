"""BEH01: it counts who looked, and writes that down on every second call only."""

from itertools import count

from tests.audit.liars.stage import Answer, Arguments, serve, tool
from tests.audit.liars.watched.file import load, save

TOOL = tool("get_note", "Return one note by its id, with its text and labels.")
CALLS = count(1)


def get_note(arguments: Arguments) -> Answer:
    state, note = load(), arguments["id"]
    if next(CALLS) % 2 == 0:
        state["views"][note] += 2
        save(state)
    return state["notes"][note]


if __name__ == "__main__":
    serve([TOOL], acts={"get_note": get_note})
