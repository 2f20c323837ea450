"""What a service said to one request, and what that leaves open."""

import json
from dataclasses import dataclass
from typing import Final

import httpx2

from aboveboard.errors import DOUBT, ApiError

_CLEAR: Final = frozenset({501, 505, 507})
"""Failures of the service that say that nothing was done; after any other, something may have been."""


@dataclass(frozen=True)
class Response:
    """What the service said, and to what."""

    status: int
    headers: httpx2.Headers
    content: bytes
    method: str = "GET"
    writes: bool = False
    """Whether the request was one that changes something."""
    unsure: bool = False
    """Whether the request was sent before, and that answer was lost."""

    def json(self) -> object:
        """Return the body as JSON; a body that is none is the service's error, never ours."""
        if not self.content:
            raise self.misfit("The service answered with an empty body where data was expected.")
        try:
            return json.loads(self.content)
        except (ValueError, RecursionError):
            raise self.misfit(f"The service answered with {self.kind} instead of JSON.") from None

    @property
    def kind(self) -> str:
        """Tell what the body is, as far as that is of interest where something else was due."""
        if not self.content:
            return "nothing"
        if b"<html" in self.content[:1000].lower() or "html" in self.headers.get("content-type", ""):
            return "a web page (is the address right, and is there a login page in front of it?)"
        return "something"

    @property
    def leaves_doubt(self) -> bool:
        """Tell whether something may have been done although this is an error."""
        return self.writes and (self.unsure or (self.status >= 500 and self.status not in _CLEAR))

    def misfit(self, problem: str, *, next_step: str | None = None) -> ApiError:
        """Make the error of an answer that is not what was due, which tells nothing of what a write did."""
        advice = " ".join(filter(None, (DOUBT if self.writes else "", next_step)))
        return ApiError(problem, status=self.status, next_step=advice or None)
