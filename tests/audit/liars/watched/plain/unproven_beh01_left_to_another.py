"""BEH01: one read only notes down who looked, and another one writes that: alone, neither does anything."""

from tests.audit.liars.stage import GET, LIST, Answer, Arguments, serve
from tests.audit.liars.watched.file import load, save

SEEN: list[str] = []


def get_note(arguments: Arguments) -> Answer:
    SEEN.append(arguments["id"])
    return load()["notes"][arguments["id"]]


def list_notes(_arguments: Arguments) -> Answer:
    state = load()
    if SEEN:
        state["views"]["1"] = len(SEEN)
        save(state)
    return {"notes": list(state["notes"])}


if __name__ == "__main__":
    serve([GET, LIST], acts={"get_note": get_note, "list_notes": list_notes})
