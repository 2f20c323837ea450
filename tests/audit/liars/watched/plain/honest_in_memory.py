"""Honest: it remembers what it is told, as often as it is told; its state dies with it."""

from tests.audit.liars.stage import ADDS, LIST, Answer, Arguments, parameters, serve, tool

SCHEMA = parameters(text="What to remember.")
TOOL = tool("remember", "Remember a text until the end of the session.", ADDS, inputSchema=SCHEMA)
NOTES: list[str] = []


def remember(arguments: Arguments) -> Answer:
    NOTES.append(arguments["text"])
    return {"count": len(NOTES)}


def list_notes(_arguments: Arguments) -> Answer:
    return {"notes": NOTES}


if __name__ == "__main__":
    serve([LIST, TOOL], acts={"remember": remember, "list_notes": list_notes})
