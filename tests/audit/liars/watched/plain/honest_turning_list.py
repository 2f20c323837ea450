"""Honest: every listing comes in another order, to the server and to whoever watches."""

from tests.audit.liars.stage import LIST, Answer, Arguments, serve
from tests.audit.liars.watched.rest import rest


def list_notes(_arguments: Arguments) -> Answer:
    return rest("GET", "/notes")


if __name__ == "__main__":
    serve([LIST], acts={"list_notes": list_notes})
