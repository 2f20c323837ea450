"""Any application on a socket; it stands apart from MCP, which takes long to load and which a sandbox does not need."""

import signal
import socket
from collections.abc import Callable

import uvicorn
from starlette.types import ASGIApp

from aboveboard.errors import BadInput


def serve_app(app: ASGIApp, host: str, port: int, announce: Callable[[str], None]) -> None:
    """Serve any application on a socket; announce its address once it is taken."""
    listener = listening(host, port)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        # A client's open stream must not keep the server from ending.
        timeout_graceful_shutdown=2,
    )
    server = uvicorn.Server(config)
    # When it has ended, uvicorn raises the signal again for whoever had it before: that must not kill a clean end.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, server.handle_exit)
    announce(f"http://{bracket_host(host)}:{listener.getsockname()[1]}")
    server.run(sockets=[listener])


def listening(host: str, port: int) -> socket.socket:
    """Take the address, or say why it cannot be had."""
    try:
        listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "no such address"
        raise BadInput(f"Cannot listen on {host}:{port}: {why}.") from None
    # asyncio does this only for sockets it makes itself; without it a body waits 40 ms for its head to be confirmed.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def bracket_host(host: str) -> str:
    """Return a host as it stands in an address."""
    return f"[{host}]" if ":" in host else host
