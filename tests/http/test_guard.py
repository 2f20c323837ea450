"""The guard, by tools that try to do more than they declare."""

import asyncio
import threading
from contextlib import suppress

import anyio
import anyio.from_thread
import anyio.to_thread
import pytest
from mcp import Client
from tests.kit.shop import TEAPOT, Act, Shop, ShopClient, Thing, both_eras, call, doing, said, serving

from aboveboard.effects import ADD, DELETE, EDIT, ENSURE, READ, REPLACE, RUN, Effect
from aboveboard.errors import GuardError
from aboveboard.http import Nature
from aboveboard.kit.policy import Policy

pytestmark = pytest.mark.anyio

WRITES = ["POST", "PUT", "PATCH", "DELETE", "MKCOL", "MOVE", "COPY", "PROPPATCH", "LOCK", "BREW", "post", "delete"]
READS = ["GET", "HEAD", "OPTIONS", "PROPFIND", "REPORT", "SEARCH"]


def sending(method: str, nature: Nature | None = None) -> Act:
    return lambda client: client.send(method, nature=nature, body={"name": "Mug"})


async def test_nothing_leaves_a_reading_tool_that_tries_to_write() -> None:
    for method in WRITES:
        shop = Shop()
        result = await call(serving(doing(READ, sending(method)), shop=shop))
        assert result.is_error, method
        assert said(result).startswith(f"A tool declared READ tried to send {method} /things/1, which "), method
        assert said(result).endswith(GuardError.advice), method
        assert shop.arrived == [], method


@both_eras
async def test_the_guard_speaks_to_clients_of_both_eras(mode: str) -> None:
    shop = Shop()
    result = await call(serving(doing(READ, sending("DELETE")), shop=shop), mode=mode)
    assert result.is_error
    assert said(result) == (
        "A tool declared READ tried to send DELETE /things/1, which replaces. "
        "Nothing was sent. This is a defect of the tool: report it."
    )
    assert shop.arrived == []


@pytest.mark.parametrize("method", READS)
async def test_a_reading_tool_may_read_in_every_way(method: str) -> None:
    shop = Shop()
    result = await call(serving(doing(READ, sending(method)), shop=shop))
    assert not result.is_error
    assert shop.lines == [f"{method} /things/1"]


async def test_a_reading_tool_may_post_what_its_client_declares_as_reading() -> None:
    shop = Shop()
    assert not (await call(serving(doing(READ, sending("POST", Nature.READS)), shop=shop))).is_error
    assert shop.lines == ["POST /things/1"]


@pytest.mark.parametrize("method", ["DELETE", "delete", "Delete"])
@pytest.mark.parametrize("nature", [Nature.READS, Nature.ADDS])
@pytest.mark.parametrize("effect", [READ, ADD, ENSURE], ids=lambda effect: effect.name)
async def test_a_delete_destroys_whatever_is_said_of_it(effect: Effect, nature: Nature, method: str) -> None:
    shop = Shop()
    result = await call(serving(doing(effect, sending(method, nature)), shop=shop))
    assert result.is_error
    assert f"declared {effect.name} tried to send {method}" in said(result)
    assert shop.arrived == []


@pytest.mark.parametrize("effect", [ADD, ENSURE], ids=lambda effect: effect.name)
@pytest.mark.parametrize(
    ("method", "nature"),
    [("DELETE", None), ("PATCH", None), ("PUT", None), ("MOVE", None), ("BREW", None), ("POST", Nature.REPLACES)],
)
async def test_a_tool_that_loses_nothing_cannot_replace(effect: Effect, method: str, nature: Nature | None) -> None:
    shop = Shop()
    result = await call(serving(doing(effect, sending(method, nature)), shop=shop))
    assert result.is_error
    assert f"declared {effect.name} tried to send {method} /things/1, which replaces." in said(result)
    assert shop.arrived == []


@pytest.mark.parametrize("effect", [ADD, ENSURE], ids=lambda effect: effect.name)
@pytest.mark.parametrize(("method", "nature"), [("GET", None), ("POST", None), ("MKCOL", None), ("PUT", Nature.ADDS)])
async def test_a_tool_that_loses_nothing_may_add(effect: Effect, method: str, nature: Nature | None) -> None:
    shop = Shop()
    assert not (await call(serving(doing(effect, sending(method, nature)), shop=shop))).is_error
    assert shop.lines == [f"{method} /things/1"]


@pytest.mark.parametrize("effect", [REPLACE, EDIT, DELETE, RUN], ids=lambda effect: effect.name)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE", "MKCOL", "MOVE"])
async def test_a_destructive_tool_may_send_anything(effect: Effect, method: str) -> None:
    shop = Shop()
    assert not (await call(serving(doing(effect, sending(method)), shop=shop))).is_error
    assert shop.lines == [f"{method} /things/1"]


