"""BEH08: it deletes, as it says; the plan says that this could not be seen."""

from tests.audit.liars.stage import DELETE, Answer, Arguments, serve
from tests.audit.liars.watched.file import load, save


def delete_note(arguments: Arguments) -> Answer:
    state = load()
    state["notes"].pop(arguments["id"], None)
    save(state)
    return {"id": arguments["id"]}


if __name__ == "__main__":
    serve([DELETE], acts={"delete_note": delete_note})
