"""A folder of indexes: one folder for each person, in it one file for each identity; or all of it in memory."""

import shutil
import sqlite3
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Final

from aboveboard.errors import Failure
from aboveboard.search.sqlite.index import SqliteIndex

KEPT: Final = 100
"""Indexes that stay open; the one that was not used for longest goes, with the directions that it holds in memory."""
HELD: Final = 512 << 20
"""Bytes of directions that all of them may hold; the one in use may be larger."""


class SqliteStore:
    """Indexes in files that only their owner may read, or in memory where no folder is given."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._open: dict[tuple[str, str], SqliteIndex] = {}
        self._opening = Lock()

    def open(self, person: str, identity: str) -> SqliteIndex:
        """Open the index of a person, which may be new and empty."""
        key = (person, identity)
        with self._opening:
            index = self._open.pop(key, None)
            if index is None or self._is_gone(person, identity):
                index = self._opened(person, identity)
            self._open[key] = index
            while self._folder is not None and self._is_too_much():
                self._open.pop(next(iter(self._open)))
            return index

    def _is_too_much(self) -> bool:
        held = sum(index.held for index in self._open.values())
        return len(self._open) > KEPT or (held > HELD and len(self._open) > 1)

    def older(self, person: str, identity: str) -> SqliteIndex | None:
        """Return a complete index of the person under another identity, if there is one."""
        for other in self._identities(person):
            if other != identity and (index := self.open(person, other)).is_complete:
                return index
        return None

    def has(self, person: str) -> bool:
        """Tell whether a person has any index."""
        return bool(self._identities(person))

    def retire(self, person: str, identity: str) -> None:
        """Delete the person's indexes of all other identities."""
        for other in self._identities(person):
            if other != identity:
                self._open.pop((person, other), None)  # who searches it right now, finishes
                if self._folder is not None:
                    _remove(self._file(self._folder, person, other))

    def erase(self, person: str) -> None:
        """Delete all that is kept of a person."""
        for identity in self._identities(person):
            self._open.pop((person, identity), None)
        if self._folder is not None:
            shutil.rmtree(self._folder / _short(person), ignore_errors=True)

    def close(self) -> None:
        """Close the files."""
        while self._open:
            self._open.popitem()[1].close()

    def _opened(self, person: str, identity: str) -> SqliteIndex:
        if self._folder is None:
            return SqliteIndex(None, identity)
        file = self._file(self._folder, person, identity)
        try:
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            return SqliteIndex(file, identity)
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise _unusable(file, error) from error
            # What it held can be had again from the service.
            _remove(file)
            return SqliteIndex(file, identity)
        except OSError as error:
            raise _unusable(file, error) from error

    def _identities(self, person: str) -> list[str]:
        """Return the identities that a person has indexes of, the newest first."""
        if self._folder is None:
            with self._opening:
                return [identity for one, identity in self._open if one == person]
        files = sorted((self._folder / _short(person)).glob("*.db"), key=_changed, reverse=True)
        return [identity for file in files if (identity := SqliteIndex.identity_in(file)) is not None]

    def _is_gone(self, person: str, identity: str) -> bool:
        """Tell whether another process deleted a file that is open here."""
        return self._folder is not None and not self._file(self._folder, person, identity).exists()

    @staticmethod
    def _file(folder: Path, person: str, identity: str) -> Path:
        return folder / _short(person) / f"{_short(identity)}.db"


def _short(text: str) -> str:
    """Return a name that any file system takes, and that tells nobody who it is."""
    return sha256(text.encode()).hexdigest()[:32]


def _changed(file: Path) -> float:
    """Return when a file was changed; another process may have deleted it by now."""
    try:
        return file.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _remove(file: Path) -> None:
    for ending in ("", "-wal", "-shm"):
        with suppress(PermissionError):  # some systems keep a file that is open; it goes the next time
            file.with_name(file.name + ending).unlink(missing_ok=True)


def _unusable(file: Path, error: Exception) -> Failure:
    return Failure(
        f"The search index cannot be kept in {str(file.parent.parent)!r}: {error}.",
        next_step="Set ABOVEBOARD_SEARCH_INDEX to a folder that can be written.",
    )
