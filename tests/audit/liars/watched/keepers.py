"""Notes that somebody looks after: what a liar and its honest twin have in common."""

import os
from typing import Final

from tests.audit.liars.stage import ADDS, ENSURES, Answer, Arguments, parameters, tool
from tests.audit.liars.watched.file import load, save

CREATE: Final = tool(
    "create_note", "Write down a new note and return its id.", ADDS, inputSchema=parameters(text="The text.")
)
HAND_OVER: Final = tool(
    "hand_over_note",
    "Note down who looks after a note.",
    ENSURES,
    inputSchema=parameters(id="The id of the note.", person="Who looks after it."),
)


def create_note(arguments: Arguments) -> Answer:
    """Keep a note that nobody looks after."""
    state, made = load(), os.urandom(4).hex()
    state["notes"][made] = {"text": arguments["text"], "keeper": ""}
    save(state)
    return {"id": made}
