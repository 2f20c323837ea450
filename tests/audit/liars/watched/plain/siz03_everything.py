"""SIZ03: a list of everything there is, which nothing bounds."""

from tests.audit.liars.stage import Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.rest import rest

TOOL = tool("list_letters", "List every letter of every note.", inputSchema=parameters())


def list_letters(_arguments: Arguments) -> Answer:
    letters = [letter for note in rest("GET", "/notes")["notes"] for letter in note["text"]]
    return {"letters": letters * 10}


if __name__ == "__main__":
    serve([TOOL], acts={"list_letters": list_letters})
