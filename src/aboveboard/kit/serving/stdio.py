"""Serving on standard input and output: nothing but JSON-RPC on stdout, and an end as soon as anyone asks for it.

The SDK's own transport reads stdin in a thread that cannot be interrupted, so a signal would wait for the next
message. Here the event loop reads and writes the pipes itself, which also saves three thread switches a message.
"""

import asyncio
import os
import signal
import stat
import sys
import threading
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from typing import Any

import anyio
import mcp_types as mcp
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

LONGEST_LINE = 64 * 1024 * 1024
Inbound = MemoryObjectSendStream[SessionMessage | Exception]
Outbound = MemoryObjectReceiveStream[SessionMessage]


def serve_stdio(server: Server[Any]) -> None:
    """Serve until stdin closes or a signal asks to stop."""
    with _claimed_streams() as (stdin, stdout):
        asyncio.run(_serve(server, stdin, stdout))


async def _serve(server: Server[Any], stdin: int, stdout: int) -> None:
    inbound, read_stream = anyio.create_memory_object_stream[SessionMessage | Exception](64)
    write_stream, outbound = anyio.create_memory_object_stream[SessionMessage](64)
    reader = await _reader(stdin)
    write = await _writer(stdout)
    async with anyio.create_task_group() as tasks:
        _stop_on_signals(tasks.cancel_scope.cancel)
        tasks.start_soon(_receive, reader, inbound)
        tasks.start_soon(_send, outbound, write)
        await server.run(read_stream, write_stream, server.create_initialization_options())
        tasks.cancel_scope.cancel()


async def _receive(reader: asyncio.StreamReader, inbound: Inbound) -> None:
    async with inbound:
        while line := await reader.readline():
            try:
                message = mcp.jsonrpc_message_adapter.validate_json(line, by_name=False)
            except ValidationError as error:
                await inbound.send(error)
            else:
                await inbound.send(SessionMessage(message))


async def _send(outbound: Outbound, write: Callable[[bytes], Awaitable[None]]) -> None:
    async with outbound:
        async for message in outbound:
            line = message.message.model_dump_json(by_alias=True, exclude_unset=True).encode()
            try:
                await write(line + b"\n")
            except (BrokenPipeError, ConnectionResetError):
                return  # the client is gone; stdin will close too


async def _reader(fd: int) -> asyncio.StreamReader:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=LONGEST_LINE)
    if _is_pipe(fd):
        protocol = asyncio.StreamReaderProtocol(reader)
        await loop.connect_read_pipe(lambda: protocol, os.fdopen(fd, "rb", buffering=0))
        return reader

    def feed() -> None:
        # A terminal or a file: read where a blocked read holds nothing up, not even the end of the process.
        while chunk := os.read(fd, 65536):
            loop.call_soon_threadsafe(reader.feed_data, chunk)
        loop.call_soon_threadsafe(reader.feed_eof)

    threading.Thread(target=feed, daemon=True).start()
    return reader


async def _writer(fd: int) -> Callable[[bytes], Awaitable[None]]:
    if not _is_pipe(fd):

        async def write_at_once(data: bytes) -> None:
            while data:
                data = data[os.write(fd, data) :]

        return write_at_once

    loop = asyncio.get_running_loop()
    transport, protocol = await loop.connect_write_pipe(
        asyncio.streams.FlowControlMixin, os.fdopen(fd, "wb", buffering=0)
    )
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
