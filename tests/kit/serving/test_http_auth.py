"""The key to the HTTP endpoint: who has it comes in, who has anything else does not, and learns nothing from trying."""

import hmac
from collections.abc import Sequence

import httpx2
import pytest
from pydantic import SecretStr
from starlette.responses import Response
from tests.kit.serving.exchange import KEY, fetch, initialize, modern
from tests.kit.serving.processes import Web, serving

from aboveboard.kit.serving.auth import RequireKey

ACCEPTED: Sequence[dict[str, str | bytes]] = [
    {"authorization": f"Bearer {KEY}"},
    {"authorization": f"bearer {KEY}"},
    {"authorization": f"BEARER   {KEY}"},
    {"x-api-key": KEY},
    {"authorization": "Basic dXNlcjpwYXNz", "x-api-key": KEY},
]
REFUSED: Sequence[dict[str, str | bytes]] = [
    {},
    {"authorization": ""},
    {"authorization": "Bearer"},
    {"authorization": KEY},
    {"authorization": f"Bearer{KEY}"},
    {"authorization": f"Basic {KEY}"},
    {"authorization": f"Bearer {KEY[:-1]}"},
    {"authorization": f"Bearer {KEY}x"},
    {"authorization": f"Bearer x{KEY}"},
    {"authorization": f"Bearer {KEY} {KEY}"},
    {"authorization": f"Bearer {KEY[:5]} {KEY[5:]}"},
    {"authorization": f"Bearer {KEY.upper()}"},
    {"authorization": f'Bearer "{KEY}"'},
    {"authorization": f"Bearer {KEY},x"},
    {"authorization": f"Bearer {KEY}\u00a0".encode()},
    {"authorization": b"Bearer \xff\xfe\x80"},
    {"authorization": "Bearer wrong", "x-api-key": KEY},
    {"x-api-key": ""},
    {"x-api-key": KEY[1:]},
    {"x-api-key": f"Bearer {KEY}"},
    {"x-api-key": "schlüssel".encode()},
]


@pytest.mark.parametrize("headers", ACCEPTED)
def test_the_key_opens_both_eras(closed_server: Web, headers: dict[str, str | bytes]) -> None:
    assert initialize(closed_server.mcp, headers).status_code == 200
    assert modern(closed_server.mcp, "tools/list", headers=headers).status_code == 200


@pytest.mark.parametrize("headers", REFUSED)
def test_anything_but_the_key_is_refused(closed_server: Web, headers: dict[str, str | bytes]) -> None:
    for answer in (initialize(closed_server.mcp, headers), modern(closed_server.mcp, "tools/list", headers=headers)):
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"].startswith("Bearer")
        assert KEY not in answer.text


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS"])
@pytest.mark.parametrize("path", ["/mcp", "/mcp/", "/", "/nothing", "//healthz", "/healthz/..", "/healthz/mcp"])
def test_no_other_method_or_path_gets_by_without_the_key(closed_server: Web, method: str, path: str) -> None:
    assert fetch(method, closed_server.base + path).status_code == 401


def test_a_key_from_a_file_with_a_newline_is_the_key_and_may_be_of_any_script() -> None:
    settings = {"MCP_AUTH_ENABLED": "true", "MCP_API_KEY": " schlüssel\n"}
    with serving("--sandbox", settings=settings) as web:
        assert initialize(web.mcp, {"authorization": "Bearer schlüssel".encode()}).status_code == 200
        assert initialize(web.mcp, {"authorization": "Bearer schlussel"}).status_code == 401


@pytest.mark.anyio
async def test_keys_of_any_length_are_compared_by_digests_of_one_length(monkeypatch: pytest.MonkeyPatch) -> None:
    # Timing cannot be tested honestly; that each comparison is the constant-time one, on equal lengths, can.
    compared: list[tuple[int, int]] = []
    compare = hmac.compare_digest

    def watched(given: bytes, known: bytes) -> bool:
        compared.append((len(given), len(known)))
        return compare(given, known)

    monkeypatch.setattr(hmac, "compare_digest", watched)
    transport = httpx2.ASGITransport(RequireKey(Response("in"), key=SecretStr(KEY)))
    keys = ["", "x", KEY[:-1], KEY, KEY + "x", "x" * 10_000]
    async with httpx2.AsyncClient(transport=transport, base_url="http://server") as client:
        answers = [(await client.get("/", headers={"x-api-key": key})).status_code for key in keys]
    assert answers == [401, 401, 401, 200, 401, 401]
    assert compared == [(32, 32)] * len(keys)
