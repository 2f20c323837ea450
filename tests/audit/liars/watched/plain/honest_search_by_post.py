"""Honest: a search that is sent by POST and changes nothing."""

from tests.audit.liars.stage import Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.rest import rest

TOOL = tool("search_notes", "Find notes by a word in their text.", inputSchema=parameters(query="The word."))


def search_notes(arguments: Arguments) -> Answer:
    return rest("POST", "/search", {"query": arguments["query"]})


if __name__ == "__main__":
    serve([TOOL], acts={"search_notes": search_notes})
