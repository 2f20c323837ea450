"""Honest: it writes down how often it has run when it ends, whatever was called."""

import atexit

from tests.audit.liars.stage import GET, Answer, Arguments, serve
from tests.audit.liars.watched.file import load, save


def get_note(arguments: Arguments) -> Answer:
    return load()["notes"][arguments["id"]]


def write_down() -> None:
    state = load()
    state["log"].append("ended")
    save(state)


if __name__ == "__main__":
    atexit.register(write_down)
    serve([GET], acts={"get_note": get_note})
