"""Clients whose id is the address of a document about them: fetched from the open internet, and so with care.

Only https, no redirects, 5 seconds, 5 kB; and never from an address that is not public, whatever its name resolves to:
the connection goes to the very address that was looked at.
"""

import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

import anyio
import httpcore2

LONGEST: Final = 5 * 1024
WITHIN: Final = 5.0
USUAL: Final = 3600.0
LONGEST_KEPT: Final = 86400.0
_NAT64: Final = IPv6Network("64:ff9b::/96")


class NoDocument(Exception):
    """There is no document to be had at this address."""


@dataclass(frozen=True)
class Fetched:
    """A document, and for how many seconds it may be kept."""

    body: bytes
    seconds: float


class Fetch(Protocol):
    """Gets a document."""

    async def __call__(self, url: str) -> Fetched:
        """Return it, or raise NoDocument."""
        ...


def is_document_address(client_id: str) -> bool:
    """Tell whether a client's id is the address of a document: https, a path, and nothing that misleads."""
    try:
        url = urlsplit(client_id)
        port = url.port
    except ValueError:
        return False
    plain = (
        client_id.isascii() and not (url.username or url.password or url.fragment or url.query) and port in (None, 443)
    )
    parts = url.path.split("/")
    return url.scheme == "https" and bool(url.hostname) and plain and url.path != "" and not {".", ".."} & set(parts)


async def fetch_document(url: str) -> Fetched:
    """Fetch a document from a public address."""
    try:
        with anyio.fail_after(WITHIN):
            async with httpcore2.AsyncConnectionPool(network_backend=_PublicOnly()) as pool:
                return await read_document(pool, url)
    except (
        TimeoutError,
        OSError,
        httpcore2.NetworkError,
        httpcore2.TimeoutException,
        httpcore2.ProtocolError,
    ) as error:
        raise NoDocument(str(error)) from None


async def read_document(pool: httpcore2.AsyncConnectionPool, url: str) -> Fetched:
    """Fetch a document over connections of any kind."""
    async with pool.stream("GET", url, headers={"Accept": "application/json", "Host": urlsplit(url).netloc}) as answer:
        if answer.status != 200:
            raise NoDocument(f"it answered {answer.status}")
        body = b""
        async for piece in answer.aiter_stream():
            body += piece
            if len(body) > LONGEST:
                raise NoDocument("it is too long")
    headers = {name.lower(): value for name, value in answer.headers}
    return Fetched(body, _seconds(headers.get(b"cache-control", b"").decode("latin-1")))


def _seconds(cache_control: str) -> float:
    if "no-store" in cache_control or "no-cache" in cache_control:
        return 0.0
    found = re.search(r"max-age=(\d{1,9})", cache_control)
    return min(float(found[1]), LONGEST_KEPT) if found else USUAL


class _PublicOnly(httpcore2.AsyncNetworkBackend):
    """Connects to public addresses alone."""

    def __init__(self) -> None:
        self._backend: Any = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 (the library's own signature)
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        found = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = [str(one[4][0]) for one in found]
        if not addresses or not all(is_public(address) for address in addresses):
            raise NoDocument("its address is not public")
        return await self._backend.connect_tcp(addresses[0], port, timeout, local_address, socket_options)

    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(seconds)


def is_public(address: str) -> bool:
    """Tell whether an address is one of the open internet; IPv4 in the clothes of IPv6 is looked at as what it is."""
    parsed = ip_address(address.partition("%")[0])
    if isinstance(parsed, IPv6Address):
        nat64 = IPv4Address(parsed.packed[-4:]) if parsed in _NAT64 else None
        inner = parsed.ipv4_mapped or parsed.sixtofour or nat64
        if inner is not None:
            return is_public(str(inner))
    return parsed.is_global and not parsed.is_multicast
