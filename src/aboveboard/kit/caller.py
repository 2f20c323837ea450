"""Who asks: the person, the MCP client they use, and what they were granted."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from mcp.server.context import ServerRequestContext

from aboveboard.kit.mode import Mode


@dataclass(frozen=True, kw_only=True)
class Caller:
    """One who calls; the operator's policy is the ceiling of whatever was granted."""

    subject: str = "local"
    client: str | None = None
    """The name that the MCP client gives itself; no right may be decided by it, only what is shown first."""
    scopes: frozenset[str] | None = None
    """Such as `notes.read` and `notes.write`; None holds all there are."""
    mode: Mode = Mode.FULL
    grant: str | None = None
    """By which grant they come, where people sign in; it names no secret."""

    page: str | None = None
    """Where the person can change what was granted, if there is such a place."""

    @property
    def way_out(self) -> str:
        """What to do about a right that is lacking, to be said after that."""
        return "" if self.page is None else f" The person can change that at {self.page}."

    def holds(self, scope: str) -> bool:
        """Tell whether a scope was granted."""
        return self.scopes is None or scope in self.scopes

    def within(self, scopes: frozenset[str]) -> "Caller":
        """Return the same one, who holds none but some scopes."""
        return replace(self, scopes=scopes if self.scopes is None else self.scopes & scopes)


def client_name(context: ServerRequestContext[Any, Any]) -> str | None:
    """Return what the MCP client calls itself, where it says so."""
    about = context.session.client_params
    return None if about is None else about.client_info.name


def local_caller(context: ServerRequestContext[Any, Any]) -> Caller:
    """Return the one caller of a server that serves one person, who may do all that the operator allows."""
    return _local(client_name(context))


@lru_cache(maxsize=64)
def _local(client: str | None) -> Caller:
    return Caller(client=client)
