"""Retries, on a real and unreliable service that counts what reaches it."""

from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise

import httpx2
import pytest
from tests.http.wire import HangUp, Naps, Wire, answer, session

from aboveboard.audit.verify.processes import free_port
from aboveboard.effects import ADD, DELETE, EDIT, ENSURE, READ, REPLACE, RUN, Effect, under
from aboveboard.errors import DOUBT, ApiError, Locked, NetworkError, RateLimited, api_error
from aboveboard.http import Nature, path
from aboveboard.http.retry import ATTEMPTS, LONGEST_WAIT, after_error, pause

pytestmark = pytest.mark.anyio

THINGS = path("/things")
FINE = answer(200, b'{"fine": true}')
IDEMPOTENT = [READ, ENSURE, REPLACE, DELETE]
NOT_IDEMPOTENT = [ADD, EDIT, RUN]
METHODS = {"READ": "GET", "ADD": "POST", "ENSURE": "POST", "REPLACE": "PUT", "EDIT": "PATCH", "DELETE": "DELETE"}


def method_of(effect: Effect) -> str:
    return METHODS.get(effect.name, "POST")


@pytest.mark.parametrize("effect", IDEMPOTENT, ids=lambda effect: effect.name)
@pytest.mark.parametrize("trouble", [*HangUp, answer(502), answer(503), answer(504)], ids=str)
async def test_what_may_be_repeated_is_sent_again_after_a_lost_answer(effect: Effect, trouble: bytes | HangUp) -> None:
    async with Wire(trouble, FINE).listening() as wire, session(wire.url) as shop:
        with under(effect):
            answered = await shop.request(method_of(effect), THINGS)
    assert answered.json() == {"fine": True}
    assert wire.connections == 2
    assert wire.lines[-1] == f"{method_of(effect)} /things"


async def test_a_service_that_was_waited_for_in_vain_is_not_waited_for_again() -> None:
    for slow in (httpx2.ReadTimeout("slow"), httpx2.WriteTimeout("slow")):
        assert not after_error(slow, repeatable=True)
    assert after_error(httpx2.ConnectTimeout("slow"), repeatable=False)


@pytest.mark.parametrize(("effect", "method"), [(DELETE, "DELETE"), (REPLACE, "MOVE"), (ENSURE, "MKCOL")])
@pytest.mark.parametrize("status", [404, 405, 409, 412])
async def test_a_write_that_was_most_likely_done_before_its_answer_was_lost_says_so(
    effect: Effect, method: str, status: int
) -> None:
    async with Wire(*HangUp, answer(status)).listening() as wire, session(wire.url) as shop:
        with under(effect), pytest.raises(NetworkError, match="The first attempt most likely worked"):
            await shop.request(method, THINGS)
    async with Wire(answer(503), answer(status)).listening() as wire, session(wire.url) as shop:
        with under(effect):
            assert (await shop.request(method, THINGS)).status == status


@pytest.mark.parametrize("lost", [*HangUp, answer(502), answer(504)], ids=str)
async def test_a_delete_that_is_refused_after_a_lost_answer_may_have_worked(lost: bytes | HangUp) -> None:
    """Lightdash answers 403 for a space that is gone."""
    async with Wire(lost, answer(403)).listening() as wire, session(wire.url) as shop:
        with under(DELETE), pytest.raises(NetworkError, match="can also mean that it is gone: look"):
            await shop.request("DELETE", THINGS)
    async with Wire(answer(403)).listening() as wire, session(wire.url) as shop:
        with under(DELETE):
            assert (await shop.request("DELETE", THINGS)).status == 403


async def test_a_connection_that_was_never_made_says_nothing_of_what_is_answered_later() -> None:
    tried = 0

    def script(request: httpx2.Request) -> httpx2.Response:
        nonlocal tried
        tried += 1
        if tried == 1:
            raise httpx2.ConnectError("down")
        return httpx2.Response(404)

    async with session("http://shop.test", script=script) as shop:
        with under(DELETE):
            assert (await shop.request("DELETE", THINGS)).status == 404


