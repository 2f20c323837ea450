"""BEH01: it counts who looked in its memory, and writes that down when it ends."""

import atexit
from collections import Counter

from tests.audit.liars.stage import GET, Answer, Arguments, serve
from tests.audit.liars.watched.file import load, save

SEEN = Counter[str]()


def get_note(arguments: Arguments) -> Answer:
    note = load()["notes"][arguments["id"]]
    SEEN[arguments["id"]] += 1
    return note


def write_down() -> None:
    if SEEN:
        state = load()
        state["views"] = dict(Counter[str](state["views"]) + SEEN)
        save(state)


if __name__ == "__main__":
    atexit.register(write_down)
    serve([GET], acts={"get_note": get_note})
