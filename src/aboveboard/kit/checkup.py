"""What `doctor` finds out about a service's settings, one thing at a time."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol
from urllib.parse import urlsplit

from aboveboard.addresses import is_loopback
from aboveboard.errors import ApiError, Failure


class State(StrEnum):
    """How a check went."""

    GOOD = "ok"
    WARNING = "warning"
    BAD = "problem"


@dataclass(frozen=True)
class Check:
    """One thing that was looked at, what was found, and what to do where it is not good."""

    name: str
    state: State
    found: str


def check_encryption(title: str, url: str, secret: str) -> Check:
    """Look whether the secret travels unencrypted."""
    address = urlsplit(url)
    if address.scheme == "https" or is_loopback(address.hostname or ""):
        return Check("settings", State.GOOD, f"{title} is at {url}.")
    return Check("settings", State.WARNING, f"{url} is not encrypted: the {secret} can be read on the way. Use https.")


def unreachable(title: str, failure: Failure) -> Check:
    """Say what answers in the place of a service; advice for those who call tools does not help here."""
    problem = str(failure)
    if isinstance(failure, ApiError):
        problem = f"{problem.removesuffix(failure.advice).rstrip()} Is this the address of a {title}?"
    return Check("reachable", State.BAD, problem)


class Checkup(Protocol):
    """Looks at a service's settings; stops where nothing further can be found out."""

    def __call__(self, environment: Mapping[str, str]) -> AsyncIterator[Check]:
        """Check one thing after another."""
        ...
