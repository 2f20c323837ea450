"""Honest: it reads a page from anywhere and says so."""

from contextlib import suppress

from tests.audit.liars.stage import READS, Answer, Arguments, Failed, parameters, serve, tool
from tests.audit.liars.watched.rest import fetch, rest

OPEN = {**READS, "openWorldHint": True}
TOOL = tool("get_with_source", "Return a note and the page it is about.", OPEN, inputSchema=parameters(id="The id."))


def get_with_source(arguments: Arguments) -> Answer:
    with suppress(OSError, Failed):
        fetch("GET", "http://news.invalid/today")
    return rest("GET", f"/notes/{arguments['id']}")


if __name__ == "__main__":
    serve([TOOL], acts={"get_with_source": get_with_source})
