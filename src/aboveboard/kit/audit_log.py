"""The audit log: one line of JSON per call, which tells who did what and never what was said."""

import json
import logging
import os
import sys
from contextlib import suppress
from datetime import UTC, datetime
from typing import TextIO

from aboveboard.errors import BadInput
from aboveboard.observing import CallRecord, RequestRecord

logger = logging.getLogger("aboveboard")


class AuditLog:
    """An observer that appends a line per call to a file only its owner can read, or to stderr for `-`."""

    def __init__(self, target: str) -> None:
        self._file = sys.stderr if target == "-" else _opened(target)

    def call_ended(self, record: CallRecord) -> None:
        """Add one call; of its arguments only the names, since a value may be a secret."""
        line = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            record.kind: record.name,
            "effect": record.effect,
            "scope": record.scope,
            "arguments": sorted(record.arguments),
            "outcome": record.outcome,
            "ms": round(record.seconds * 1000, 1),
            "subject": record.subject,
            "client": record.client,
            **({} if record.grant is None else {"grant": record.grant}),
        }
        try:
            self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
            self._file.flush()
        except OSError as error:
            # What the call did is done: were its answer lost, the model would do it again.
            logger.warning("The audit log cannot be written: %s; it lacks a call of %s.", error.strerror, record.name)

    def request_sent(self, record: RequestRecord) -> None:
        """Leave it: the log tells of calls."""

    def close(self) -> None:
        """Close the file; stderr stays open."""
        if self._file is not sys.stderr:
            with suppress(OSError):  # the full disk that a line has told of
                self._file.close()


def _opened(target: str) -> TextIO:
    try:
        return os.fdopen(os.open(target, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "a", encoding="utf-8")
    except OSError as error:
        raise BadInput(f"The audit log {target!r} cannot be written: {error.strerror}.") from None
