"""Where a state is kept that can be read without a script, and put back as it was: a file, a folder, a database."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from aboveboard.audit.verify.oracles.files import FileTree
from aboveboard.audit.verify.oracles.postgres import Postgres
from aboveboard.audit.verify.oracles.redis import Redis
from aboveboard.audit.verify.oracles.sqlite import Sqlite
from aboveboard.audit.verify.oracles.store import Store

KINDS: Final[Mapping[str, Callable[[str, Path, Path, float], Store]]] = {
    "sqlite": lambda place, here, scratch, _: Sqlite(here / place, scratch),
    "files": lambda place, here, scratch, _: FileTree(here / place, scratch, here),
    "redis": lambda place, _here, _scratch, patience: Redis(place, patience),
    "postgres": lambda place, _here, scratch, patience: Postgres(place, scratch, patience),
}
"""How a store of each kind is opened: where it is, the plan's folder, one for copies, and seconds to wait."""

__all__ = ["KINDS", "Store"]
