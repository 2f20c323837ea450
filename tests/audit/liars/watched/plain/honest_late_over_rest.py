"""Honest: it says that it writes, and does so a while after its answer, over REST."""

from tests.audit.liars.stage import ADD, Answer, Arguments, serve
from tests.audit.liars.watched.later import later
from tests.audit.liars.watched.rest import rest


def add_note(arguments: Arguments) -> Answer:
    later(rest, "POST", "/notes", {"title": arguments["id"]})
    return {"notes": len(rest("GET", "/notes")["notes"])}


if __name__ == "__main__":
    serve([ADD], acts={"add_note": add_note})
