"""What a tool does to the service, said once: hints, guard, retries, modes, scopes and proof follow from it.

effect    read-only  destructive  idempotent
READ      yes        no           yes         list, get, search, run a query that only reads
ADD       no         no           no          a new thing on each call, nothing lost
ENSURE    no         no           yes         make it so, and lose nothing
REPLACE   no         yes          yes         the old value is gone, a second call changes nothing more
EDIT      no         yes          no          guarded by a version, which a second call no longer satisfies
DELETE    no         yes          yes         the second call finds nothing to remove
RUN       no         yes          no          anything else: each call may change more
"""

import inspect
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, kw_only=True)
class Effect:
    """The hints, all stated: an unstated hint means its default, which is the worst case."""

    name: str
    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool | None = None
    """Whether a call reaches beyond the service; None leaves it to what the service says of all its tools."""

    def reaching_out(self) -> "Effect":
        """Return this effect for a tool that makes the service mail, fetch or post something elsewhere."""
        return replace(self, open_world=True)

    def closed(self) -> "Effect":
        """Return this effect for a tool that stays within the service."""
        return replace(self, open_world=False)


READ = Effect(name="READ", read_only=True, destructive=False, idempotent=True)
ADD = Effect(name="ADD", read_only=False, destructive=False, idempotent=False)
ENSURE = Effect(name="ENSURE", read_only=False, destructive=False, idempotent=True)
REPLACE = Effect(name="REPLACE", read_only=False, destructive=True, idempotent=True)
EDIT = Effect(name="EDIT", read_only=False, destructive=True, idempotent=False)
DELETE = Effect(name="DELETE", read_only=False, destructive=True, idempotent=True)
RUN = Effect(name="RUN", read_only=False, destructive=True, idempotent=False)

EFFECTS = (READ, ADD, ENSURE, REPLACE, EDIT, DELETE, RUN)


@dataclass(frozen=True)
class Permit:
    """What the code that runs now may do."""

    effect: Effect
    dry_run: bool = False
    """A dry run: reading requests are sent, a writing one is described instead."""
    written: list[str] = field(default_factory=list[str])
    """The writing requests so far that the service took."""


class DryRunStopped(BaseException):
    """A dry run reached the request that would have written.

    Not an `Exception`, so that no tool can catch it by accident and go on as if it had written.
    """

    def __init__(self, method: str, path: str, body: object) -> None:
        super().__init__(f"{method} {path}")
        self.method, self.path, self.body = method, path, body


# Outside a tool (a health check, the doctor) only reading is allowed: least privilege by default.
_in_force: ContextVar[Permit] = ContextVar("effect_in_force", default=Permit(READ))  # noqa: B039 (Permit is frozen)


def in_force() -> Permit:
    """Tell what the running tool may do."""
    return _in_force.get()


@contextmanager
def under(effect: Effect, *, dry_run: bool = False, written: list[str] | None = None) -> Generator[None]:
    """Run a block with an effect in force; tasks started inside it inherit the effect.

    What the block wrote is added to `written`.
    """
    token = _in_force.set(Permit(effect, dry_run, [] if written is None else written))
    try:
        yield
    finally:
        _in_force.reset(token)


def holding(effect: Effect) -> Callable[[F], F]:
    """Put an effect in force while a function runs, `async` or not: for tools that other frameworks call."""

    def decorate(function: F) -> F:
        @wraps(function)
        async def held_while_awaited(*args: Any, **kwargs: Any) -> Any:
            with under(effect):
                return await function(*args, **kwargs)

        @wraps(function)
        def held(*args: Any, **kwargs: Any) -> Any:
            with under(effect):
                return function(*args, **kwargs)

        return cast("F", held_while_awaited if inspect.iscoroutinefunction(function) else held)

    return decorate


def annotations(effect: Effect, *, title: str | None = None, open_world: bool = True) -> dict[str, Any]:
    """Return what a tool of this effect publishes: all four hints by the protocol's names, and a title, if given.

    `open_world` is for effects that do not say themselves whether they reach beyond the service; unsaid, it is the
    protocol's default, the worst case.
    """
    return {
        **({} if title is None else {"title": title}),
        "readOnlyHint": effect.read_only,
        "destructiveHint": effect.destructive,
        "idempotentHint": effect.idempotent,
        "openWorldHint": open_world if effect.open_world is None else effect.open_world,
    }
