"""People who send their own Lightdash token in a header: each acts as themselves, and nothing is kept."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager

import httpx2
import pytest
from mcp import Client
from starlette.types import ASGIApp
from tests.lightdash.sessions import Watched
from tests.people.lightdash import SERVICE, LightdashSignIn, Place, Sandbox
from tests.people.web import plain, served, speaking
from tests.sessions import ERAS, Era, Session, text_of

from aboveboard.kit.people.serving import people_app
from aboveboard.kit.people.settings import PeopleSettings
from aboveboard.kit.people.sign_in_mode import SignInMode
from aboveboard.kit.serving.web import WebSettings

pytestmark = pytest.mark.anyio
PROJECT = "1a000000-0000-4000-8000-000000000001"
both_eras = pytest.mark.parametrize("era", ERAS)


@pytest.fixture
def shop() -> Iterator[Sandbox]:
    fresh = Sandbox()
    yield fresh
    fresh.close()


def of(role: str) -> dict[str, str]:
    return {"X-Lightdash-Api-Key": f"ldpat_sandbox_{role}"}


@asynccontextmanager
async def team(watched: Watched) -> AsyncGenerator[str]:
    """Serve the people of a Lightdash."""

    async def ready() -> None: ...

    def make(_: str) -> ASGIApp:
        sign_in = LightdashSignIn(Place("http://lightdash", "http://lightdash", default_project=PROJECT), watched)
        return people_app(SERVICE, sign_in, PeopleSettings(mode=SignInMode.HEADERS), WebSettings(), ready=ready)

    async with served(make) as url:
        yield url


async def spaces(client: Client) -> str:
    session = Session(client, httpx2.MockTransport(lambda _: httpx2.Response(500)), SERVICE.prefix)
    return text_of(await session.call("list_spaces"))


@both_eras
async def test_two_people_each_see_what_they_may(shop: Sandbox, era: Era) -> None:
    async with (
        team(Watched(httpx2.ASGITransport(shop.app))) as url,
        speaking(url, era, of("admin")) as hers,
        speaking(url, era, of("viewer")) as others,
    ):
        for _ in range(2):  # the second time with everything warm
            assert "Finance" in await spaces(hers)
            told = await spaces(others)
            assert "Sales" in told
            assert "Finance" not in told


async def test_a_wrong_token_is_sent_once_however_often_it_comes(shop: Sandbox) -> None:
    watched = Watched(httpx2.ASGITransport(shop.app))
    async with team(watched) as url, plain(of("nobody")) as http:
        for _ in range(3):
            answer = await http.post(f"{url}/mcp", json={})
            assert answer.status_code == 401
            assert "does not accept" in answer.json()["message"]
            assert "ldpat_" not in answer.text
    assert len(watched.lines) == 1


async def test_a_token_that_dies_is_asked_about_once_more_and_never_again(shop: Sandbox) -> None:
    watched = Watched(httpx2.ASGITransport(shop.app))
    async with team(watched) as url, speaking(url, headers=of("viewer")) as others:
        assert "Sales" in await spaces(others)
        shop._store.run("DELETE FROM tokens WHERE token = 'ldpat_sandbox_viewer'")  # pyright: ignore[reportPrivateUsage]
        watched.arrived.clear()
        assert "Send your own credential" in await spaces(others)
        assert [line for line in watched.lines if line.endswith("/user")], "Lightdash's routes for browsers say 401 too"
        sent = len(watched.lines)
        async with plain(of("viewer")) as http:
            assert (await http.post(f"{url}/mcp", json={})).status_code == 401
    assert len(watched.lines) == sent


async def test_a_service_account_and_a_bearer_token_are_no_way_in(shop: Sandbox) -> None:
    watched = Watched(httpx2.ASGITransport(shop.app))
    async with team(watched) as url:
        for headers in ({"X-Lightdash-Api-Key": "ldsvc_x"}, {"Authorization": "Bearer ldpat_sandbox_admin"}):
            async with plain(headers) as http:
                assert (await http.post(f"{url}/mcp", json={})).status_code == 401
    assert watched.lines == []
