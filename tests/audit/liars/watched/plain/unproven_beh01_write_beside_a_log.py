"""BEH01: a read that writes a line into the log, as the plan says, and beside it views that nobody looks at."""

from tests.audit.liars.stage import GET, Answer, Arguments, serve
from tests.audit.liars.watched.rest import rest


def get_note(arguments: Arguments) -> Answer:
    rest("POST", "/log", {"line": "read"})
    rest("POST", f"/notes/{arguments['id']}/views")
    return rest("GET", f"/notes/{arguments['id']}")


if __name__ == "__main__":
    serve([GET], acts={"get_note": get_note})
