"""A folder of indexes: one folder for each person, in it one file for each identity; or all of it in memory."""

import shutil
import sqlite3
from hashlib import sha256
from pathlib import Path
from threading import Lock

from aboveboard.errors import Failure
from aboveboard.search.sqlite.index import SqliteIndex


class SqliteStore:
    """Indexes in files that only their owner may read, or in memory where no folder is given."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._open: dict[tuple[str, str], SqliteIndex] = {}
        self._opening = Lock()

    def open(self, person: str, identity: str) -> SqliteIndex:
        """Open the index of a person, which may be new and empty."""
        with self._opening:
            if (person, identity) not in self._open:
                self._open[person, identity] = self._opened(person, identity)
            return self._open[person, identity]

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
                self._close(person, other)
                if self._folder is not None:
                    _remove(self._file(self._folder, person, other))

    def erase(self, person: str) -> None:
        """Delete all that is kept of a person."""
        for identity in self._identities(person):
            self._close(person, identity)
        if self._folder is not None:
            shutil.rmtree(self._folder / _short(person), ignore_errors=True)

    def close(self) -> None:
        """Close the files."""
        for person, identity in list(self._open):
            self._close(person, identity)

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
            return [identity for one, identity in self._open if one == person]
        files = sorted((self._folder / _short(person)).glob("*.db"), key=lambda one: one.stat().st_mtime, reverse=True)
        return [identity for file in files if (identity := SqliteIndex.identity_in(file)) is not None]

    def _close(self, person: str, identity: str) -> None:
        if index := self._open.pop((person, identity), None):
            index.close()

    @staticmethod
    def _file(folder: Path, person: str, identity: str) -> Path:
        return folder / _short(person) / f"{_short(identity)}.db"


def _short(text: str) -> str:
    """Return a name that any file system takes, and that tells nobody who it is."""
    return sha256(text.encode()).hexdigest()[:32]


def _remove(file: Path) -> None:
    for ending in ("", "-wal", "-shm"):
        file.with_name(file.name + ending).unlink(missing_ok=True)


def _unusable(file: Path, error: Exception) -> Failure:
    return Failure(
        f"The search index cannot be kept in {str(file.parent.parent)!r}: {error}.",
        next_step="Set ABOVEBOARD_SEARCH_INDEX to a folder that can be written.",
    )
