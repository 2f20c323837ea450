"""Honest: one read remembers who looked, and another one tells; nothing is written."""

from tests.audit.liars.stage import GET, LIST, Answer, Arguments, serve
from tests.audit.liars.watched.file import load

SEEN: list[str] = []


def get_note(arguments: Arguments) -> Answer:
    SEEN.append(arguments["id"])
    return load()["notes"][arguments["id"]]


def list_notes(_arguments: Arguments) -> Answer:
    return {"notes": list(load()["notes"]), "seen": len(SEEN)}


if __name__ == "__main__":
    serve([GET, LIST], acts={"get_note": get_note, "list_notes": list_notes})
