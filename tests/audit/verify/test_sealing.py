"""A server in a network of its own: what it may reach it reaches, and whatever else it tries is written down."""

import asyncio
import sys
from pathlib import Path

import pytest

from aboveboard.audit.verify.request_log import RequestLog
from aboveboard.audit.verify.sealing import Seal, forbidden

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(bool(forbidden()), reason=forbidden())]

TRIES = """
import socket, sys
from contextlib import suppress
with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as line:
    line.sendall(b"hello")
    print(line.recv(100).decode())
for goal in (("192.0.2.7", 25), ("2001:db8::7", 443), ("127.0.0.1", 9)):
    with suppress(OSError):
        socket.create_connection(goal, timeout=2)
with socket.socket(type=socket.SOCK_DGRAM) as one:
    question = bytes(4) + bytes([0, 1, 0, 0, 0, 0, 0, 0]) + b"\\x04tell\\x07example\\x03com\\0\\0\\1\\0\\1"
    one.sendto(question, ("192.0.2.53", 53))
    one.sendto(b"x", ("192.0.2.8", 8125))
print("tried", flush=True)
sys.stdin.read(1)
"""


async def test_only_what_is_let_through_is_reached_and_everything_else_is_seen(tmp_path: Path) -> None:
    log = RequestLog()

    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"heard " + await reader.read(100))
        await writer.drain()
        writer.close()

    outside = await asyncio.start_server(greet, "127.0.0.1", 0)
    port = outside.sockets[0].getsockname()[1]
    async with outside, Seal(str(tmp_path), log, {7777: port}) as seal:
        process = await asyncio.create_subprocess_exec(
            *seal.around([sys.executable, "-c", TRIES, "7777"], None),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdout is not None
        assert process.stdin is not None
        assert await process.stdout.readline() == b"heard hello\n"
        assert await process.stdout.readline() == b"tried\n"
        await seal.flush()
        process.stdin.write(b"x")
        assert await process.wait() == 0
        told = [(one.method, one.host) for one in log.take_requests()]
    assert told == [
        ("CONNECT", "192.0.2.7"),
        ("CONNECT", "2001:db8::7"),
        ("CONNECT", "127.0.0.1:9"),
        ("RESOLVE", "tell.example.com"),
        ("SEND", "192.0.2.8"),
    ]


async def test_a_command_that_is_not_there_is_left_to_say_so(tmp_path: Path) -> None:
    seal = Seal(str(tmp_path), RequestLog(), {})
    assert seal.around(["no-such-command", "x"], None) == ["no-such-command", "x"]
