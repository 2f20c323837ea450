"""Origin: a session speaks to the configured address only, wherever the service points."""

import httpx2
import pytest
from tests.http.wire import TOKEN, Wire, answer, session

from aboveboard.effects import ADD, DELETE, REPLACE, under
from aboveboard.errors import ApiError, BadInput, Failure
from aboveboard.http import Nature, Session, path

pytestmark = pytest.mark.anyio

BASE = "https://shop.test"
HERE = path("/here")


class Redirector:
    """Answers each redirect in turn, then 200; keeps what arrived, wherever it was sent."""

    def __init__(self, *locations: str, status: int = 302) -> None:
        self._locations, self._status = list(locations), status
        self.arrived: list[httpx2.Request] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.arrived.append(request)
        if self._locations:
            return httpx2.Response(self._status, headers={"location": self._locations.pop(0)})
        return httpx2.Response(200, json={"found": True})

    @property
    def urls(self) -> list[str]:
        return [str(request.url) for request in self.arrived]


@pytest.mark.parametrize(
    "location",
    [
        "https://evil.test/here",
        "http://shop.test/here",
        "https://shop.test:8443/here",
        "//evil.test/here",
        "https://shop.test@evil.test/here",
        "https://shop.test.evil.test/",
    ],
)
async def test_a_redirect_to_elsewhere_is_refused_and_nothing_is_sent_there(location: str) -> None:
    redirector = Redirector(location)
    async with session(BASE, script=redirector) as shop:
        with pytest.raises(ApiError, match="The shop redirects") as refused:
            await shop.request("GET", HERE)
    assert refused.value.status == 302
    assert redirector.urls == ["https://shop.test/here"]


@pytest.mark.parametrize(
    "location",
    [
        "https:\\\\evil.test/",
        "javascript:alert(1)",
        "mailto:someone@shop.test",
        "https://[::1",
        "https://shop.test:notaport/",
        "https://\x7f/",
        "https://shop.test:99999/",
        "x" * 70_000,
    ],
    ids=lambda location: ascii(location[:30]),
)
async def test_a_redirect_to_nowhere_is_a_failure_of_the_service(location: str) -> None:
    redirector = Redirector(*[location] * 10)
    async with session(BASE, script=redirector) as shop:
        with pytest.raises(Failure, match=r"^The shop "):
            await shop.request("GET", HERE)
    assert set(redirector.urls) == {"https://shop.test/here"}


async def test_a_refused_redirect_names_the_other_address_and_what_to_do() -> None:
    async with session(BASE, script=Redirector("https://evil.test:81/secret?code=1")) as shop:
        with pytest.raises(ApiError) as refused:
            await shop.request("GET", HERE)
    assert str(refused.value) == (
        "The shop redirects to https://evil.test:81, which is not its configured address. "
        "If that is where it lives, set that address."
    )


async def test_the_token_reaches_no_other_port_of_the_same_machine() -> None:
    async with Wire(answer(200)).listening() as other:
        async with (
            Wire(answer(307, location=f"{other.url}/things")).listening() as wire,
            session(wire.url) as shop,
        ):
            with pytest.raises(ApiError, match="not its configured address"):
                await shop.request("GET", HERE)
        assert TOKEN.encode() in wire.arrived[0]
        assert other.connections == 0


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("/there", "https://shop.test/there"),
        ("there", "https://shop.test/there"),
        ("//shop.test/there?a=1", "https://shop.test/there?a=1"),
        ("https://shop.test:443/there", "https://shop.test/there"),
        ("https://SHOP.test/there", "https://shop.test/there"),
        ("?a=1", "https://shop.test/here?a=1"),
    ],
)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_a_redirect_within_the_origin_is_followed(method: str, status: int, location: str, target: str) -> None:
    redirector = Redirector(location, status=status)
    async with session(BASE, script=redirector) as shop:
        found = await shop.request(method, HERE)
    assert found.status == 200
    assert redirector.urls == ["https://shop.test/here", target]
    assert [request.method for request in redirector.arrived] == [method, method]
    assert redirector.arrived[1].headers["authorization"] == f"ApiKey {TOKEN}"


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "PROPFIND"])
@pytest.mark.parametrize("status", [301, 303, 307, 308])
async def test_a_redirect_of_anything_but_a_plain_read_is_refused(method: str, status: int) -> None:
    redirector = Redirector("/there", status=status)
    async with session(BASE, script=redirector) as shop:
        with under(DELETE), pytest.raises(ApiError, match=f"redirects a {method} request"):
            await shop.request(method, HERE, json={"a": 1})
    assert redirector.urls == ["https://shop.test/here"]


async def test_a_post_that_only_reads_is_not_repeated_elsewhere_either() -> None:
    redirector = Redirector("/there", status=307)
    async with session(BASE, script=redirector) as shop:
        with pytest.raises(ApiError, match="redirects a POST request"):
            await shop.request("POST", HERE, nature=Nature.READS)
    assert len(redirector.arrived) == 1


async def test_as_many_redirects_as_allowed_still_lead_to_the_answer() -> None:
    redirector = Redirector("/1", "/2", "/3")
    async with session(BASE, script=redirector) as shop:
        assert (await shop.request("GET", HERE)).json() == {"found": True}
    assert [request.url.path for request in redirector.arrived] == ["/here", "/1", "/2", "/3"]


async def test_a_circle_of_redirects_ends() -> None:
    redirector = Redirector(*["/here"] * 100)
    async with session(BASE, script=redirector) as shop:
        with pytest.raises(ApiError, match="redirects in a circle"):
            await shop.request("GET", HERE)
    assert len(redirector.arrived) == 4


@pytest.mark.parametrize("base", ["https://shop.test/tools/bi", "https://shop.test/tools/bi/"])
async def test_a_base_address_with_a_path_keeps_it(base: str) -> None:
    redirector = Redirector()
    async with session(base, script=redirector) as shop:
        assert shop.base_url == "https://shop.test/tools/bi"
        await shop.request("GET", path("/things/{thing}", thing="7"), query={"page": 2, "all": True, "no": None})
        with under(ADD):
            await shop.request("POST", HERE, json={})
        with under(REPLACE):
            await shop.request("PUT", HERE, json={})
    assert redirector.urls == [
        "https://shop.test/tools/bi/things/7?page=2&all=true",
        "https://shop.test/tools/bi/here",
        "https://shop.test/tools/bi/here",
    ]


async def test_a_redirect_without_a_location_is_the_answer_as_it_is() -> None:
    async with session(BASE, script=lambda _: httpx2.Response(304)) as shop:
        assert (await shop.request("GET", HERE)).status == 304


@pytest.mark.parametrize(
    "base", ["", "shop.test", "not a url", "ftp://shop.test", "https://ada:secret@shop.test", "http://"]
)
def test_a_session_to_what_is_not_a_web_address_is_refused_at_once(base: str) -> None:
    with pytest.raises(BadInput, match=r"The address of Shop (is not set|must be)"):
        Session("Shop", base, headers={})
