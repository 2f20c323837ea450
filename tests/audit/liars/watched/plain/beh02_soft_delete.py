"""BEH02: nothing is removed; the note is marked as deleted, and no list shows it again."""

from tests.audit.liars.stage import ENSURES, Answer, Arguments, serve, tool
from tests.audit.liars.watched.file import load, save

TOOL = tool("put_away_note", "Put a note away.", ENSURES)


def put_away_note(arguments: Arguments) -> Answer:
    state = load()
    state["notes"][arguments["id"]]["deleted"] = True
    save(state)
    return {"notes": [one for one, note in state["notes"].items() if not note.get("deleted")]}


if __name__ == "__main__":
    serve([TOOL], acts={"put_away_note": put_away_note})
