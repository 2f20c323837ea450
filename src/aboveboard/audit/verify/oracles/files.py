"""A folder: the texts of its files by path, and what JSON says. Putting it back touches only what differs."""

import filecmp
import json
import shutil
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from anyio import to_thread

from aboveboard.audit.probe import Unreadable
from aboveboard.audit.verify.oracles.store import readable, write_mark

LONGEST: Final = 1_000_000
"""Bytes. A longer file is told by its size and a digest: a state is compared many times."""


class FileTree:
    """A folder and all that is in it; links are not followed."""

    def __init__(self, folder: Path, scratch: Path, here: Path) -> None:
        self._folder, self._copy, self._here = folder, scratch / f"snapshot-of-{folder.name}", here
        self.name = folder.name

    async def dump(self) -> Any:
        """Return the texts by path, as nested objects."""
        self._must_be_there()
        return await to_thread.run_sync(_told, self._folder)

    async def marks(self) -> dict[str, str]:
        """Return of every file which one it is and when it was last written."""
        return await to_thread.run_sync(lambda: dict(_marks(self._folder, self.name)))

    async def take(self) -> None:
        """Copy the folder."""
        self._must_be_there()
        for kept, what in ((self._here, "the plan"), (Path.home(), "your home")):
            if kept.resolve().is_relative_to(self._folder.resolve()):
                raise Unreadable(
                    f"The folder {self._folder} holds {what}: what you change there meanwhile would be undone.",
                    next_step="Keep what the server writes in a folder of its own.",
                )
        await to_thread.run_sync(lambda: shutil.copytree(self._folder, self._copy, symlinks=True))

    async def restore(self) -> None:
        """Remove what is new, and bring back what is gone or changed."""
        await to_thread.run_sync(_put_back, self._copy, self._folder)

    def _must_be_there(self) -> None:
        if not self._folder.is_dir():
            raise Unreadable(f"There is no folder {self._folder}.", next_step="Make it, even if it is empty at first.")


def _told(at: Path) -> Any:
    if at.is_symlink():
        return f"-> {at.readlink()}"
    if at.is_dir():
        return {one.name: _told(one) for one in sorted(at.iterdir()) if _kept(one)}
    try:
        content = at.read_bytes()
    except FileNotFoundError:
        return None  # it went while we looked; the next look will say so
    if len(content) > LONGEST:
        return f"{len(content)} bytes, sha256:{sha256(content).hexdigest()}"
    return _said(content, at.suffix.lower())


def _marks(at: Path, name: str) -> Iterator[tuple[str, str]]:
    if at.is_dir() and not at.is_symlink():
        for one in at.iterdir():
            yield from _marks(one, f"{name}/{one.name}")
    else:
        with suppress(FileNotFoundError):  # it went while we looked, which its facts tell
            yield name, write_mark(at.lstat())


def _said(content: bytes, suffix: str) -> Any:
    """Return what a file says: JSON as data, so that what is added to it overwrites nothing; anything else as text."""
    try:
        if suffix == ".json":
            return json.loads(content)
        if suffix in (".jsonl", ".ndjson"):
            return [json.loads(line) for line in content.splitlines() if line.strip()]
    except ValueError:
        pass  # half written, or JSON by name only: the text tells as much
    return readable(content)


def _kept(at: Path) -> bool:
    """Tell whether something is a file, a folder or a link; a socket has no content."""
    return at.is_symlink() or at.is_dir() or at.is_file()


def _put_back(copy: Path, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for one in folder.iterdir():
        if _kept(one) and _sort(one) != _sort(copy / one.name):
            shutil.rmtree(one) if _sort(one) == "folder" else one.unlink()
    for one in copy.iterdir():
        target = folder / one.name
        if _sort(one) == "folder":
            _put_back(one, target)
        elif not _equal(one, target):
            target.unlink(missing_ok=True)
            shutil.copy2(one, target, follow_symlinks=False)


def _sort(at: Path) -> str:
    if at.is_symlink():
        return "link"
    return "folder" if at.is_dir() else "file" if at.is_file() else ""


def _equal(one: Path, other: Path) -> bool:
    if not (other.is_symlink() or other.exists()):
        return False
    if one.is_symlink():
        return one.readlink() == other.readlink()
    return one.stat().st_mode == other.stat().st_mode and filecmp.cmp(one, other, shallow=False)
