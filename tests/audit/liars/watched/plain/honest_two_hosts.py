"""Honest: it asks two hosts, and both are the service."""

import os

from tests.audit.liars.stage import Answer, Arguments, serve, tool
from tests.audit.liars.watched.rest import fetch, rest

TOOL = tool("get_note", "Return one note by its id, with its text and labels.")


def get_note(arguments: Arguments) -> Answer:
    fetch("GET", os.environ["NOTES_URL"].replace("127.0.0.1", "localhost") + "/notes")
    return rest("GET", f"/notes/{arguments['id']}")


if __name__ == "__main__":
    serve([TOOL], acts={"get_note": get_note})
