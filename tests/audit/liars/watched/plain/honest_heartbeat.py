"""Honest: it tells the service every now and then that it is alive, whoever calls; the plan calls that bookkeeping."""

from threading import Event, Thread

from tests.audit.liars.stage import GET, Answer, Arguments, serve
from tests.audit.liars.watched.rest import rest

ENDED = Event()
EVERY = 0.05  # seconds


def beat() -> None:
    while not ENDED.wait(EVERY):
        rest("POST", "/log", {"line": "alive"})


def get_note(arguments: Arguments) -> Answer:
    return rest("GET", f"/notes/{arguments['id']}")


if __name__ == "__main__":
    Thread(target=beat, daemon=True).start()
    serve([GET], acts={"get_note": get_note})
