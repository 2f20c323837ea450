"""Host and Origin are checked in both eras, with and without a key; a body has a limit."""

import socket
from collections.abc import Callable

import httpx2
import pytest
from tests.kit.serving.exchange import ACCEPT, KEY, fetch, in_session, initialize, modern
from tests.kit.serving.processes import MODERN, Web, deadline
from tests.kit.serving.upstream import in_thread
from tests.kit.shop import doing
from tests.kit.shop import serving as shop

from aboveboard.effects import READ
from aboveboard.kit.serving.web import WebSettings, web_app

LIMIT = 4 * 1024 * 1024
Ask = Callable[[str, dict[str, str]], httpx2.Response]


def ask_as_in_2025(url: str, headers: dict[str, str]) -> httpx2.Response:
    return initialize(url, {"x-api-key": KEY, **headers})


def ask_as_in_2026(url: str, headers: dict[str, str]) -> httpx2.Response:
    return modern(url, "tools/list", headers={"x-api-key": KEY, **headers})


both_eras = pytest.mark.parametrize("ask", [ask_as_in_2025, ask_as_in_2026])


@pytest.fixture(params=["open_server", "closed_server"])
def web(request: pytest.FixtureRequest) -> Web:
    return request.getfixturevalue(request.param)


@both_eras
@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example:1", "0.0.0.0:1", "[::2]"],
)
def test_a_host_that_is_not_this_server_is_refused(web: Web, ask: Ask, host: str) -> None:
    assert ask(web.mcp, {"host": host}).status_code == 421


@both_eras
@pytest.mark.parametrize(
    "origin", ["http://evil.example", "https://evil.example:3100", "null", "http://127.0.0.1.evil.example", "file://"]
)
def test_a_page_of_another_origin_is_refused(web: Web, ask: Ask, origin: str) -> None:
    assert ask(web.mcp, {"origin": origin}).status_code == 403


@both_eras
@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:3100", "localhost", "localhost:80", "[::1]", "[::1]:3100"])
def test_this_machine_is_accepted_by_its_names(web: Web, ask: Ask, host: str) -> None:
    assert ask(web.mcp, {"host": host, "origin": f"http://{host}"}).status_code == 200


@both_eras
def test_names_are_accepted_where_the_operator_says_so_and_only_there(
    open_server: Web, closed_server: Web, ask: Ask
) -> None:
    for host in ("mcp.example.com", "mcp.example.org:8443"):
        assert ask(closed_server.mcp, {"host": host, "origin": "https://app.example.com"}).status_code == 200
        assert ask(open_server.mcp, {"host": host}).status_code == 421
    assert ask(closed_server.mcp, {"host": "mcp.example.com:8443"}).status_code == 421
    assert ask(closed_server.mcp, {"origin": "http://app.example.com"}).status_code == 403
    assert ask(open_server.mcp, {"origin": "https://app.example.com"}).status_code == 403


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_a_session_is_not_reached_under_a_wrong_name_either(open_server: Web, method: str) -> None:
    session = in_session(initialize(open_server.mcp).headers["mcp-session-id"])
    assert fetch(method, open_server.mcp, {**session, "host": "evil.example"}).status_code == 421
    assert fetch(method, open_server.mcp, {**session, "origin": "http://evil.example"}).status_code == 403


def test_a_stranger_with_a_wrong_name_is_asked_for_the_key_first(closed_server: Web) -> None:
    assert initialize(closed_server.mcp, {"host": "evil.example"}).status_code == 401


def posted(web: Web, head: str, body: bytes) -> bytes:
    """Send a request by hand, as far as the server lets it, and return the first line of the answer."""
    port = int(web.base.rpartition(":")[2])
    lines = ["POST /mcp HTTP/1.1", f"host: 127.0.0.1:{port}", "content-type: application/json", head]
    lines += [f"{name}: {value}" for name, value in ACCEPT.items()]
    with socket.create_connection(("127.0.0.1", port), timeout=deadline()) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).encode() + body)
        return connection.makefile("rb").readline()


@pytest.mark.parametrize("version", ["", f"\r\nmcp-protocol-version: {MODERN}"])
def test_a_body_beyond_the_limit_is_refused_and_the_server_goes_on(open_server: Web, version: str) -> None:
    assert b" 413 " in posted(open_server, f"content-length: {LIMIT + 1}{version}", b"{")
    chunk = b"%x\r\n%b\r\n" % (LIMIT + 1, b" " * (LIMIT + 1))
    assert b" 413 " in posted(open_server, f"transfer-encoding: chunked{version}", chunk)
    assert initialize(open_server.mcp).status_code == 200


def test_a_body_within_the_limit_is_read(open_server: Web) -> None:
    tool = {"name": "no_such_tool", "arguments": {"text": "x" * (LIMIT - 2000)}}
    assert modern(open_server.mcp, "tools/call", tool).status_code != 413


def test_whoever_serves_by_a_program_of_their_own_may_set_another_limit() -> None:
    async def ready() -> None: ...

    app = web_app(shop(doing(READ, lambda client: client.send("GET"))), WebSettings(max_body_bytes=2000), ready)
    with in_thread(app) as running:
        for length, refused in ((100, False), (3000, True)):
            tool = {"name": "shop_do_it", "arguments": {"text": "x" * length}}
            assert (modern(f"{running.url}/mcp", "tools/call", tool).status_code == 413) is refused
