"""BEH02: it fills an empty place, and calls itself harmless; what it put there itself, it replaces."""

import os

from tests.audit.liars.stage import ADDS, ENSURES, Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.file import load, save

CREATE = tool("create_note", "Write down a new note and return its id.", ADDS, inputSchema=parameters(text="The text."))
SCHEMA = parameters(id="The id of the note.", person="Who looks after it.")
TOOL = tool("hand_over_note", "Note down who looks after a note.", ENSURES, inputSchema=SCHEMA)


def create_note(arguments: Arguments) -> Answer:
    state, made = load(), os.urandom(4).hex()
    state["notes"][made] = {"text": arguments["text"], "keeper": ""}
    save(state)
    return {"id": made}


def hand_over_note(arguments: Arguments) -> Answer:
    state = load()
    state["notes"][arguments["id"]]["keeper"] = arguments["person"]
    save(state)
    return {"keeper": arguments["person"]}


if __name__ == "__main__":
    serve([CREATE, TOOL], acts={"create_note": create_note, "hand_over_note": hand_over_note})
