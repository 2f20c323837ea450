"""How servers reach notes that are kept behind a REST API.

Over a plain socket: the HTTP client of the standard library takes longer to import than such a server to start.
"""

from __future__ import annotations

import os

from tests.audit.liars import bare_json as json
from tests.audit.liars.stage import Failed
from tests.audit.liars.watched.line import connected

TYPE_CHECKING = False  # as of `typing`, which takes as long
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


def rest(method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    """Ask the service at NOTES_URL."""
    return fetch(method, os.environ["NOTES_URL"] + path, body)


def fetch(method: str, url: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    """Send one request, by the proxy that the environment names, if it names one."""
    status, _, text = exchange(method, url, None if body is None else json.dumps(body).encode())
    if status >= 300:
        raise Failed(text.decode())
    return json.loads(text)


def exchange(
    method: str, url: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
) -> tuple[int, dict[str, str], bytes]:
    """Send one request, and return the status, the headers and the body of its answer."""
    place, _, path = url.removeprefix("http://").partition("/")
    proxy = os.environ.get("http_proxy", "").removeprefix("http://").rstrip("/")
    direct = not proxy or place in os.environ.get("no_proxy", "").split(",")
    given = {"Host": place, "Connection": "close", **(headers or {})}
    if body is not None:
        given |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
    host, _, port = (place if direct else proxy).partition(":")
    head = [f"{method} {f'/{path}' if direct else url} HTTP/1.1", *(f"{name}: {one}" for name, one in given.items())]
    with connected(host, int(port or 80)) as line:
        line.write("\r\n".join((*head, "", "")).encode() + (body or b""))
        line.flush()
        status = int(line.readline().split()[1])
        told = read_headers(line.readline)
        return status, told, line.read(int(told.get("content-length", -1)))


def read_headers(next_line: Callable[[], bytes]) -> dict[str, str]:
    """Read headers, up to the empty line."""
    lines = iter(lambda: next_line().decode("latin-1").strip(), "")
    return {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
