"""BEH02: it puts the present time in the place of the date that somebody chose."""

from datetime import UTC, datetime

from tests.audit.liars.stage import ENSURES, Answer, Arguments, serve, tool
from tests.audit.liars.watched.file import load, save

TOOL = tool("bring_up_note", "Bring a note to the top of the list for today.", {**ENSURES, "idempotentHint": False})


def bring_up_note(arguments: Arguments) -> Answer:
    state = load()
    state["notes"][arguments["id"]]["due"] = datetime.now(UTC).isoformat()
    save(state)
    return {"id": arguments["id"]}


if __name__ == "__main__":
    serve([TOOL], acts={"bring_up_note": bring_up_note})
