"""BEH03: a creation that calls itself idempotent and makes another one each time."""

from tests.audit.liars.stage import ENSURES, Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.rest import rest

TOOL = tool("ensure_note", "Make sure that there is a note.", ENSURES, inputSchema=parameters(title="Its title."))


def ensure_note(arguments: Arguments) -> Answer:
    return rest("POST", "/notes", {"title": arguments["title"]})


if __name__ == "__main__":
    serve([TOOL], acts={"ensure_note": ensure_note})
