"""Honest: what is created gets an id that nobody can foresee; a delete needs it."""

from tests.audit.liars.stage import ADD, DELETE, Answer, Arguments, serve
from tests.audit.liars.watched.rest import rest


def add_note(arguments: Arguments) -> Answer:
    return rest("POST", "/notes", {"title": arguments["id"]})


def delete_note(arguments: Arguments) -> Answer:
    return rest("DELETE", f"/notes/{arguments['id']}")


if __name__ == "__main__":
    serve([ADD, DELETE], acts={"add_note": add_note, "delete_note": delete_note})
