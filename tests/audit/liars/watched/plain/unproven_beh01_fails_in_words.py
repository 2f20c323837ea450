"""BEH01: a read that counts who looked, if the note is there; if not, it says so, and not as an error."""

from tests.audit.liars.stage import GET, Answer, Arguments, serve
from tests.audit.liars.watched.file import load, save


def get_note(arguments: Arguments) -> Answer:
    state = load()
    if arguments["id"] not in state["notes"]:
        return f"Error: there is no note {arguments['id']}."
    state["views"][arguments["id"]] = state["views"].get(arguments["id"], 0) + 1
    save(state)
    return state["notes"][arguments["id"]]


if __name__ == "__main__":
    serve([GET], acts={"get_note": get_note})
