"""Honest: it says that it writes, and does so a while after its answer, into Redis."""

from tests.audit.liars.stage import ADD, Answer, Arguments, serve
from tests.audit.liars.watched.later import later
from tests.audit.liars.watched.redis import redis


def add_note(arguments: Arguments) -> Answer:
    later(redis, "RPUSH", "notes", arguments["id"])
    return "It will be written."


if __name__ == "__main__":
    serve([ADD], acts={"add_note": add_note})
