"""The one error the outside world may see.

    Failure            someone outside can act on it: the model, the user, the operator
      BadInput         an argument or a setting is wrong; nothing was sent
      ApiError         the service answered with an error, or with something that is no answer
        NotFound  Unauthorised  Refused  Conflict  Locked  RateLimited
      NetworkError     the service did not answer
      GuardError       the tool tried more than its effect allows

Any other exception is a bug: it is logged with its traceback and its text stays on the server.
"""

from collections.abc import Sequence
from typing import ClassVar, Final

SHOWN: Final = 12
DOUBT: Final = "Whether it was done is unknown: list or read what it is about before trying again."
"""What is left to say of a write whose answer was lost, or tells nothing of it."""


class Failure(Exception):
    """What went wrong, and what to do next, in words for the reader."""

    advice: ClassVar[str] = ""

    def __init__(self, problem: str, *, next_step: str | None = None) -> None:
        super().__init__(f"{problem} {self.advice if next_step is None else next_step}".rstrip())


class BadInput(Failure):
    """An argument or a setting that cannot be right; nothing was sent."""


class ApiError(Failure):
    """The service answered with an error, or with something that is no answer."""

    def __init__(self, problem: str, *, status: int = 0, next_step: str | None = None) -> None:
        super().__init__(problem, next_step=next_step)
        self.status = status


class NotFound(ApiError):
    """There is no such thing, or the token may not see it."""

    advice = "Check the id: a list or search tool shows what there is."


class Unauthorised(ApiError):
    """The service does not know the caller."""

    advice = "The token is missing, wrong, expired, or not valid for this route: ask the operator to check it."


class Refused(ApiError):
    """The service knows the caller and says no."""

    advice = "The token's owner lacks the right for this, or the thing no longer exists; retrying will not help."


class Conflict(ApiError):
    """The thing changed, or already exists."""

    advice = "Read it again, then decide."


class Locked(ApiError):
    """Somebody else is at it; nothing was done."""

    advice = "Nothing was done: it is being written, or somebody locked it. Try again in a while."


class RateLimited(ApiError):
    """The service asks for patience, and the wait is longer than a call should take."""

    advice = "Wait before trying again."


class NetworkError(Failure):
    """The service did not answer."""


class GuardError(Failure):
    """The tool tried to do more than the effect it declares; the request was not sent."""

    advice = "Nothing was sent. This is a defect of the tool: report it."


_BY_STATUS: dict[int, type[ApiError]] = {
    401: Unauthorised,
    403: Refused,
    404: NotFound,
    409: Conflict,
    410: NotFound,
    412: Conflict,
    423: Locked,
    429: RateLimited,
}


def api_error(status: int, problem: str, *, next_step: str | None = None) -> ApiError:
    """Choose the error, and with it the advice where none is given, by the answer's status."""
    return _BY_STATUS.get(status, ApiError)(problem, status=status, next_step=next_step)


def explain_unknown(noun: str, name: str, known: Sequence[str], *, of: str) -> str:
    """Say that there is no such thing, and what comes nearest or what there is."""
    import difflib  # for whoever errs

    known = list(dict.fromkeys(known))
    ending = [one for one in known if one.endswith(f"_{name}")]  # without the prefix that others know it by
    close = ending[:3] or difflib.get_close_matches(name, known, n=3)
    if close:
        return f"{of} has no {noun} {name!r}: did you mean {' or '.join(map(repr, close))}?"
    more = f" and {len(known) - SHOWN} more" if len(known) > SHOWN else ""
    return f"{of} has no {noun} {name!r}; it has {', '.join(known[:SHOWN]) or 'none'}{more}."
