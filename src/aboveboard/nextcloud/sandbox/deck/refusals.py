"""How Deck says no: in JSON of its own, which one and the same 403 fills for what is missing and what is forbidden."""

from aboveboard.nextcloud.sandbox.calls import Call
from aboveboard.nextcloud.sandbox.wire import Halt, bad_argument, json_response

_TITLE, _COLOR = 100, 6


def refuse(status: int, message: str) -> Halt:
    """A refusal with its reason."""
    return Halt(json_response({"status": status, "message": message}, status))


def access_denied() -> Halt:
    """It is not there, or not for the caller."""
    return refuse(403, "Permission denied")


def archived_card() -> Halt:
    """The card would have to be brought back first."""
    return refuse(500, "Operation not allowed. This card is archived.")


def server_failure(call: Call) -> Halt:
    """The server fails over what it was given."""
    request = call.store.secret(20)
    message = (
        "Internal server error: Please contact the server administrator if this error reappears multiple times, please"
        f' include the request ID "{request}" below in your report.'
    )
    return Halt(json_response({"status": 500, "message": message, "requestId": request}, 500))


def number_of(call: Call, name: str) -> int:
    """An id in the path or the body; a word is a failure of the server."""
    given = str(call.arguments.get(name))
    if not given.isdecimal():
        raise server_failure(call)
    return int(given)


def needed_text(call: Call, name: str) -> str:
    """A text that must be there; anything else is a 400 without a word."""
    if call.arguments.get(name) is None:
        raise bad_argument()
    return call.text(name)


def checked_title(title: str, longest: int = _TITLE) -> str:
    """A title that Deck takes."""
    if not title:
        raise refuse(400, "title must be provided and must be not empty")
    if len(title) > longest:
        raise refuse(400, f"title cannot be longer than {longest} characters ")
    return title


def checked_color(color: str) -> str:
    """A colour of a board: any word of up to six letters."""
    if len(color) > _COLOR:
        raise refuse(400, f"color cannot be longer than {_COLOR} characters ")
    return color
