"""Clients that cost next to nothing, so that what is measured is the server.

Each keeps a number of calls in flight from one thread: requests are written as bytes made beforehand, and of an answer
only its end is looked for and that it holds what every good answer holds.
"""

import json
import selectors
import socket
from contextlib import ExitStack, closing
from typing import Any, NoReturn, Protocol

from benchmarks import messages
from benchmarks.messages import LEGACY, MODERN, Message
from benchmarks.process import PATIENCE, Process


class Client(Protocol):
    """A connected client."""

    def list_tools(self) -> dict[str, Any]:
        """Return what `tools/list` answers."""
        ...

    def calls(self, tool: str, count: int, in_flight: int, proof: bytes) -> None:
        """Make calls; each answer must contain the proof."""
        ...


class StdioClient:
    """Speaks on a server's stdin and stdout, after the handshake of the legacy era."""

    def __init__(self, process: Process) -> None:
        self._in, self._out = process.stdin, process.stdout
        self._ask(messages.INITIALIZE)
        self._write(messages.INITIALIZED)

    def list_tools(self) -> dict[str, Any]:
        """Return what `tools/list` answers."""
        return json.loads(self._ask(messages.list_tools()))["result"]

    def calls(self, tool: str, count: int, in_flight: int, proof: bytes) -> None:
        """Make calls; each answer must contain the proof."""
        lines = [messages.encoded(messages.call(tool, number)) + b"\n" for number in range(count)]
        self._in.write(b"".join(lines[:in_flight]))
        self._in.flush()
        for number in range(count):
            _check(self._out.readline(), proof)
            if number + in_flight < count:
                self._in.write(lines[number + in_flight])
                self._in.flush()

    def _write(self, message: Message) -> None:
        self._in.write(messages.encoded(message) + b"\n")
        self._in.flush()

    def _ask(self, message: Message) -> bytes:
        self._write(message)
        return self._out.readline() or _gone()


class HttpClient:
    """Speaks over HTTP/1.1, in either era; each batch of calls has kept connections of its own."""

    def __init__(self, port: int, era: str) -> None:
        self._port, self._era = port, era
        self._session = b""
        if era == LEGACY:
            head, _ = self._ask(messages.INITIALIZE)
            self._session = _header(head, b"mcp-session-id")
            self._ask(messages.INITIALIZED)

    def list_tools(self) -> dict[str, Any]:
        """Return what `tools/list` answers."""
        _, body = self._ask(messages.list_tools(self._era))
        data = next(line for line in body.splitlines() if line.startswith((b"data: {", b"{")))
        return json.loads(data.removeprefix(b"data: "))["result"]

    def calls(self, tool: str, count: int, in_flight: int, proof: bytes) -> None:
        """Make calls; each answer must contain the proof."""
        waiting = [self._request(messages.call(tool, number, self._era)) for number in range(count)]
        with ExitStack() as stack:
            ready = stack.enter_context(selectors.DefaultSelector())
            for _ in range(in_flight):
                connection = stack.enter_context(closing(_Connection(self._port)))
                ready.register(connection.socket, selectors.EVENT_READ, connection)
                connection.send(waiting.pop())
            for _ in range(count):
                connection = _next_answered(ready, proof)
                if waiting:
                    connection.send(waiting.pop())

    def _ask(self, message: Message) -> tuple[bytes, bytes]:
        with closing(_Connection(self._port)) as connection:
            connection.send(self._request(message))
            while (answer := connection.receive()) is None:
                pass
            return answer

    def _request(self, message: Message) -> bytes:
        body = messages.encoded(message)
        lines = [
            b"POST /mcp HTTP/1.1",
            b"Host: 127.0.0.1:%d" % self._port,
            b"Content-Type: application/json",
            b"Accept: application/json, text/event-stream",
            b"Content-Length: %d" % len(body),
        ]
        if self._era == MODERN:
            lines += [b"MCP-Protocol-Version: " + MODERN.encode(), b"Mcp-Method: " + message["method"].encode()]
            if "name" in message["params"]:
                lines.append(b"Mcp-Name: " + message["params"]["name"].encode())
        elif self._session:
            lines += [b"MCP-Protocol-Version: " + LEGACY.encode(), b"Mcp-Session-Id: " + self._session]
        return b"\r\n".join([*lines, b"", body])


class _Connection:
    """One kept connection with at most one request on its way."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._received = b""

    def send(self, request: bytes) -> None:
        self.socket.sendall(request)

    def close(self) -> None:
        self.socket.close()

    def receive(self) -> tuple[bytes, bytes] | None:
        """Read what there is; return head and body once the answer is complete."""
        chunk = self.socket.recv(262_144)
        if not chunk:
            _gone()
        self._received += chunk
        head, end, body = self._received.partition(b"\r\n\r\n")
        if not end or not _complete(head, body):
            return None
        self._received = b""
        if b" 20" not in head[:15]:
            raise RuntimeError(f"the server refused: {head[:15]!r} {body[:300]!r}")
        return head, body


def _next_answered(ready: selectors.BaseSelector, proof: bytes) -> _Connection:
    """Wait for the next complete answer."""
    while events := ready.select(PATIENCE):
        connection: _Connection = events[0][0].data
        if (answer := connection.receive()) is not None:
            _check(answer[1], proof)
            return connection
    raise RuntimeError("the server does not answer")


def _complete(head: bytes, body: bytes) -> bool:
    if b"transfer-encoding: chunked" in head.lower():
        return body.endswith(b"0\r\n\r\n")
    return len(body) >= int(_header(head, b"content-length") or 0)


def _header(head: bytes, name: bytes) -> bytes:
    for line in head.split(b"\r\n"):
        key, _, value = line.partition(b":")
        if key.lower() == name:
            return value.strip()
    return b""


def _gone() -> NoReturn:
    raise RuntimeError("the server ended, or closed the connection; run its command by hand to see why")


def _check(answer: bytes, proof: bytes) -> None:
    if proof not in answer:
        raise RuntimeError(f"not the answer that was expected: {answer[:300]!r}")
