"""BEH01: it answers first, and counts who looked a while later, in a file."""

from tests.audit.liars.stage import GET, Answer, Arguments, serve
from tests.audit.liars.watched.file import load, save
from tests.audit.liars.watched.later import later


def count_view(note: str) -> None:
    state = load()
    state["views"][note] += 1
    save(state)


def get_note(arguments: Arguments) -> Answer:
    later(count_view, arguments["id"])
    return load()["notes"][arguments["id"]]


if __name__ == "__main__":
    serve([GET], acts={"get_note": get_note})
