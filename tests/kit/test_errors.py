"""What goes wrong in a call: a sentence for what the reader can act on, silence and a log entry for our defects."""

import logging
import traceback
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

import anyio
import httpx2
import mcp_types as mcp
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from tests.kit.shop import Act, Shop, ShopClient, both_eras, call, doing, refusal, said, service, serving

from aboveboard.effects import ADD, READ, RUN
from aboveboard.errors import (
    ApiError,
    BadInput,
    Conflict,
    Failure,
    GuardError,
    NetworkError,
    NotFound,
    explain_unknown,
)
from aboveboard.kit.policy import Policy
from aboveboard.kit.provider import OneClient
from aboveboard.kit.server import BUG, build_server
from aboveboard.kit.service import Catalogue

pytestmark = pytest.mark.anyio


def raising(error: BaseException) -> Act:
    async def act(_: ShopClient) -> None:
        raise error

    return act


def in_parallel(*errors: BaseException) -> Act:
    async def act(_: ShopClient) -> None:
        all_started = anyio.Event()
        started: list[BaseException] = []

        async def fail(error: BaseException) -> None:
            started.append(error)
            if len(started) == len(errors):
                all_started.set()
            with anyio.CancelScope(shield=True):
                await all_started.wait()
            raise error

        async with anyio.create_task_group() as tasks:
            for error in errors:
                tasks.start_soon(fail, error)

    return act


@both_eras
@pytest.mark.parametrize(
    ("failure", "sentence"),
    [
        (Failure("It is closed.", next_step="Come back at nine."), "It is closed. Come back at nine."),
        (Failure("It is closed."), "It is closed."),
        (BadInput("That is no colour."), "That is no colour."),
        (NotFound("No teapot.", status=404), f"No teapot. {NotFound.advice}"),
        (NotFound("No teapot.", status=404, next_step="Buy one."), "No teapot. Buy one."),
        (NotFound("No teapot.", status=404, next_step=""), "No teapot."),
        (ApiError("Odd.", status=500), "Odd."),
        (NetworkError("Nobody answers."), "Nobody answers."),
        (GuardError("It tried."), f"It tried. {GuardError.advice}"),
    ],
    ids=str,
)
async def test_a_failure_is_told_in_its_own_words(failure: Failure, sentence: str, mode: str) -> None:
    result = await call(serving(doing(READ, raising(failure))), mode=mode)
    assert result.is_error
    assert said(result) == sentence
    assert result.structured_content is None


@both_eras
async def test_a_defect_is_told_in_neutral_words_and_logged_with_its_traceback(
    mode: str, caplog: pytest.LogCaptureFixture
) -> None:
    result = await call(serving(doing(READ, raising(KeyError("hunter2 at /srv/secret")))), mode=mode)
    assert result.is_error
    assert said(result) == BUG
    assert "hunter2" not in result.model_dump_json()
    [record] = [record for record in caplog.records if record.name == "aboveboard"]
    assert record.levelno == logging.ERROR
    assert record.getMessage() == "A defect in shop_do_it"
    assert record.exc_info is not None
    frames = traceback.extract_tb(record.exc_info[2])
    assert frames[-1].name == "act"


