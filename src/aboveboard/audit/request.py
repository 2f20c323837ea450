"""A request that a server sent on behalf of a call, and what such a request does: the verb is only the prior."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Effect(StrEnum):
    """What a route is known to do."""

    SAFE = "safe"
    ADDITIVE = "additive"
    REPLACING = "replacing"
    DELETING = "deleting"


PRIOR: Final = {
    "GET": Effect.SAFE,
    "HEAD": Effect.SAFE,
    "OPTIONS": Effect.SAFE,
    "PROPFIND": Effect.SAFE,
    "REPORT": Effect.SAFE,
    "SEARCH": Effect.SAFE,
    "QUERY": Effect.SAFE,
    "MKCOL": Effect.ADDITIVE,
    "LOCK": Effect.ADDITIVE,
    "UNLOCK": Effect.REPLACING,
    "MOVE": Effect.REPLACING,
    "COPY": Effect.REPLACING,
    "PROPPATCH": Effect.REPLACING,
    "POST": Effect.ADDITIVE,
    "PUT": Effect.REPLACING,
    "PATCH": Effect.REPLACING,
    "DELETE": Effect.DELETING,
}


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
    def effect(self) -> Effect | None:
        """What it does: what a reviewer said, or else its verb; None where neither says, as in a tunnel."""
        return Effect(self.known) if self.known else PRIOR.get(self.method)

    @property
    def may_write(self) -> bool:
        """Tell whether it writes, as far as anyone knows."""
        return self.effect not in (Effect.SAFE, None)

    @property
    def may_lose(self) -> bool:
        """Tell whether it replaces or deletes, as far as anyone knows."""
        return self.effect in (Effect.REPLACING, Effect.DELETING)

    def __str__(self) -> str:
        return f"{self.method} {self.host}{self.route}"


def routes(requests: Sequence[Request], *, writing: bool = False) -> list[str]:
    """Name the routes that were asked; where one may have written, those that may."""
    telling = [one for one in requests if one.may_write] if writing else []
    return list(dict.fromkeys(f"{one.method} {one.route or one.host}" for one in telling or requests))