@pytest.mark.parametrize("effect", [ENSURE, REPLACE, DELETE], ids=lambda effect: effect.name)
@pytest.mark.parametrize("trouble", [*HangUp, answer(502), answer(503), answer(504)], ids=str)
async def test_a_request_that_must_not_be_repeated_is_sent_once_whatever_the_tool(
    effect: Effect, trouble: bytes | HangUp
) -> None:
    async with Wire(trouble, FINE).listening() as wire, session(wire.url) as shop:
        with under(effect):
            if isinstance(trouble, HangUp):
                with pytest.raises(NetworkError, match=DOUBT):
                    await shop.request(method_of(effect), THINGS, repeats=False)
            else:
                told = shop.error(await shop.request(method_of(effect), THINGS, repeats=False))
                assert str(told).endswith(DOUBT)
    assert wire.connections == 1


async def test_a_read_is_repeated_whatever_is_said_of_it() -> None:
    async with Wire(answer(502), FINE).listening() as wire, session(wire.url) as shop:
        assert (await shop.request("GET", THINGS, repeats=False)).status == 200


@pytest.mark.parametrize("status", [500, 502, 503, 504, 520])
async def test_an_error_after_which_a_write_may_have_been_done_says_so_and_that_of_a_read_does_not(status: int) -> None:
    async with Wire(answer(status)).listening() as wire, session(wire.url) as shop:
        with under(REPLACE):
            assert str(shop.error(await shop.request("PUT", THINGS))) == f"The shop answered {status}. {DOUBT}"
        assert str(shop.error(await shop.request("GET", THINGS))) == f"The shop answered {status}."


@pytest.mark.parametrize("status", [400, 403, 422, 501, 507])
async def test_an_error_that_says_that_nothing_was_done_leaves_no_doubt(status: int) -> None:
    async with Wire(answer(status)).listening() as wire, session(wire.url) as shop:
        with under(REPLACE):
            told = shop.error(await shop.request("PUT", THINGS))
    assert DOUBT not in str(told)


async def test_an_error_after_a_lost_answer_leaves_the_doubt_of_the_first_attempt() -> None:
    async with Wire(HangUp.AFTER_READING, answer(423)).listening() as wire, session(wire.url) as shop:
        with under(REPLACE):
            told = shop.error(await shop.request("PUT", THINGS))
    assert isinstance(told, Locked)
    assert str(told) == f"The shop answered 423. {DOUBT}"


async def test_a_service_that_goes_away_after_a_lost_answer_leaves_the_doubt_of_the_first_attempt() -> None:
    tried = 0

    def script(request: httpx2.Request) -> httpx2.Response:
        nonlocal tried
        tried += 1
        raise httpx2.ReadError("reset") if tried == 1 else httpx2.ConnectError("down")

    async with session("http://shop.test", script=script) as shop:
        with under(REPLACE), pytest.raises(NetworkError, match=DOUBT):
            await shop.request("PUT", THINGS)
    assert tried == ATTEMPTS


@pytest.mark.parametrize("effect", [*IDEMPOTENT, *NOT_IDEMPOTENT], ids=lambda effect: effect.name)
async def test_what_is_locked_is_tried_again_a_few_times_since_nothing_was_done_and_then_explained(
    effect: Effect,
) -> None:
    naps = Naps()
    async with Wire(answer(423), answer(423), FINE).listening() as wire, session(wire.url, sleep=naps) as shop:
        with under(effect):
            assert (await shop.request(method_of(effect), THINGS)).status == 200
    assert len(naps.taken) == 2
    async with Wire(answer(423)).listening() as wire, session(wire.url) as shop:
        with under(effect):
            told = shop.error(await shop.request(method_of(effect), THINGS))
    assert wire.connections == ATTEMPTS
    assert str(told) == f"The shop answered 423. {Locked.advice}"


async def test_a_read_whose_answer_is_lost_leaves_nothing_in_doubt() -> None:
    async with Wire(HangUp.AFTER_READING).listening() as wire, session(wire.url) as shop:
        with under(RUN), pytest.raises(NetworkError) as told:
            await shop.request("GET", THINGS)
    assert "unknown" not in str(told.value)


async def test_an_answer_to_a_write_that_cannot_be_read_leaves_doubt() -> None:
    garbled = answer(200, b"not gzip", content_encoding="gzip")
    async with Wire(garbled).listening() as wire, session(wire.url) as shop:
        with under(REPLACE), pytest.raises(ApiError, match=DOUBT):
            await shop.request("PUT", THINGS)
        with pytest.raises(ApiError) as told:
            await shop.request("GET", THINGS)
    assert "unknown" not in str(told.value)


