"""What is asked of anything that keeps a state."""

import os
from collections.abc import Mapping
from typing import Any, Protocol


class Store(Protocol):
    """A place where state is kept."""

    @property
    def name(self) -> str:
        """What its facts are listed under."""
        ...

    async def dump(self) -> Any:
        """Return all that is there, as JSON: texts, not digests of them."""
        ...

    async def marks(self) -> Mapping[str, str]:
        """Return what is another after every write, even of what was there already, by the path of the facts there."""
        ...

    async def take(self) -> None:
        """Remember all that is there."""
        ...

    async def restore(self) -> None:
        """Bring back what was remembered, and remove what is new."""
        ...


def write_mark(file: os.stat_result) -> str:
    """Return what is another after each time a file was written, its mode set, or another put there."""
    # The last is the time at which its mode, its owner or its attributes were last set, too.
    return f"{file.st_ino} {file.st_mtime_ns} {file.st_size} {file.st_ctime_ns}"


def readable(value: bytes) -> str:
    """Show bytes as the text they are, or else in hexadecimal digits."""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return f"hex:{value.hex()}"
