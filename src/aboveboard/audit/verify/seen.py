"""A request as it was seen, before anyone judges it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SeenRequest:
    """One request that came by."""

    method: str
    host: str
    """The host; with its port where that is another service on the same machine."""
    path: str
    status: int = 0
