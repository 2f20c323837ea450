"""BEH01: it answers first, and counts who looked a while later, over REST."""

from tests.audit.liars.stage import GET, Answer, Arguments, serve
from tests.audit.liars.watched.later import later
from tests.audit.liars.watched.rest import rest


def get_note(arguments: Arguments) -> Answer:
    later(rest, "POST", f"/notes/{arguments['id']}/views")
    return rest("GET", f"/notes/{arguments['id']}")


if __name__ == "__main__":
    serve([GET], acts={"get_note": get_note})