async def test_a_read_that_finds_nothing_after_a_lost_answer_finds_nothing() -> None:
    async with Wire(*HangUp, answer(404)).listening() as wire, session(wire.url) as shop:
        assert (await shop.request("GET", THINGS)).status == 404


@pytest.mark.parametrize("effect", NOT_IDEMPOTENT, ids=lambda effect: effect.name)
@pytest.mark.parametrize("trouble", HangUp)
async def test_what_may_not_be_repeated_is_never_sent_again_after_a_lost_answer(
    effect: Effect, trouble: HangUp
) -> None:
    async with Wire(trouble, FINE).listening() as wire, session(wire.url) as shop:
        with under(effect), pytest.raises(NetworkError, match=DOUBT):
            await shop.request(method_of(effect), THINGS, json={"name": "Teapot"})
    assert wire.connections == 1


@pytest.mark.parametrize("effect", NOT_IDEMPOTENT, ids=lambda effect: effect.name)
@pytest.mark.parametrize("status", [500, 502, 503, 504])
async def test_what_may_not_be_repeated_is_never_sent_again_after_a_gateway_error(effect: Effect, status: int) -> None:
    async with Wire(answer(status, retry_after="1"), FINE).listening() as wire, session(wire.url) as shop:
        with under(effect):
            assert (await shop.request(method_of(effect), THINGS, json={})).status == status
    assert wire.connections == 1


@pytest.mark.parametrize("effect", [*IDEMPOTENT, *NOT_IDEMPOTENT], ids=lambda effect: effect.name)
async def test_after_429_anything_is_sent_again_since_nothing_was_processed(effect: Effect) -> None:
    naps = Naps()
    async with Wire(answer(429, retry_after="7"), FINE).listening() as wire, session(wire.url, sleep=naps) as shop:
        with under(effect):
            assert (await shop.request(method_of(effect), THINGS, json={"n": 1})).status == 200
    assert naps.taken == [7.0]
    assert len(wire.arrived) == 2
    assert wire.arrived[0] == wire.arrived[1]
    assert wire.arrived[0].endswith(b'{"n":1}')


@pytest.mark.parametrize("effect", [*IDEMPOTENT, *NOT_IDEMPOTENT], ids=lambda effect: effect.name)
async def test_after_a_refused_connection_anything_is_sent_again_since_nothing_arrived(effect: Effect) -> None:
    port, wire = free_port(), Wire(FINE)
    async with AsyncExitStack() as stack:

        async def start_service(_: float) -> None:
            await stack.enter_async_context(wire.listening(port))

        async with session(f"http://127.0.0.1:{port}", sleep=start_service) as shop:
            with under(effect):
                assert (await shop.request(method_of(effect), THINGS)).status == 200
    assert wire.connections == 1


async def test_a_reading_request_of_a_tool_that_adds_is_repeated_but_its_write_is_not() -> None:
    steps = (HangUp.AFTER_READING, FINE, HangUp.AFTER_READING, FINE)
    async with Wire(*steps).listening() as wire, session(wire.url) as shop:
        with under(ADD):
            await shop.request("GET", THINGS)
            with pytest.raises(NetworkError):
                await shop.request("POST", THINGS, json={})
    assert wire.lines == ["GET /things", "GET /things", "POST /things"]


async def test_a_post_that_only_reads_is_repeated() -> None:
    async with Wire(answer(503), FINE).listening() as wire, session(wire.url) as shop:
        assert (await shop.request("POST", THINGS, json={}, nature=Nature.READS)).status == 200
    assert wire.connections == 2


@pytest.mark.parametrize("trouble", [*HangUp, answer(503), answer(429)], ids=str)
async def test_attempts_are_bounded_and_the_waits_between_them_grow_with_jitter(trouble: bytes | HangUp) -> None:
    naps = Naps()
    async with Wire(trouble).listening() as wire, session(wire.url, sleep=naps) as shop:
        if isinstance(trouble, bytes):
            assert (await shop.request("GET", THINGS)).status in (429, 503)
        else:
            with pytest.raises(NetworkError, match="The shop broke the connection before it answered"):
                await shop.request("GET", THINGS)
    assert wire.connections == ATTEMPTS
    assert len(naps.taken) == ATTEMPTS - 1
    for attempt, nap in enumerate(naps.taken):
        assert 0.1 * 2**attempt <= nap <= 0.2 * 2**attempt


