"""How much one person may have running and ask for in a minute, counted in memory or in Redis."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, ExitStack

import anyio
import pytest
from tests.audit.verify.stores.services import redis
from tests.kit.serving.processes import deadline
from tests.people.team import Clock

from aboveboard.kit.people.limits import FORGOTTEN_AFTER, Limits, TooMuch, Uncounted

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["memory", "redis"])
async def limits(request: pytest.FixtureRequest) -> AsyncGenerator[Limits]:
    with ExitStack() as stack:
        where = "memory" if request.param == "memory" else stack.enter_context(redis())
        made = Limits(at_once=2, a_minute=6, where=where)
        yield made
        await made.aclose()


async def asked(limits: Limits, who: str) -> str:
    """Make one call, and return what was said against it."""
    try:
        async with limits.turn(who):
            return ""
    except TooMuch as much:
        return str(much)


async def test_one_call_too_many_at_once_waits_for_another_to_end_and_nobody_else_does(limits: Limits) -> None:
    async with AsyncExitStack() as running:
        for _ in range(2):
            await running.enter_async_context(limits.turn("ada"))
        assert "You have 2 calls running" in await asked(limits, "ada")
        assert await asked(limits, "bob") == ""
        assert "Wait until one of them has ended." in await asked(limits, "ada"), "a refusal takes no place"
    assert await asked(limits, "ada") == ""


async def test_one_call_too_many_in_a_minute_is_told_how_long_to_wait_and_nobody_else_is(limits: Limits) -> None:
    assert [await asked(limits, "ada") for _ in range(6)] == [""] * 6
    assert "6 calls a minute are as many as this server takes. Try again in" in await asked(limits, "ada")
    assert await asked(limits, "bob") == ""


async def test_a_call_that_fails_gives_its_place_back(limits: Limits) -> None:
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            async with limits.turn("ada"):
                raise ZeroDivisionError
    assert await asked(limits, "ada") == ""


async def test_calls_that_are_called_off_give_their_places_back(limits: Limits) -> None:
    running: list[str] = []

    async def call() -> None:
        async with limits.turn("ada"):
            running.append("one")
            await anyio.sleep_forever()

    for so_far in (2, 4):
        async with anyio.create_task_group() as calls:
            calls.start_soon(call)
            calls.start_soon(call)
            with anyio.fail_after(deadline()):
                while len(running) < so_far:  # noqa: ASYNC110 (both must be running, and neither tells the other)
                    await anyio.sleep(0.005)
            await limits.aclose()  # whoever gives something back has to connect first
            calls.cancel_scope.cancel()
    assert await asked(limits, "ada") == ""


async def test_the_places_of_a_process_that_was_killed_are_free_after_a_while_however_often_one_asks() -> None:
    clock = Clock()
    with redis() as where:
        killed, other = (Limits(at_once=2, where=where, clock=clock) for _ in range(2))
        calls = [killed.turn("ada") for _ in range(2)]
        for call in calls:
            await call.__aenter__()  # and it never ends
        for _ in range(3):
            assert "You have 2 calls running" in await asked(other, "ada")
            clock.now += FORGOTTEN_AFTER / 3
        assert await asked(other, "ada") == ""
        for call in calls:
            await call.__aexit__(None, None, None)
        for one in (killed, other):
            await one.aclose()


async def test_a_redis_that_does_not_answer_is_said_and_is_no_defect() -> None:
    limits = Limits(where="redis://127.0.0.1:1/0")
    with pytest.raises(Uncounted, match="its Redis does not answer"):
        async with limits.turn("ada"):
            raise AssertionError("nobody is let through")
    await limits.aclose()
