"""Safety modes: how much may be changed, by an operator's choice or by what a caller was granted."""

from enum import StrEnum

from aboveboard.effects import Effect


class Mode(StrEnum):
    """How much a client may change."""

    READ_ONLY = "read-only"
    ADDITIVE = "additive"
    FULL = "full"

    def allows(self, effect: Effect) -> bool:
        """Tell whether a tool of this effect may run."""
        if self is Mode.READ_ONLY:
            return effect.read_only
        return self is Mode.FULL or not effect.destructive
