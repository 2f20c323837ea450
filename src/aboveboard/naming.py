"""Names in place of ids: which of several things a name means, for any service."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from aboveboard.errors import BadInput, explain_unknown

Id = TypeVar("Id", int, str)


@dataclass(frozen=True)
class Candidate(Generic[Id]):
    """A thing that a name may mean, and the names it has, the one to show first."""

    id: Id
    names: Sequence[str]


def resolve_name(kind: str, given: str, candidates: Sequence[Candidate[Id]], *, of: str, ids: str) -> Id:
    """Return the id of the one that has this name, letter by letter or else in any case; an id always means itself.

    A name that several have is refused with all of them: guessing could delete the wrong one.
    """
    alike = [one for one in candidates if given == one.id] or [one for one in candidates if given in one.names]
    if not alike:
        folded = given.strip().casefold()
        alike = [one for one in candidates if folded in [name.casefold() for name in one.names]]
    if not alike:
        known = [name for one in candidates for name in one.names[:1]]
        raise BadInput(explain_unknown(kind, given, known, of=of))
    if len(alike) > 1:
        which = ", ".join(f"{one.id} ({' / '.join(dict.fromkeys(one.names))})" for one in alike)
        raise BadInput(
            f"{given!r} is the name of {len(alike)} {kind}s: {which}.", next_step=f"Give one of these {ids}."
        )
    return alike[0].id
