"""The guard: the effect of the running tool decides which requests may leave."""

from collections.abc import Callable
from enum import Enum

from aboveboard.effects import DryRunStopped, Effect, Permit
from aboveboard.errors import GuardError


class Nature(Enum):
    """What a request does to the service."""

    READS = "reads"
    ADDS = "adds"
    REPLACES = "replaces"


SAFE = frozenset({"GET", "HEAD", "OPTIONS", "PROPFIND", "REPORT", "SEARCH", "QUERY"})
ADDING = frozenset({"POST", "MKCOL"})


def nature_of(method: str, declared: Nature | None) -> Nature:
    """Tell a request's nature: a DELETE always destroys, else the client's word counts, else the method's habit."""
    if method.upper() == "DELETE":
        return Nature.REPLACES
    if declared is not None:
        return declared
    if method in SAFE:
        return Nature.READS
    return Nature.ADDS if method in ADDING else Nature.REPLACES


def check(permit: Permit, method: str, path: str, nature: Nature, body: Callable[[], object]) -> None:
    """Stop a request that the effect in force does not allow, or that a dry run must not send: that tells its body."""
    if not _allows(permit.effect, nature):
        raise GuardError(f"A tool declared {permit.effect.name} tried to send {method} {path}, which {nature.value}.")
    if permit.dry_run and nature is not Nature.READS:
        raise DryRunStopped(method, path, body())


def _allows(effect: Effect, nature: Nature) -> bool:
    if nature is Nature.READS:
        return True
    if effect.read_only:
        return False
    return nature is Nature.ADDS or effect.destructive
