"""A request that a server sent on behalf of a call, and what such a request does: the verb is only the prior."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class RequestKind(StrEnum):
    """What a route is known to do."""

    SAFE = "safe"
    ADDITIVE = "additive"
    REPLACING = "replacing"
    DELETING = "deleting"


# A table of its own, not the guard's: the auditor proves that guard, and must not share its mistakes. That they agree,
# a test holds; of a method that neither knows, the guard fears the worst, and the auditor says nothing.
PRIOR: Final = {
    "GET": RequestKind.SAFE,
    "HEAD": RequestKind.SAFE,
    "OPTIONS": RequestKind.SAFE,
    "PROPFIND": RequestKind.SAFE,
    "REPORT": RequestKind.SAFE,
    "SEARCH": RequestKind.SAFE,
    "QUERY": RequestKind.SAFE,
    "MKCOL": RequestKind.ADDITIVE,
    "LOCK": RequestKind.REPLACING,
    "UNLOCK": RequestKind.REPLACING,
    "MOVE": RequestKind.REPLACING,
    "COPY": RequestKind.REPLACING,
    "PROPPATCH": RequestKind.REPLACING,
    "POST": RequestKind.ADDITIVE,
    "PUT": RequestKind.REPLACING,
    "PATCH": RequestKind.REPLACING,
    "DELETE": RequestKind.DELETING,
}


REFUSED: Final = 400
"""From this status on an answer says that nothing was done."""


@dataclass(frozen=True)
class Request:
    """One request that the server sent on behalf of a call."""

    method: str
    host: str
    route: str
    status: int = 0
    writes: bool = False
    """Whether this route is known to change something there; the verb alone does not say so."""
    known: str = ""
    """What a person who reviewed the route says it does: safe, additive, replacing, deleting; empty: nobody did."""

    @property
    def kind(self) -> RequestKind | None:
        """What it does: what a reviewer said, or else its verb; None where neither says, as in a tunnel."""
        return RequestKind(self.known) if self.known else PRIOR.get(self.method)

    @property
    def may_write(self) -> bool:
        """Tell whether it writes, as far as anyone knows."""
        return self.kind not in (RequestKind.SAFE, None)

    @property
    def may_lose(self) -> bool:
        """Tell whether it replaces or deletes, as far as anyone knows."""
        return self.kind in (RequestKind.REPLACING, RequestKind.DELETING)

    @property
    def deleted(self) -> bool:
        """Tell whether it deletes, as far as anyone knows, and was not answered with a refusal."""
        return self.kind is RequestKind.DELETING and self.status < REFUSED

    def __str__(self) -> str:
        return f"{self.method} {self.host}{self.route}"


def routes(requests: Sequence[Request], *, writing: bool = False) -> list[str]:
    """Name the routes that were asked; where one may have written, those that may."""
    telling = [one for one in requests if one.may_write] if writing else []
    return list(dict.fromkeys(f"{one.method} {one.route or one.host}" for one in telling or requests))
