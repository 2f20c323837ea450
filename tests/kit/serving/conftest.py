"""Two servers that many tests share, one of each kind: open on loopback, and closed by a key on every address."""

from collections.abc import Iterator

import pytest
from tests.kit.serving.exchange import KEY
from tests.kit.serving.processes import Web, serving


@pytest.fixture(scope="session")
def open_server() -> Iterator[Web]:
    with serving("--sandbox") as web:
        yield web


@pytest.fixture(scope="session")
def closed_server() -> Iterator[Web]:
    names = ("--allowed-hosts", "mcp.example.com,mcp.example.org:*", "--allowed-origins", "https://app.example.com")
    settings = {"MCP_AUTH_ENABLED": "true", "MCP_API_KEY": KEY}
    with serving("--sandbox", "--host", "0.0.0.0", *names, settings=settings) as web:  # noqa: S104 (what is tested)
        yield web
