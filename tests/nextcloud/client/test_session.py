"""What the HTTP session does for DAV: raw bodies, headers, bounded answers, no cookies."""

from collections.abc import AsyncIterator

import httpx2
import pytest
from tests.http.wire import HangUp, Naps, Wire, answer, session

from aboveboard.effects import ENSURE, REPLACE, DryRunStopped, under
from aboveboard.errors import BadInput, NetworkError
from aboveboard.http import path

pytestmark = pytest.mark.anyio


async def test_a_body_and_headers_go_out_as_they_are_given() -> None:
    async with Wire(answer(204, b"")).listening() as wire, session(wire.url) as shop:
        with under(REPLACE):
            await shop.request("PUT", path("/a"), content=b"\x00\xff<&", headers={"X-One": "1"})
    assert wire.arrived[0].endswith(b"\r\n\r\n\x00\xff<&")
    assert b"x-one: 1" in wire.arrived[0].lower()
    assert b"content-length: 4" in wire.arrived[0].lower()


async def test_no_more_of_an_answer_is_read_than_asked_for() -> None:
    async with Wire(answer(200, b"0123456789")).listening() as wire, session(wire.url) as shop:
        assert (await shop.request("GET", path("/a"), at_most=4)).content == b"0123"
        assert (await shop.request("GET", path("/a"), at_most=40)).content == b"0123456789"


class Flood(httpx2.AsyncByteStream):
    """A body that never ends, and knows whether its reader let go of it."""

    let_go = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            yield b"drop"

    async def aclose(self) -> None:
        self.let_go = True


async def test_a_bounded_read_lets_go_of_the_connection_that_has_more_to_say() -> None:
    """Kept, it would be one of few: after some dozens of such reads, no request would leave any more."""
    flood = Flood()
    async with session("http://shop.test", script=lambda _: httpx2.Response(200, stream=flood)) as shop:
        assert (await shop.request("GET", path("/a"), at_most=6)).content == b"dropdr"
        assert flood.let_go


async def test_a_request_that_needs_more_patience_gets_it_and_connects_as_soon_as_others() -> None:
    given: list[dict[str, float]] = []

    def script(request: httpx2.Request) -> httpx2.Response:
        given.append(request.extensions["timeout"])
        return httpx2.Response(200)

    async with session("http://shop.test", script=script) as shop:
        await shop.request("GET", path("/a"))
        await shop.request("GET", path("/a"), patience=300)
    usual, patient = given
    assert patient == {**usual, "read": 300, "write": 300, "pool": 300}
    assert usual["read"] < 300


async def test_a_bounded_read_that_breaks_off_is_tried_again() -> None:
    async with Wire(HangUp.WITHIN_THE_ANSWER, answer(200, b"ok")).listening() as wire, session(wire.url) as shop:
        assert (await shop.request("GET", path("/a"), at_most=40)).content == b"ok"
    assert wire.connections == 2


async def test_a_cookie_is_not_sent_back() -> None:
    async with Wire(answer(200, set_cookie="a=b; Path=/")).listening() as wire, session(wire.url) as shop:
        for _ in range(2):
            await shop.request("GET", path("/a"))
    assert not any(b"cookie" in request.lower() for request in wire.arrived)


@pytest.mark.parametrize(
    ("headers", "attempts"),
    [({}, 4), ({"If-None-Match": "*"}, 1), ({"if-match": '"x"'}, 1), ({"If": '</a> (["x"])'}, 1)],
)
async def test_a_conditional_write_is_not_repeated_even_by_an_idempotent_tool(
    headers: dict[str, str], attempts: int
) -> None:
    async with Wire(HangUp.AFTER_READING).listening() as wire, session(wire.url, sleep=Naps()) as shop:
        with under(REPLACE), pytest.raises(NetworkError):
            await shop.request("PUT", path("/a"), content=b"", headers=headers)
    assert wire.connections == attempts


async def test_headers_go_along_with_a_redirect() -> None:
    def script(request: httpx2.Request) -> httpx2.Response:
        assert request.headers["x-one"] == "1"
        moved = request.url.path == "/a"
        return httpx2.Response(302, headers={"location": "/b"}) if moved else httpx2.Response(200, text="here")

    async with session("http://shop.test", script=script) as shop:
        assert (await shop.request("GET", path("/a"), headers={"X-One": "1"})).content == b"here"


async def test_a_dry_run_tells_the_length_of_a_body_and_not_the_body() -> None:
    async with session("http://shop.test") as shop:
        with under(ENSURE, dry_run=True), pytest.raises(DryRunStopped) as raised:
            await shop.request("MKCOL", path("/a"), content=b"secret")
    assert raised.value.body == "6 bytes"


@pytest.mark.parametrize(
    ("given", "made"),
    [("", "/f/"), ("/", "/f/"), ("a/b c#", "/f/a/b%20c%23"), ("/ä+%/", "/f/%C3%A4%2B%25"), ("...", "/f/...")],
)
def test_each_name_of_a_path_is_escaped(given: str, made: str) -> None:
    assert path("/f/{place:path}", place=given) == made


@pytest.mark.parametrize("given", ["..", "a/../b", "a/./b", "a//b", "a/\x7f", "\ud800"])
def test_a_path_that_leads_elsewhere_is_refused(given: str) -> None:
    with pytest.raises(BadInput, match="is not a name"):
        path("/f/{place:path}", place=given)
