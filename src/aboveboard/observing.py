"""What happened, for whoever keeps watch: every call that ended, and every request that was sent, for it or beside it.

An audit log, metrics or traces are observers; a server is given a sequence of them, and nothing else knows them.
"""

import logging
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

logger = logging.getLogger("aboveboard")

Kind = Literal["tool", "resource", "prompt", "completion"]


@dataclass(frozen=True, kw_only=True)
class CallRecord:
    """A call that ended: who asked for what, and how it went; of its arguments only the names."""

    kind: Kind
    name: str
    """Of a resource its declared address, without what a caller filled in."""
    effect: str
    scope: str
    arguments: Sequence[str]
    outcome: str
    seconds: float
    subject: str
    client: str | None
    grant: str | None = None


@dataclass(frozen=True, kw_only=True)
class RequestRecord:
    """A request to the service that was answered, or that got no answer; nothing in it is a secret or a value."""

    service: str
    host: str
    method: str
    route: str
    """The path's template, such as `/api/v1/saved/{chart}`."""
    status: int | None
    seconds: float
    attempt: int
    """1 for the first; a repeated request is a record of its own."""


class Observer(Protocol):
    """Is told what happened, when it has happened; it must not take long."""

    def call_ended(self, record: CallRecord, /) -> None:
        """Take note of a call."""
        ...

    def request_sent(self, record: RequestRecord, /) -> None:
        """Take note of a request to the service."""
        ...

    def close(self) -> None:
        """Nothing more will happen."""
        ...


Observers = Sequence[Observer]
RecordT = TypeVar("RecordT", CallRecord, RequestRecord)

_watching: ContextVar[Observers] = ContextVar("observers", default=())


@contextmanager
def observe_with(observers: Observers) -> Generator[None]:
    """Let observers know of the requests that are sent within a block, and in tasks started inside it."""
    token = _watching.set(observers)
    try:
        yield
    finally:
        _watching.reset(token)


def is_observed() -> bool:
    """Tell whether anyone wants to know of requests that are sent now."""
    return bool(_watching.get())


def request_sent(record: RequestRecord) -> None:
    """Let everyone know who watches."""
    for observer in _watching.get():
        tell(observer.request_sent, record)


def tell(note: Callable[[RecordT], None], record: RecordT) -> None:
    """Tell one observer; what was done is done, and its answer must not be lost because taking note of it failed."""
    try:
        note(record)
    except Exception:
        logger.exception("An observer failed to take note of %s", type(record).__name__)
