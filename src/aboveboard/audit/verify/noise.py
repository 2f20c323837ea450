"""What moves by itself: measured while nothing was called, and left out of every comparison."""

from collections.abc import Collection, Iterable

from aboveboard.audit.verify.state import without_ids


def noise_patterns(moved: Iterable[str]) -> list[str]:
    """Return the paths that moved in control arms, without ids, so that they hold for other records as well."""
    return sorted({without_ids(path) for path in moved})


def noisy_paths(paths: Iterable[str], patterns: Collection[str], quiet: Collection[str] = ()) -> list[str]:
    """Return those of the paths that the mask covers, or that moved in this very walk."""
    return [path for path in paths if path in quiet or without_ids(path) in patterns]
