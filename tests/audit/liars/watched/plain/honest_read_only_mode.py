"""Honest: started read-only, it lists what reads, and nothing else."""

import sys

from tests.audit.liars.stage import ADD, GET, Answer, Arguments, serve
from tests.audit.liars.watched.rest import rest


def get_note(arguments: Arguments) -> Answer:
    return rest("GET", f"/notes/{arguments['id']}")


def add_note(arguments: Arguments) -> Answer:
    return rest("POST", "/notes", {"title": arguments["id"]})


if __name__ == "__main__":
    if "--read-only" in sys.argv:
        serve([GET], acts={"get_note": get_note})
    else:
        serve([GET, ADD], acts={"get_note": get_note, "add_note": add_note})