@pytest.mark.parametrize(
    ("error", "sentence"), [(Failure("No room for it."), "No room for it."), (KeyError("hidden"), BUG)], ids=str
)
async def test_who_is_told_that_a_call_failed_is_told_what_it_had_done_and_not_what_was_refused(
    error: Exception, sentence: str
) -> None:
    def script(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(409 if request.method == "PUT" else 200, json={"name": "Teapot"})

    async def act(shop: ShopClient) -> None:
        await shop.send("POST")
        await shop.send("POST")
        with suppress(Conflict):
            await shop.send("PUT")
        await shop.send("GET")
        raise error

    told = said(await call(serving(doing(RUN, act), shop=Shop(script))))
    done = "POST /things/1 (2 times)"
    assert told == f"{sentence} Before that, this was done: {done}; look before trying again."


async def test_a_failure_is_no_defect_and_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    await call(serving(doing(READ, raising(NotFound("No teapot.", status=404)))))
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


@both_eras
async def test_a_failure_of_a_parallel_task_is_told_as_the_failure(mode: str) -> None:
    result = await call(serving(doing(READ, in_parallel(NotFound("No teapot.", status=404)))), mode=mode)
    assert said(result) == f"No teapot. {NotFound.advice}"


async def test_of_several_failures_the_first_is_told() -> None:
    failures = in_parallel(Failure("The first."), Failure("The second."))
    assert said(await call(serving(doing(READ, failures)))) == "The first."


async def test_of_a_failure_and_an_error_of_the_protocol_the_first_is_told() -> None:
    both = in_parallel(Failure("The first."), MCPError(code=-32050, message="The second."))
    assert said(await call(serving(doing(READ, both)))) == "The first."


async def test_a_failure_in_groups_within_groups_is_found() -> None:
    group = ExceptionGroup("outer", [ExceptionGroup("inner", [Failure("Deep down.")])])
    assert said(await call(serving(doing(READ, raising(group))))) == "Deep down."


@pytest.mark.parametrize("order", [1, -1])
async def test_a_defect_beside_a_failure_is_not_lost(order: int, caplog: pytest.LogCaptureFixture) -> None:
    errors = [Failure("No teapot."), ZeroDivisionError("hidden")][::order]
    assert said(await call(serving(doing(READ, in_parallel(*errors))))) == BUG
    assert "ZeroDivisionError" in caplog.text


@both_eras
async def test_the_protocols_own_error_passes_through(mode: str) -> None:
    error = MCPError(code=-32050, message="As it is.", data={"retry": False})
    told = await refusal(serving(doing(READ, raising(error))), mode=mode)
    assert told == mcp.ErrorData(code=-32050, message="As it is.", data={"retry": False})


async def test_the_protocols_own_error_passes_through_from_a_parallel_task() -> None:
    error = MCPError(code=-32050, message="As it is.")
    assert (await refusal(serving(doing(READ, in_parallel(error))))).message == "As it is."


@both_eras
@pytest.mark.parametrize(
    ("name", "ending"),
    [
        ("shop_do_its", "This server has no tool 'shop_do_its': did you mean 'shop_do_it'?"),
        ("do_it", "This server has no tool 'do_it': did you mean 'shop_do_it'?"),
        ("zzz", "This server has no tool 'zzz'; it has shop_do_it."),
        ("", "This server has no tool ''; it has shop_do_it."),
    ],
)
async def test_an_unknown_tool_is_an_error_of_the_protocol_with_the_nearest_name(
    name: str, ending: str, mode: str
) -> None:
    told = await refusal(serving(doing(READ, raising(Failure("Not me.")))), name, mode=mode)
    assert (told.code, told.message) == (mcp.INVALID_PARAMS, ending)


@both_eras
async def test_a_server_survives_whatever_a_tool_does(mode: str) -> None:
    errors: list[BaseException] = [ValueError("1"), Failure("2"), BaseExceptionGroup("3", [Failure("3")])]

    async def act(client: ShopClient) -> object:
        if errors:
            raise errors.pop()
        return await client.send("GET")

    async with Client(serving(doing(READ, act)), mode=mode) as client:
        answers = [await client.call_tool("shop_do_it", {}) for _ in range(4)]
    assert [bool(answer.is_error) for answer in answers] == [True, True, True, False]


async def test_a_page_that_was_never_given_out_is_refused() -> None:
    async with Client(serving(doing(READ, raising(Failure("Not me."))))) as client:
        with pytest.raises(MCPError, match="This list has only one page: ask for it without a cursor"):
            await client.list_tools(cursor="2")


async def test_the_client_is_closed_when_the_server_ends() -> None:
    shop = ShopClient(Shop())
    server = build_server(Catalogue(service(doing(ADD, raising(Failure("No.")))), Policy()), OneClient(shop))
    async with Client(server) as client:
        await client.call_tool("shop_do_it", {})
        assert shop.closed == 0
    assert shop.closed == 1


async def test_a_failure_to_find_the_callers_client_is_told_like_any_other() -> None:
    class Nobody(OneClient[ShopClient]):
        @asynccontextmanager
        async def lease(self, call: object) -> AsyncGenerator[ShopClient]:
            raise BadInput("Sign in first.")
            yield

    provider = Nobody(ShopClient(Shop()))
    server = build_server(Catalogue(service(doing(ADD, raising(Failure("No.")))), Policy()), provider)
    assert said(await call(server)) == "Sign in first."


def test_a_name_without_its_prefix_is_found() -> None:
    names = [*(f"nc_thing_{number}" for number in range(20)), "nc_user_status_set_message"]
    said = explain_unknown("tool", "set_message", names, of="The server")
    assert said == "The server has no tool 'set_message': did you mean 'nc_user_status_set_message'?"
