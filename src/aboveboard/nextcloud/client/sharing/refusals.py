"""What is said when Nextcloud will not share: it has one status for many reasons, and the usual advice fits few."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from aboveboard.errors import ApiError, NotFound, Refused

_PATH: Final = "Check the path: listing its folder shows what there is."
_AGAIN: Final = "Most likely it is shared with that address already: list shows the shares of a path."
_RIGHTS: Final = "A share with a person or group needs read, and a file takes neither create nor delete."
_NOBODY: Final = "Most likely there is no such team or receiver: search_recipients shows whom there is."


@contextmanager
def plainly(*, receiver: str | None = None) -> Generator[None]:
    """Give a refusal the advice that fits what it says; `receiver` is the kind of whom something is shared with."""
    try:
        yield
    except ApiError as error:
        problem = str(error).removesuffix(error.advice).rstrip()
        advice = _advice(error, problem, receiver)
        if advice is None:
            raise
        kind = NotFound if advice == _PATH else Refused if isinstance(error, Refused) else ApiError
        raise kind(problem, status=error.status, next_step=advice) from None


def _advice(error: ApiError, problem: str, receiver: str | None) -> str | None:
    """Return the advice that fits; None leaves the usual one."""
    if "Wrong path" in problem:
        return _PATH
    if isinstance(error, Refused):
        # What it says is the reason; only of a mail address that has it already it says nothing.
        return _AGAIN if receiver == "email" and "Failed to create" in problem else ""
    if isinstance(error, NotFound):
        # Most wrong input is a 404 here.
        return None if "does not exist" in problem or "not installed" in problem else ""
    if "Failed to update share" in problem:
        return _RIGHTS
    return _NOBODY if error.status == 500 and receiver not in (None, "link") else None