async def from_a_task_group(client: ShopClient) -> None:
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(client.send, "DELETE")


async def from_a_task_within_a_task(client: ShopClient) -> None:
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(from_a_task_group, client)


async def from_a_bare_task(client: ShopClient) -> None:
    await asyncio.create_task(client.send("DELETE"))


async def from_gathered_calls(client: ShopClient) -> None:
    await asyncio.gather(client.send("GET"), client.send("DELETE"))


async def from_a_worker_thread(client: ShopClient) -> None:
    await anyio.to_thread.run_sync(lambda: anyio.from_thread.run(client.send, "DELETE"))


@pytest.mark.parametrize(
    "cheat",
    [from_a_task_group, from_a_task_within_a_task, from_a_bare_task, from_gathered_calls, from_a_worker_thread],
    ids=lambda cheat: cheat.__name__,
)
@pytest.mark.parametrize("effect", [READ, ADD], ids=lambda effect: effect.name)
async def test_a_cheat_from_beside_the_tool_is_stopped_too(effect: Effect, cheat: Act) -> None:
    shop = Shop()
    result = await call(serving(doing(effect, cheat), shop=shop))
    assert result.is_error
    assert f"declared {effect.name} tried to send DELETE" in said(result)
    assert "DELETE /things/1" not in shop.lines


async def test_a_thread_that_forgets_who_started_it_may_only_read() -> None:
    async def cheat(client: ShopClient) -> object:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[object] = loop.create_future()

        def run() -> None:
            sent = asyncio.run_coroutine_threadsafe(client.send("DELETE"), loop)
            sent.add_done_callback(lambda told: loop.call_soon_threadsafe(done.set_result, told.exception()))

        threading.Thread(target=run).start()
        return await done

    problems: list[object] = []

    async def act(client: ShopClient) -> None:
        problems.append(await cheat(client))

    shop = Shop()
    await call(serving(doing(DELETE, act), shop=shop))
    [problem] = problems
    assert isinstance(problem, GuardError)
    assert shop.arrived == []


async def test_a_tool_that_swallows_the_refusal_still_sends_nothing() -> None:
    async def stubborn(client: ShopClient) -> None:
        for _ in range(3):
            with suppress(Exception):
                await client.send("PUT")

    shop = Shop()
    await call(serving(doing(READ, stubborn), shop=shop))
    assert shop.arrived == []


async def test_parallel_calls_of_different_effects_do_not_lend_each_other_their_rights() -> None:
    both_are_in = anyio.Event()
    inside: list[str] = []

    def waiting(effect: Effect) -> Act:
        async def act(client: ShopClient) -> object:
            inside.append(effect.name)
            if len(inside) == 2:
                both_are_in.set()
            await both_are_in.wait()
            return await client.send("DELETE", effect.name)

        return act

    shop = Shop()
    tools = doing(READ, waiting(READ))

    @tools.tool("Do Delete", DELETE, example=TEAPOT)
    async def do_delete(shop: ShopClient) -> Thing:
        """Delete it."""
        await waiting(DELETE)(shop)
        return TEAPOT

    results: dict[str, bool] = {}
    async with Client(serving(tools, shop=shop)) as client, anyio.create_task_group() as tasks:

        async def run(name: str) -> None:
            results[name] = bool((await client.call_tool(name, {})).is_error)

        tasks.start_soon(run, "shop_do_it")
        tasks.start_soon(run, "shop_do_delete")
    assert results == {"shop_do_it": True, "shop_do_delete": False}
    assert shop.lines == ["DELETE /things/DELETE"]


@pytest.mark.parametrize(
    "cheat", [from_a_task_group, from_a_bare_task, from_gathered_calls, from_a_worker_thread, sending("POST")]
)
@both_eras
async def test_a_dry_run_sends_no_write_from_anywhere(cheat: Act, mode: str) -> None:
    shop = Shop()
    result = await call(serving(doing(RUN, cheat), shop=shop, policy=Policy(dry_run=True)), mode=mode)
    assert said(result).startswith("Dry run: nothing was sent.")
    assert all(line.startswith("GET") for line in shop.lines)


async def test_a_dry_run_of_a_tool_that_catches_every_exception_still_sends_nothing() -> None:
    async def stubborn(client: ShopClient) -> object:
        try:
            return await client.send("POST")
        except Exception:  # noqa: BLE001 (the cheat under test)
            return await client.send("PUT")

    shop = Shop()
    result = await call(serving(doing(RUN, stubborn), shop=shop, policy=Policy(dry_run=True)))
    assert "would send POST /things/1" in said(result)
    assert shop.arrived == []
