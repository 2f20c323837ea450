"""One credential's way to a service: after it was turned down, it is not sent again."""

import httpx2
import pytest
from tests.http.wire import Naps
from tests.sessions import Watched

from aboveboard.errors import Unauthorised
from aboveboard.http import Session, path
from aboveboard.http.link import Link

pytestmark = pytest.mark.anyio


def turned_down(_: httpx2.Request) -> httpx2.Response:
    return httpx2.Response(401)


async def test_a_credential_that_was_turned_down_is_not_sent_a_second_time() -> None:
    service = Watched(turned_down)
    link = Link(service, once=True)
    session = Session("The shop", "http://shop.test", headers={}, transport=link)
    assert (await session.request("GET", path("/a"))).status == 401
    assert link.turned_down
    with pytest.raises(Unauthorised, match="not sent again"):
        await session.request("GET", path("/b"))
    assert service.lines == ["GET /a"]


@pytest.mark.parametrize("status", [403, 404, 429, 500])
async def test_an_answer_about_something_else_than_the_credential_does_not_turn_it_down(status: int) -> None:
    service = Watched(lambda _: httpx2.Response(status))
    link = Link(service, once=True)
    session = Session("The shop", "http://shop.test", headers={}, transport=link, sleep=Naps())
    assert (await session.request("GET", path("/a"))).status == status
    assert (await session.request("GET", path("/b"))).status == status
    assert not link.turned_down


async def test_where_a_service_answers_so_to_living_ones_too_it_is() -> None:
    service = Watched(turned_down)
    session = Session("The shop", "http://shop.test", headers={}, transport=Link(service, once=False))
    for at in ("/a", "/b"):
        await session.request("GET", path(at))
    assert service.lines == ["GET /a", "GET /b"]


async def test_closing_one_leaves_the_connections_to_the_others() -> None:
    closed: list[str] = []

    class Shared(Watched):
        async def aclose(self) -> None:
            closed.append("shared")

    session = Session("The shop", "http://shop.test", headers={}, transport=Link(Shared(turned_down), once=True))
    await session.request("GET", path("/a"))
    await session.aclose()
    assert closed == []
