"""Where indexes and models are; it stands apart so that a start can look without loading anything."""

import os.path
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

IN_MEMORY: Final = ":memory:"


def index_place(environment: Mapping[str, str]) -> str:
    """Return where the index is: a folder, a database, or memory."""
    return environment.get("ABOVEBOARD_SEARCH_INDEX", "").strip() or str(cache_folder(environment) / "search")


def may_have_index(environment: Mapping[str, str]) -> bool:
    """Tell whether anything may be indexed there, without looking inside."""
    place = index_place(environment)
    return place != IN_MEMORY and ("://" in place or os.path.isdir(place))


def cache_folder(environment: Mapping[str, str]) -> Path:
    """Return where this user's caches are."""
    if given := environment.get("XDG_CACHE_HOME"):
        return Path(given) / "aboveboard"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "aboveboard"
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or Path.home()) / "aboveboard" / "Cache"
    return Path.home() / ".cache" / "aboveboard"
