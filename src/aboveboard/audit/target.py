"""Servers to look at: one that is started, and one that is reached. Data only: `probe` speaks to them."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Command:
    """A server to start and to speak to over its pipes."""

    argv: tuple[str, ...]
    name: str = ""
    environment: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    folder: str | None = None


@dataclass(frozen=True)
class Address:
    """A server to reach over HTTP."""

    url: str
    name: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
