"""The audit log: one line of JSON per call, which tells what was done and never what was said."""

import json
import logging
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import TextIO

from aboveboard.errors import BadInput

logger = logging.getLogger("aboveboard")


class AuditLog:
    """Appends a line per call to a file only its owner can read, or to stderr for `-`."""

    def __init__(self, target: str) -> None:
        self._file = sys.stderr if target == "-" else _opened(target)

    def write(
        self, *, tool: str, effect: str, scope: str, arguments: Iterable[str], outcome: str, seconds: float
    ) -> None:
        """Add one call; of its arguments only the names, since a value may be a secret."""
        line = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "tool": tool,
            "effect": effect,
            "scope": scope,
            "arguments": sorted(arguments),
            "outcome": outcome,
            "ms": round(seconds * 1000, 1),
        }
        try:
            self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
            self._file.flush()
        except OSError:
            # What the call did is done: were its answer lost, the model would do it again.
            logger.exception("The audit log lacks a call of %s", tool)

    def close(self) -> None:
        """Close the file; stderr stays open."""
        if self._file is not sys.stderr:
            with suppress(OSError):  # the full disk that write has told of
                self._file.close()


def _opened(target: str) -> TextIO:
    try:
        return os.fdopen(os.open(target, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "a", encoding="utf-8")
    except OSError as error:
        raise BadInput(f"The audit log {target!r} cannot be written: {error.strerror}.") from None
