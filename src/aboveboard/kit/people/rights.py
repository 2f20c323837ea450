"""What a grant covers: scopes such as `notes.read`, the umbrellas `read` and `write`, and a safety mode above them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from aboveboard.kit.mode import Mode
from aboveboard.kit.service import Catalogue

READ_SCOPE: Final = "read"
WRITE_SCOPE: Final = "write"
ACCESS_AREA: Final = "access"
"""The area of the tools about signing in, which every grant may read."""
ORDER: Final = (Mode.READ_ONLY, Mode.ADDITIVE, Mode.FULL)


@dataclass(frozen=True)
class Rights:
    """The scopes as they were granted, and how much may be changed."""

    scopes: frozenset[str]
    mode: Mode = Mode.FULL

    @property
    def text(self) -> str:
        """The scopes as they are written."""
        return " ".join(sorted(self.scopes))


class Scopes:
    """The scopes that a server knows."""

    def __init__(self, areas: Mapping[str, str], *, ceiling: Mode = Mode.FULL) -> None:
        """Take the areas with their titles; nobody is offered more than the operator's mode allows."""
        self.areas, self.ceiling = areas, ceiling
        verbs = (READ_SCOPE, WRITE_SCOPE)
        self._every = frozenset(f"{area}.{verb}" for area in (*areas, ACCESS_AREA) for verb in verbs)
        self.expanded = lru_cache(maxsize=256)(self._expanded)

    @classmethod
    def of(cls, catalogue: Catalogue[Any]) -> "Scopes":
        """Find the areas of which the operator leaves something."""
        left = {tool.toolset.area for name, tool in catalogue.tools.items() if name not in catalogue.refusals}
        left |= {one.area for one in catalogue.resources}
        areas: dict[str, str] = {}
        for toolset in catalogue.service.toolsets:  # an area's first toolset names it; others are parts of it
            if toolset.area in left and toolset.area != ACCESS_AREA:
                areas.setdefault(toolset.area, toolset.title)
        return cls(areas, ceiling=catalogue.policy.mode)

    @property
    def names(self) -> list[str]:
        """All there are, umbrellas first."""
        return [READ_SCOPE, WRITE_SCOPE, *sorted(self._every)]

    @property
    def modes(self) -> list[Mode]:
        """The safety modes that can be chosen, from the most careful."""
        return list(ORDER[: ORDER.index(self.ceiling) + 1])

    def known(self, asked: str | Iterable[str] | None) -> frozenset[str]:
        """Keep what is known of what was asked for; a client asks for things of others, too, and is not refused."""
        words = asked.split() if isinstance(asked, str) else (asked or ())
        return frozenset(words := [word.replace(":", ".") for word in words]) & {READ_SCOPE, WRITE_SCOPE, *self._every}

    def _expanded(self, scopes: frozenset[str]) -> frozenset[str]:
        """Return every right that scopes include: writing includes reading, an umbrella all areas."""
        if WRITE_SCOPE in scopes:
            return self._every
        found = {f"{ACCESS_AREA}.{READ_SCOPE}", *(scopes & self._every)}
        writing = {scope for scope in found if scope.endswith(f".{WRITE_SCOPE}")}
        found |= {f"{scope.removesuffix(WRITE_SCOPE)}{READ_SCOPE}" for scope in writing}
        if READ_SCOPE in scopes:
            found |= {scope for scope in self._every if scope.endswith(f".{READ_SCOPE}")}
        return frozenset(found)

    def preset(self, mode: Mode, areas: Iterable[str]) -> Rights:
        """Return what a choice on a page means: how much may be changed, and where."""
        mode = min(mode, self.ceiling, key=ORDER.index)
        verb = READ_SCOPE if mode is Mode.READ_ONLY else WRITE_SCOPE
        chosen = set(areas) & set(self.areas)
        scopes = {verb} if chosen == set(self.areas) else {f"{area}.{verb}" for area in chosen}
        return Rights(frozenset(scopes), mode)

    def asked(self, scopes: frozenset[str]) -> tuple[Mode, list[str]]:
        """Tell which choice comes nearest to what a client asks for; who asks for nothing, asks to read."""
        wanted = self.expanded(scopes or frozenset({READ_SCOPE}))
        writes = any(scope.endswith(f".{WRITE_SCOPE}") for scope in wanted)
        areas = [area for area in self.areas if f"{area}.{READ_SCOPE}" in wanted]
        return (self.ceiling if writes else Mode.READ_ONLY), areas or list(self.areas)
