"""Servers over HTTP, on real sockets: both eras, JSON and event streams, sessions, and refusals."""

import pytest
from tests.audit.web_stage import Request, Site, serving
from tests.cli.command import announced, running
from tests.patience import patience

from aboveboard.audit.evidence import Server
from aboveboard.audit.probe import Address, Era, Options, UnreadServer, read_all, targets
from aboveboard.audit.probe import web as probe_web


def outcome(site: Site, options: Options | None = None) -> Server | UnreadServer:
    options = options or Options(timeout=patience(10))
    (found,) = read_all(targets(site.url, options), options)
    return found


def served(site: Site, options: Options | None = None) -> Server:
    found = outcome(site, options)
    assert isinstance(found, Server), found
    return found


def problem(site: Site, options: Options | None = None) -> str:
    found = outcome(site, options)
    assert isinstance(found, UnreadServer), found
    return found.problem


@pytest.mark.parametrize("stream", [False, True], ids=["json", "events"])
@pytest.mark.parametrize(("eras", "spoken"), [(("modern",), "2026-07-28"), (("legacy",), "2025-11-25")])
def test_either_era_is_read_as_json_and_as_events(eras: tuple[str], spoken: str, *, stream: bool) -> None:
    with serving(Site(eras=eras, stream=stream)) as site:
        server = served(site)
    assert (server.name, server.protocol) == ("web notes", spoken)
    assert [tool.name for tool in server.tools] == ["get_note", "list_notes"]
    assert server.origin == site.url


def test_modern_requests_carry_the_headers_that_the_specification_wants() -> None:
    with serving(Site()) as site:
        served(site)
    for _, method, headers in site.asked:
        assert headers["mcp-protocol-version"] == "2026-07-28"
        assert headers["mcp-method"] == method
    assert [method for _, method, _ in site.asked] == ["server/discover", *["tools/list"] * 4]


def test_an_older_server_that_refuses_without_an_id_is_greeted_its_own_way() -> None:
    def uninitialized(request: Request) -> bool:
        early = "initialize" not in {method for _, method, _ in request.site.asked}
        if early:
            body = b'{"jsonrpc": "2.0", "id": null, "error": {"code": -32000, "message": "Server not initialized"}}'
            request.reply(400, body, "application/json")
        return early

    with serving(Site(eras=("legacy",), handle=uninitialized)) as site:
        assert served(site).protocol == "2025-11-25"


def test_a_session_is_kept_and_ended() -> None:
    with serving(Site(eras=("legacy",), session="s-1")) as site:
        served(site, Options(era=Era.LEGACY))
    assert [(verb, method) for verb, method, _ in site.asked][:3] == [
        ("POST", "initialize"),
        ("POST", "notifications/initialized"),
        ("POST", "tools/list"),
    ]
    assert site.asked[-1][0] == "DELETE"
    assert all(headers["mcp-session-id"] == "s-1" for _, _, headers in site.asked[1:])
    assert all(headers["mcp-protocol-version"] == "2025-11-25" for _, _, headers in site.asked[1:])


def test_a_token_is_asked_for_and_used() -> None:
    with serving(Site(token="secret-1")) as site:
        assert "HTTP status 401. It wants credentials: pass --token" in problem(site)
        assert len(served(site, Options(headers={"Authorization": "Bearer secret-1"})).tools) == 2


def test_a_redirect_within_the_origin_is_followed_and_one_to_elsewhere_is_not() -> None:
    def to_slash(request: Request) -> bool:
        if request.path == "/mcp":
            request.reply(307, b"", "text/plain", Location="/mcp/")
        return request.path == "/mcp"

    def elsewhere(request: Request) -> bool:
        request.reply(307, b"", "text/plain", Location="http://example.com/mcp")
        return True

    with serving(Site(handle=to_slash)) as site:
        assert len(served(site).tools) == 2
    with serving(Site(handle=elsewhere)) as site:
        assert problem(site) == "The server redirects to another host. Give that address instead."


def test_an_answer_that_is_no_json_is_refused() -> None:
    def page(request: Request) -> bool:
        request.reply(200, b"<!doctype html>Welcome", "text/html")
        return True

    with serving(Site(handle=page)) as site:
        assert problem(site) == "The server's answer is not JSON. Check that this is an MCP server."


def test_a_wrong_path_is_refused_with_advice() -> None:
    def missing(request: Request) -> bool:
        request.reply(404, b"no", "text/plain")
        return True

    with serving(Site(handle=missing)) as site:
        assert "There is no MCP server at this path: it often is /mcp." in problem(site)


def test_an_answer_without_an_end_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe_web, "LARGEST", 2 * 1024 * 1024)

    def flood(request: Request) -> bool:
        request.reply(200, b"[" + b"1," * 1024 * 1024 * 2, "application/json")
        return True

    with serving(Site(handle=flood)) as site:
        assert problem(site) == "The server answered with more than 2 MiB."


def test_an_address_where_nobody_listens_is_refused() -> None:
    with serving(Site()) as site:
        pass
    assert "cannot be reached" in problem(site)


def test_what_a_url_holds_of_secrets_is_shown_nowhere() -> None:
    address = Address("http://me:pass@127.0.0.1:1/mcp?key=abc")
    (found,) = read_all([address], Options(timeout=5))
    assert isinstance(found, UnreadServer)
    assert found.name == "http://127.0.0.1:1/mcp?…"
    assert "pass" not in repr(found)


def test_our_own_server_is_read_over_http() -> None:
    command = ("serve", "lightdash", "--sandbox", "--transport", "streamable-http", "--port", "0")
    with running(*command) as process:
        url = announced(process).split()[-1]
        options = Options()
        (server,) = read_all(targets(url, options), options)
    assert isinstance(server, Server), server
    assert server.protocol == "2026-07-28"
    assert len(server.tools) >= 15
