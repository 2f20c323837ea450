"""HTTP exchanges with `/mcp`, byte for byte as clients of the two protocol eras make them."""

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import httpx2
from tests.kit.serving.processes import INITIALIZE, LEGACY, MODERN, call, deadline, request

KEY: Final = "right-key-5d1f0c"
ACCEPT: Final = {"accept": "application/json, text/event-stream"}
ENVELOPE: Final = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
Headers = Mapping[str, str | bytes]


def local_client() -> httpx2.Client:
    """A client of servers on this machine: it needs no proxy, and no certificates to load."""
    return httpx2.Client(timeout=deadline(), trust_env=False, verify=False)


def fetch(method: str, url: str, headers: Headers | None = None, body: object = None) -> httpx2.Response:
    """Send one request on a connection of its own."""
    raw = {
        name.encode(): value if isinstance(value, bytes) else value.encode() for name, value in (headers or {}).items()
    }
    with local_client() as client:
        return client.request(method, url, headers=raw, json=body)


def initialize(url: str, headers: Headers | None = None) -> httpx2.Response:
    """Open a session, as a client of 2025 does."""
    return fetch("POST", url, {**ACCEPT, **(headers or {})}, INITIALIZE)


def in_session(session: str) -> dict[str, str]:
    return {**ACCEPT, "mcp-session-id": session, "mcp-protocol-version": LEGACY}


def modern(
    url: str, method: str, params: Mapping[str, Any] | None = None, headers: Headers | None = None
) -> httpx2.Response:
    """Ask without a session, as a client of 2026 does."""
    routing = {"mcp-protocol-version": MODERN, "mcp-method": method}
    if params and "name" in params:
        routing["mcp-name"] = params["name"]
    body = request(1, method, {"_meta": ENVELOPE, **(params or {})})
    return fetch("POST", url, {**ACCEPT, **routing, **(headers or {})}, body)


def modern_call(
    url: str, tool: str, arguments: Mapping[str, Any] | None = None, headers: Headers | None = None
) -> httpx2.Response:
    return modern(url, "tools/call", {"name": tool, "arguments": dict(arguments or {})}, headers)


def legacy_call(url: str, session: str, tool: str, **arguments: Any) -> httpx2.Response:
    return fetch("POST", url, in_session(session), call(1, tool, **arguments))


def answer_in(response: httpx2.Response) -> dict[str, Any]:
    """The JSON-RPC answer, plain or as the one event of a stream."""
    if response.headers["content-type"].startswith("text/event-stream"):
        (data,) = [line for line in response.text.splitlines() if line.startswith("data: {")]
        return json.loads(data.removeprefix("data: "))
    return response.json()


@contextmanager
def open_stream(url: str, session: str) -> Generator[httpx2.Response]:
    """The stream on which a server may speak unasked."""
    with local_client() as client, client.stream("GET", url, headers=in_session(session)) as stream:
        yield stream
