"""What takes many requests to make in a sandbox is made in one, and others are brought to the state that it led to."""

from collections.abc import Awaitable, Callable
from functools import cache, wraps
from typing import TypeVar

from aboveboard.nextcloud.sandbox import Sandbox
from aboveboard.sandbox.store import Store

T = TypeVar("T")


def made_once(make: Callable[[Sandbox], Awaitable[T]]) -> Callable[[Sandbox], Awaitable[T]]:
    """Let a function that fills a sandbox do so once in this process; it starts from the first state."""
    made: list[tuple[Store, T]] = []

    @wraps(make)
    async def bring(sandbox: Sandbox) -> T:
        assert sandbox.dump() == _first_dump(), "something was written before"
        if not made:
            told = await make(sandbox)
            made.append((sandbox.copy(), told))
        state, told = made[0]
        sandbox.reset(state)
        return told

    return bring


@cache
def _first_dump() -> dict[str, object]:
    sandbox = Sandbox()
    dump = sandbox.dump()
    sandbox.close()
    return dump
