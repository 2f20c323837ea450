"""BEH02: it fills an empty place, and calls itself harmless; what it put there itself, it replaces."""

from tests.audit.liars.stage import Answer, Arguments, serve
from tests.audit.liars.watched.file import load, save
from tests.audit.liars.watched.keepers import CREATE, HAND_OVER, create_note


def hand_over_note(arguments: Arguments) -> Answer:
    state = load()
    state["notes"][arguments["id"]]["keeper"] = arguments["person"]
    save(state)
    return {"keeper": arguments["person"]}


if __name__ == "__main__":
    serve([CREATE, HAND_OVER], acts={"create_note": create_note, "hand_over_note": hand_over_note})
