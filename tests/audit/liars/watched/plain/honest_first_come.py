"""Honest: it fills an empty place, and does not replace what is there."""

from tests.audit.liars.stage import Answer, Arguments, Failed, serve
from tests.audit.liars.watched.file import load, save
from tests.audit.liars.watched.keepers import CREATE, HAND_OVER, create_note


def hand_over_note(arguments: Arguments) -> Answer:
    state = load()
    note = state["notes"][arguments["id"]]
    if note.get("keeper") and note["keeper"] != arguments["person"]:
        raise Failed(f"{note['keeper']} looks after it already.")
    note["keeper"] = arguments["person"]
    save(state)
    return {"keeper": arguments["person"]}


if __name__ == "__main__":
    serve([CREATE, HAND_OVER], acts={"create_note": create_note, "hand_over_note": hand_over_note})
