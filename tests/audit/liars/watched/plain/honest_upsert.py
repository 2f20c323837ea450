"""Honest: it writes a note, whether it was there or not, and says that the old one is lost."""

from tests.audit.liars.stage import DELETES, Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.rest import rest

SCHEMA = parameters(id="The id of the note.", text="What shall stand there.")
TOOL = tool("put_note", "Write a note; what stood under this id is lost.", DELETES, inputSchema=SCHEMA)


def put_note(arguments: Arguments) -> Answer:
    return rest("PUT", f"/notes/{arguments['id']}", {"text": arguments["text"]})


if __name__ == "__main__":
    serve([TOOL], acts={"put_note": put_note})