def test_waits_are_spread_so_that_clients_do_not_come_back_all_at_once() -> None:
    for attempt in range(ATTEMPTS):
        waits = {pause(attempt, None) for _ in range(50)}
        assert len(waits) > 1
    assert all(max(shorter) <= min(longer) for shorter, longer in pairwise(_samples()))


def _samples() -> list[list[float]]:
    return [[pause(attempt, None) for _ in range(50)] for attempt in range(ATTEMPTS)]


async def test_nobody_listening_is_told_with_the_address_after_all_attempts() -> None:
    naps, url = Naps(), f"http://127.0.0.1:{free_port()}"
    async with session(url, sleep=naps) as shop:
        with pytest.raises(NetworkError) as told:
            await shop.request("GET", THINGS)
    assert str(told.value) == (
        f"The shop at {url} cannot be reached: nothing listens there. Check the address and that the service is up."
    )
    assert len(naps.taken) == ATTEMPTS - 1


async def test_a_date_to_come_back_at_is_kept() -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=15), usegmt=True)
    past = format_datetime(datetime.now(UTC) - timedelta(days=1), usegmt=True)
    naps = Naps()
    steps = (answer(503, retry_after=soon), answer(503, retry_after=past), FINE)
    async with Wire(*steps).listening() as wire, session(wire.url, sleep=naps) as shop:
        assert (await shop.request("GET", THINGS)).status == 200
    # A date has whole seconds, and the moments until it is read count too.
    assert 0 < naps.taken[0] <= 15
    assert naps.taken[1] == 0


@pytest.mark.parametrize(
    "nonsense",
    [
        "",
        "soon",
        "-5",
        "1.5",
        "1e3",
        "nan",
        "\xb2",
        "Wed, 21 Oct 2026",
        "Wed, 21 Oct 2026 07:28:00 -0000",
        "Wed, 21 Oct 2026 07:28:00 +99999999999999",
        "Wed, 99999999999999999999 Oct 2026 07:28:00 GMT",
    ],
    ids=ascii,
)
async def test_a_malformed_wish_for_patience_is_answered_with_the_usual_wait(nonsense: str) -> None:
    naps = Naps()
    trouble = answer(429, retry_after=nonsense)
    async with Wire(trouble, FINE).listening() as wire, session(wire.url, sleep=naps) as shop:
        assert (await shop.request("GET", THINGS)).status == 200
    [nap] = naps.taken
    assert 0.1 <= nap <= 0.2


@pytest.mark.parametrize(
    "long",
    [
        f"{int(LONGEST_WAIT) + 1}",
        "3600",
        "9" * 400,
        "Thu, 01 Jan 2099 00:00:00 GMT",
    ],
)
async def test_a_wait_longer_than_a_call_should_take_is_told_at_once(long: str) -> None:
    naps = Naps()
    async with Wire(answer(429, retry_after=long), FINE).listening() as wire, session(wire.url, sleep=naps) as shop:
        told = shop.error(await shop.request("GET", THINGS))
    assert isinstance(told, RateLimited)
    assert str(told) == "The shop answered 429. Wait before trying again."
    assert naps.taken == []
    assert wire.connections == 1


async def test_the_longest_wait_that_is_kept_is_kept() -> None:
    naps = Naps()
    trouble = answer(429, retry_after=f"{int(LONGEST_WAIT)}")
    async with Wire(trouble, FINE).listening() as wire, session(wire.url, sleep=naps) as shop:
        assert (await shop.request("GET", THINGS)).status == 200
    assert naps.taken == [LONGEST_WAIT]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 412, 422, 500, 501])
async def test_an_answer_that_would_be_the_same_again_is_not_asked_for_again(status: int) -> None:
    async with Wire(answer(status, retry_after="1")).listening() as wire, session(wire.url) as shop:
        assert (await shop.request("GET", THINGS)).status == status
    assert wire.connections == 1
    assert api_error(status, "No.").status == status
