"""TCP for servers that start in a blink: the part of the standard library's `socket` that is written in C, alone.

What `socket` adds to it are enumerations, and importing those takes longer than the whole start of such a server.
"""

from __future__ import annotations

import _socket
from io import BufferedRWPair, FileIO

TYPE_CHECKING = False  # as of `typing`, which takes as long
if TYPE_CHECKING:
    from collections.abc import Callable


def connected(host: str, port: int) -> BufferedRWPair:
    """Connect to a place, and return what is written to it (and flushed) and read from it."""
    line = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
    line.connect((host, port))
    return stream(line.detach())


def stream(descriptor: int) -> BufferedRWPair:
    """Make a stream of a socket's descriptor; closing it closes the connection."""
    return BufferedRWPair(FileIO(descriptor, "r"), FileIO(descriptor, "w", closefd=False))


def listening(port: int) -> _socket.socket:
    """Listen at a port of this machine."""
    door = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
    door.setsockopt(_socket.SOL_SOCKET, _socket.SO_REUSEADDR, 1)
    door.bind(("127.0.0.1", port))
    door.listen(64)
    return door


def accepted(door: _socket.socket) -> int:
    """Wait for whoever comes next, and return the descriptor of that connection."""
    accept: Callable[[], tuple[int, object]] = getattr(door, "_accept")  # noqa: B009 (its stub does not have it)
    return accept()[0]
