"""Deadlines that grow with the machine's load: what takes a second on an idle machine takes ten on a busy one.

`patience(5)` is five seconds on an idle machine. A deadline only ends a test that hangs, so it may be generous; a test
that *measures* time must not use it.
"""

import os
from functools import lru_cache
from time import perf_counter
from typing import Final

USUAL: Final = 0.012
"""How many seconds the calibration takes on the slowest machine for which the base numbers are meant."""
MOST: Final = 20.0


def patience(seconds: float) -> float:
    """Return how long to wait for what takes at most so many seconds on an idle machine."""
    return seconds * factor(_load(), _slowness())


def factor(load: float, slowness: float) -> float:
    """Weigh how many processes want each core, and how much slower than usual this one gets on."""
    return min(MOST, max(1.0, load, slowness))


def _load() -> float:
    """Return how many processes waited for each core in the last minute."""
    try:
        return os.getloadavg()[0] / (os.cpu_count() or 1)
    except OSError:  # a system that does not tell
        return 1.0


@lru_cache
def _slowness() -> float:
    """Do a little work once, and compare how long it took with what is usual."""
    start = perf_counter()
    sum(number * number for number in range(100_000))
    return (perf_counter() - start) / USUAL
