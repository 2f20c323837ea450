"""Floods: what anybody may send is short and counted by address, so that the others still find room."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path

import httpx2
import pytest
from starlette.requests import HTTPConnection
from tests.people.processes import alone, people_of
from tests.people.raw import Raw
from tests.people.team import deployed, submit
from tests.people.web import plain

from aboveboard.kit.people.limits import came_from
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio


@pytest.fixture
async def raw(sandbox: Sandbox, tmp_path: Path) -> AsyncGenerator[Raw]:
    async with deployed(sandbox, str(tmp_path / "people.db"), tmp_path) as team, plain() as http:
        client = Raw(team, http)
        await client.register()
        yield client


async def test_who_registers_without_end_is_stopped(raw: Raw) -> None:
    statuses = [(await raw.register()).status_code for _ in range(21)]
    assert statuses == [201] * 19 + [429] * 2


BEGINNINGS: dict[str, Callable[[Raw, httpx2.AsyncClient], Awaitable[httpx2.Response]]] = {
    "a sign-in": lambda raw, browser: browser.get(raw.authorize_url()),
    "a login for one's own page": lambda raw, browser: browser.post(
        f"{raw.team.url}/account/enter", headers={"origin": raw.team.url}
    ),
}


@pytest.mark.parametrize("case", BEGINNINGS)
async def test_who_begins_without_end_is_stopped_before_nobody_else_finds_room(raw: Raw, case: str) -> None:
    async with raw.team.browser() as browser:
        answers = [await BEGINNINGS[case](raw, browser) for _ in range(32)]
        assert [answer.status_code < 400 for answer in answers] == [True] * 30 + [False] * 2
        assert (answers[-1].status_code, "Try again in" in answers[-1].text) == (429, True)
        asked = [request for request in raw.team.arrived if request.url.path.endswith("/login/v2")]
    assert len(asked) <= 30


async def test_one_sign_in_does_not_begin_logins_at_the_service_without_end(raw: Raw) -> None:
    async with raw.team.browser() as browser:
        page = await browser.get(raw.authorize_url(), follow_redirects=True)
        statuses = [(await submit(browser, page, ("decision", "allow"))).status_code for _ in range(32)]
    assert statuses == [303] * 30 + [429] * 2


@pytest.mark.parametrize("path", ["/authorize", "/register", "/token", "/revoke", "/connect/x", "/account/enter"])
async def test_what_anybody_may_send_is_short(raw: Raw, path: str) -> None:
    form = {"content-type": "application/x-www-form-urlencoded"}

    async def pieces() -> AsyncGenerator[bytes]:
        for _ in range(9):
            yield b"a=" + b"x" * 8192

    for body in (b"a=" + b"x" * 65536, pieces()):
        answer = await raw.http.post(f"{raw.team.url}{path}", content=body, headers=form)
        assert answer.status_code == 413


@pytest.mark.parametrize(("trusted", "from_elsewhere"), [("127.0.0.1", 201), ("192.0.2.1", 429)])
async def test_a_proxy_says_where_requests_come_from_if_the_operator_trusts_it(
    tmp_path: Path, trusted: str, from_elsewhere: int
) -> None:
    with alone(tmp_path, FORWARDED_ALLOW_IPS=trusted) as deployment:
        async with plain() as http:
            raw = Raw(people_of(deployment), http)
            http.headers["x-forwarded-for"] = "198.51.100.1"
            assert [(await raw.register()).status_code for _ in range(21)] == [201] * 20 + [429]
            http.headers["x-forwarded-for"] = "198.51.100.2"
            assert (await raw.register()).status_code == from_elsewhere


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff:2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("testclient", "testclient", True),
    ],
)
async def test_a_household_with_many_addresses_counts_as_one(one: str, other: str, same: bool) -> None:  # noqa: FBT001
    first, second = (came_from(HTTPConnection({"type": "http", "client": (host, 1)})) for host in (one, other))
    assert (first == second) is same
