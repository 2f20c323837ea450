"""What is remembered of calendars and address books between calls: what has not changed need not be read again."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

KEPT: Final = 64
"""Answers that are kept."""
AGE: Final = 300.0
"""Seconds. A calendar that is deleted and made anew counts its changes from the start, and may seem the old one."""

T = TypeVar("T")


@dataclass(frozen=True)
class RememberedAnswer(Generic[T]):
    """What a calendar answered, and in which state it was: `token` is what the server tells changes since by."""

    tag: str
    token: str | None
    found: T
    until: float


class Memory(Generic[T]):
    """Answers of calendars; whatever this client writes makes it forget them all."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._answers: OrderedDict[object, RememberedAnswer[T]] = OrderedDict()

    def forget(self) -> None:
        """Forget everything: something is being written."""
        self._answers.clear()

    def get(self, key: object) -> RememberedAnswer[T] | None:
        """Return what was answered, if that is not too long ago."""
        answer = self._answers.get(key)
        if answer is None or self._clock() > answer.until:
            return None
        self._answers.move_to_end(key)
        return answer

    def keep(self, key: object, tag: str, token: str | None, found: T) -> None:
        """Keep an answer; the one that was used longest ago gives way."""
        self._answers[key] = RememberedAnswer(tag, token, found, self._clock() + AGE)
        while len(self._answers) > KEPT:
            self._answers.popitem(last=False)
