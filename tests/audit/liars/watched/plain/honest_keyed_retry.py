"""Honest: a creation under a key; the same key again creates nothing."""

from tests.audit.liars.stage import ENSURES, Answer, Arguments, parameters, serve, tool
from tests.audit.liars.watched.file import load, save

SCHEMA = parameters(key="A key of your own for this note.", title="Its title.")
TOOL = tool("add_once", "Add a note, once for each key.", ENSURES, inputSchema=SCHEMA)


def add_once(arguments: Arguments) -> Answer:
    state = load()
    state["notes"].setdefault(arguments["key"], {"title": arguments["title"], "text": "", "labels": []})
    save(state)
    return {"id": arguments["key"]}


if __name__ == "__main__":
    serve([TOOL], acts={"add_once": add_once})
