"""Times of change that count in seconds: in one that has just been, more may change and look the same."""

import time
from typing import Final

SETTLED: Final = 10
"""Seconds."""


def is_settled(modified: float) -> bool:
    """Tell whether the second in which something was changed is surely over."""
    return time.time() - modified > SETTLED
