"""When to send a request again, and how long to wait first.

A lost answer leaves it open whether the request was processed. Only a request that may be repeated (it reads, or the
tool is idempotent and so is this request) is sent again then; any other only when it provably was not processed.
"""

import random
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx2

ATTEMPTS = 4
LONGEST_WAIT = 20.0
"""Seconds. A service that asks for more is handed to the reader as an error: a call should not take longer."""

_SLOW = (httpx2.ReadTimeout, httpx2.WriteTimeout)
"""Waited for as long as a call should take: trying again would only double that."""
_NEVER_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)
DONE_BEFORE = frozenset({404, 405, 409, 410, 412})
"""What a write is answered that was already done: nothing left to delete or move, or something there already."""
LOST = frozenset({502, 504})
"""What a gateway says that got no answer: the service behind it may have done the work."""
_OVERLOADED = LOST | {503}
_NOT_PROCESSED = frozenset({423, 429})
"""Somebody else has a lock on it, or too much was asked of the service: it says that it did nothing."""


def never_sent(error: httpx2.TransportError) -> bool:
    """Tell whether the request certainly did not arrive."""
    return isinstance(error, _NEVER_SENT)


def after_error(error: httpx2.TransportError, *, repeatable: bool) -> bool:
    """Tell whether to try again after no answer came."""
    return never_sent(error) or (repeatable and not isinstance(error, _SLOW))


def after_status(status: int, *, repeatable: bool) -> bool:
    """Tell whether to try again after this answer."""
    return status in _NOT_PROCESSED or (repeatable and status in _OVERLOADED)


def done_before(method: str, status: int) -> str | None:
    """Tell what an answer to a repeated write says of the attempt whose answer was lost, if anything."""
    if status in DONE_BEFORE:
        return "The first attempt most likely worked: look before trying again."
    if method == "DELETE" and status == 403:  # Lightdash says so of a space that is gone
        return "The first attempt may have worked, as this can also mean that it is gone: look before trying again."
    return None


def pause(attempt: int, retry_after: str | None) -> float:
    """Return the seconds to wait before the next attempt: what the service asks for, else backoff with jitter."""
    asked = _seconds(retry_after)
    return asked if asked is not None else 0.2 * 2**attempt * random.uniform(0.5, 1.0)  # noqa: S311 (jitter)


def _seconds(retry_after: str | None) -> float | None:
    if retry_after is None:
        return None
    if retry_after.strip().isdecimal():
        return float(retry_after)
    try:
        return max(0.0, (parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None
