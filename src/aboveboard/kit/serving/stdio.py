"""Serving on standard input and output: nothing but JSON-RPC on stdout, and an end as soon as anyone asks for it.

The SDK's own transport reads stdin in a thread that cannot be interrupted, so a signal would wait for the next
message. Here the event loop reads and writes the pipes itself, which also saves three thread switches a message.

A signal ends the server at once. When stdin closes, requests that came before still get their answers, so that
`aboveboard serve ... < requests.jsonl` works.
"""

import asyncio
import os
import signal
import stat
import sys
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import contextmanager, suppress
from typing import Any

import anyio
import mcp_types as mcp
from anyio.streams.memory import MemoryObjectReceiveStream
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from pydantic_core import PydanticSerializationError

LONGEST_LINE = 64 * 1024 * 1024
PATIENCE = 5.0
"""Seconds that open requests get when stdin closes. A client that meant to end the server sends a signal before."""
LAST_WORDS = 2.0
"""Seconds that the end may take: for answers that wait to be written, and for connections to close."""

Write = Callable[[bytes], Awaitable[None]]
Outbound = MemoryObjectReceiveStream[SessionMessage]


def serve_stdio(server: Server[Any], *, patience: float = PATIENCE) -> None:
    """Serve until stdin closes or a signal asks to stop."""
    with _claimed_streams() as (stdin, stdout):
        asyncio.run(_serve(server, stdin, stdout, patience))


async def _serve(server: Server[Any], stdin: int, stdout: int, patience: float) -> None:
    inbound, read_stream = anyio.create_memory_object_stream[SessionMessage | Exception](64)
    write_stream, outbound = anyio.create_memory_object_stream[SessionMessage](64)
    reader = await _reader(stdin)
    write = await _writer(stdout)
    owed, receiving = _Owed(), anyio.CancelScope()
    async with anyio.create_task_group() as tasks:

        def stop() -> None:
            # The server ends when nothing more comes in; what it has said by then still goes out.
            receiving.cancel()
            tasks.cancel_scope.deadline = anyio.current_time() + LAST_WORDS

        async def receive() -> None:
            async with inbound:
                with receiving:
                    async for message in _messages(reader, owed):
                        await inbound.send(message)
                    with anyio.move_on_after(patience):
                        await owed.nothing()

        _stop_on_signals(stop)
        tasks.start_soon(receive)
        tasks.start_soon(_send, outbound, write, owed, stop)
        await server.run(read_stream, write_stream, server.create_initialization_options())
        stop()


class _Owed:
    """The requests that wait for their answer."""

    def __init__(self) -> None:
        self._ids: set[object] = set()
        self._fewer = asyncio.Event()

    def received(self, message: mcp.JSONRPCMessage) -> None:
        if isinstance(message, mcp.JSONRPCRequest):
            self._ids.add(message.id)
        elif isinstance(message, mcp.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._settle((message.params or {}).get("requestId"))

    def sent(self, message: mcp.JSONRPCMessage) -> None:
        if isinstance(message, mcp.JSONRPCResponse | mcp.JSONRPCError):
            self._settle(message.id)

    async def nothing(self) -> None:
        while self._ids:
            self._fewer.clear()
            await self._fewer.wait()

    def _settle(self, request: object) -> None:
        if isinstance(request, str | int):
            self._ids.discard(request)
            self._fewer.set()


async def _messages(reader: asyncio.StreamReader, owed: _Owed) -> AsyncGenerator[SessionMessage | Exception]:
    """Read a message a line; what is no message, or too long, is passed on as the error it is."""
    while True:
        try:
            line = await reader.readline()
            message = mcp.jsonrpc_message_adapter.validate_json(line, by_name=False) if line else None
        except ValueError as error:
            yield error
            continue
        if message is None:
            return
        owed.received(message)
        yield SessionMessage(message)


async def _send(outbound: Outbound, write: Write, owed: _Owed, stop: Callable[[], None]) -> None:
    async with outbound:
        async for message in outbound:
            try:
                await write(_line(message.message))
            except OSError:
                return stop()  # nobody reads any more
            owed.sent(message.message)
    return None


def _line(message: mcp.JSONRPCMessage) -> bytes:
    try:
        return message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
    except PydanticSerializationError:
        if not isinstance(message, mcp.JSONRPCResponse):
            raise
        error = mcp.ErrorData(code=mcp.INTERNAL_ERROR, message="The answer holds something that JSON cannot say.")
        return _line(mcp.JSONRPCError(jsonrpc="2.0", id=message.id, error=error))


async def _reader(fd: int) -> asyncio.StreamReader:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=LONGEST_LINE)
    if _is_pipe(fd):
        protocol = asyncio.StreamReaderProtocol(reader)
        await loop.connect_read_pipe(lambda: protocol, os.fdopen(fd, "rb", buffering=0))
        return reader

    def feed() -> None:
        # A terminal or a file: read where a blocked read holds nothing up, not even the end of the process.
        # It hangs up with an error, which is an end as well; one that comes after the server's own end is nobody's.
        with suppress(RuntimeError):
            with suppress(OSError):
                while chunk := os.read(fd, 65536):
                    loop.call_soon_threadsafe(reader.feed_data, chunk)
            loop.call_soon_threadsafe(reader.feed_eof)

    threading.Thread(target=feed, daemon=True).start()
    return reader


async def _writer(fd: int) -> Write:
    if not _is_pipe(fd):

        async def write_at_once(data: bytes) -> None:
            while data:
                data = data[os.write(fd, data) :]

        return write_at_once

    loop = asyncio.get_running_loop()
    transport, protocol = await loop.connect_write_pipe(
        asyncio.streams.FlowControlMixin, os.fdopen(fd, "wb", buffering=0)
    )
    transport.set_write_buffer_limits(high=0)  # a message counts as written when the pipe has all of it
    stream = asyncio.StreamWriter(transport, protocol, None, loop)

    async def write(data: bytes) -> None:
        stream.write(data)
        await stream.drain()

    return write


def _is_pipe(fd: int) -> bool:
    mode = os.fstat(fd).st_mode
    return sys.platform != "win32" and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode))


def _stop_on_signals(stop: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        if sys.platform == "win32":
            signal.signal(number, lambda _number, _frame: loop.call_soon_threadsafe(stop))
        else:
            loop.add_signal_handler(number, stop)


@contextmanager
def _claimed_streams() -> Generator[tuple[int, int]]:
    """Keep stdin and stdout for the protocol: whatever else is printed in this process goes to stderr."""
    sys.stdout.flush()
    stdin, stdout = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    yield stdin, stdout
