"""Lightdash's dialect by itself: what every resource relies on, also one that forgot to look before."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import httpx2
import pytest
from tests.lightdash.sessions import ok

from aboveboard.effects import DELETE, under
from aboveboard.errors import ApiError, Refused
from aboveboard.http import Session, path
from aboveboard.lightdash.client.api import Api

pytestmark = pytest.mark.anyio

HERE, THERE = "1a000000-0000-4000-8000-000000000001", "1a000000-0000-4000-8000-000000000002"
CHART = path("/api/v1/saved/{chart}", chart="c-1")
CHANGES: dict[str, Callable[[Api, str], Awaitable[object]]] = {
    "POST": lambda api, within: api.post(CHART, object, within=within),
    "PATCH": lambda api, within: api.patch(CHART, object, within=within),
    "DELETE": lambda api, within: api.delete(CHART, within=within),
}


@asynccontextmanager
async def fenced(script: Callable[[httpx2.Request], httpx2.Response]) -> AsyncGenerator[Api]:
    """An API that may touch one project."""
    session = Session("Lightdash", "http://lightdash.test", headers={}, transport=httpx2.MockTransport(script))
    try:
        yield Api(session, frozenset({HERE}))
    finally:
        await session.aclose()


@pytest.mark.parametrize("method", CHANGES)
async def test_a_change_of_a_thing_in_another_project_is_refused_before_it_is_sent(method: str) -> None:
    arrived: list[str] = []

    def lightdash(request: httpx2.Request) -> httpx2.Response:
        arrived.append(request.method)
        return ok({})

    async with fenced(lightdash) as api:
        with under(DELETE):
            await CHANGES[method](api, HERE)
            with pytest.raises(Refused, match=f"The project {THERE} is not among those"):
                await CHANGES[method](api, THERE)
    assert arrived == [method]


ASKED: dict[str, Callable[[Api], Awaitable[object]]] = {
    "GET": lambda api: api.get(CHART, object, org_wide=True),
    **{method: lambda api, change=change: change(api, HERE) for method, change in CHANGES.items()},
}


@pytest.mark.parametrize("method", ASKED)
async def test_an_answer_that_says_that_it_failed_is_no_success_though_its_status_says_so(method: str) -> None:
    said = httpx2.Response(200, json={"status": "error", "results": {"uuid": "c-1"}})
    async with fenced(lambda _: said) as api:
        with under(DELETE), pytest.raises(ApiError, match="Lightdash answered that it failed"):
            await ASKED[method](api)


@pytest.mark.parametrize("method", ASKED)
@pytest.mark.parametrize("status", [202, 203, 204, 206])
async def test_a_status_that_lightdash_does_not_have_for_it_is_no_success(method: str, status: int) -> None:
    strange = httpx2.Response(status, json={"status": "ok", "results": {"uuid": "c-1"}})
    async with fenced(lambda _: strange) as api:
        with under(DELETE):
            if (method, status) == ("DELETE", 204):  # the one that it has, for what is gone
                await ASKED[method](api)
                return
            with pytest.raises(ApiError, match=f"answered {status}"):
                await ASKED[method](api)


@pytest.mark.parametrize("kind", ["text/html", "text/html; charset=utf-8"])
async def test_a_page_in_place_of_a_file_is_not_taken_for_it(kind: str) -> None:
    page = httpx2.Response(200, content=b"<html>Log in</html>", headers={"content-type": kind})
    async with fenced(lambda _: page) as api:
        with pytest.raises(ApiError, match="Lightdash answered 200 to a GET, with a web page"):
            await api.download(path("/api/v1/file/{file}", file="f-1"))


async def test_a_file_is_given_as_it_came() -> None:
    file = httpx2.Response(200, content=b"a,b\n", headers={"content-type": "text/csv"})
    async with fenced(lambda _: file) as api:
        assert await api.download(path("/api/v1/file/{file}", file="f-1")) == b"a,b\n"
