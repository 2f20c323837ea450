"""Honest: it fills a place that was empty, and adds a note that says of itself that it is not deleted."""

from tests.audit.liars.stage import ENSURES, Answer, Arguments, serve, tool
from tests.audit.liars.watched.file import load, save

TOOL = tool("star_note", "Mark a note as a favourite, and make it if it is not there.", ENSURES)


def star_note(arguments: Arguments) -> Answer:
    state = load()
    note = state["notes"].setdefault(arguments["id"], {"title": "", "text": "", "labels": [], "deleted": "no"})
    note["starred"] = True
    save(state)
    return {"starred": arguments["id"]}


if __name__ == "__main__":
    serve([TOOL], acts={"star_note": star_note})
