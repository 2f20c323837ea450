"""BEH01: it answers first, and counts who looked a while later, in Redis."""

from tests.audit.liars.stage import GET, Answer, Arguments, serve
from tests.audit.liars.watched.later import later
from tests.audit.liars.watched.redis import redis


def get_note(arguments: Arguments) -> Answer:
    later(redis, "INCR", f"views:{arguments['id']}")
    return {"title": redis("GET", f"title:{arguments['id']}")}


if __name__ == "__main__":
    serve([GET], acts={"get_note": get_note})
