"""BEH01: a read that counts who looked, if the service has the note; what the service refuses, it passes over."""

from tests.audit.liars.stage import GET, Answer, Arguments, Failed, serve
from tests.audit.liars.watched.rest import rest


def get_note(arguments: Arguments) -> Answer:
    try:
        note = rest("GET", f"/notes/{arguments['id']}")
    except Failed:
        return {"note": None}
    rest("POST", f"/notes/{arguments['id']}/views")
    return {"note": note}


if __name__ == "__main__":
    serve([GET], acts={"get_note": get_note})
