"""Why a file cannot be put somewhere, in words."""

from unicodedata import normalize

from aboveboard.errors import ApiError, BadInput, Conflict, NotFound
from aboveboard.http import Response
from aboveboard.nextcloud.client.files.entries import parent, plain


def apart(source: str, destination: str) -> None:
    """Refuse to put a thing into itself, or over the folder that it is in, which Nextcloud throws away first."""
    of, to = normalize("NFC", plain(source)), normalize("NFC", plain(destination))
    if of == to:
        raise BadInput(f"Source and destination are both {plain(source)!r}.")
    if to.startswith(f"{of}/"):
        raise BadInput(f"{plain(source)!r} cannot go into itself.", next_step="Choose a destination outside of it.")
    if of.startswith(f"{to}/"):
        raise BadInput(
            f"{plain(destination)!r} holds {plain(source)!r} and would be thrown away with it.",
            next_step="Choose a destination that the source is not in.",
        )


def place_taken(path: str) -> Conflict:
    """Say that a place is not free."""
    return Conflict(
        f"There is already something at {plain(path)!r}; nothing was written.",
        status=412,
        next_step="Choose another name, or say that it may be overwritten.",
    )


def nowhere(answer: Response, path: str) -> ApiError:
    """Say what an answer means that found no place for a file."""
    if answer.status == 409 and b"non-files" in answer.content:
        return Conflict(f"{plain(path)!r} is a folder.", status=409, next_step="Choose another name.")
    return NotFound(
        f"{plain(path)!r} has no place: the folder {parent(path)!r} does not exist.",
        status=answer.status,
        next_step="Create that folder first.",
    )
