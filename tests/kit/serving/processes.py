"""Real servers in real processes: started, listened to while they run, and gone when the test is.

They are forked from a process that has the SDK already (`tests/forked.py`); a few of each transport are started by
an interpreter of their own.
"""

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Condition, Thread
from typing import IO, Any, Final, TypeVar

import mcp_types as mcp
from tests.forked import PYTHON, forked
from tests.patience import patience

T = TypeVar("T")

Starting = Callable[..., tuple[str, ...]]
"""What makes a command of a module and its arguments: `forked`, or `interpreted`."""
SERVE: Final[tuple[str, ...]] = ("aboveboard", "serve", "lightdash")
WEB: Final = ("--transport", "streamable-http", "--port", "0")
NOISY: Final[tuple[str, ...]] = ("tests.kit.serving.noisy",)
MAIN: Final = "1a000000-0000-4000-8000-000000000001"
"""The sandbox's first project."""


def deadline() -> float:
    """Return after how many seconds a test gives up waiting: far more than anything takes, also on a busy machine."""
    return patience(20)


def interpreted(module: str, *arguments: str) -> tuple[str, ...]:
    """Return the command that runs a module in an interpreter of its own, as users start it."""
    return (PYTHON, "-m", module, *arguments)


def environment(settings: Mapping[str, str] | None = None) -> dict[str, str]:
    """This process's environment without what would configure a server, and with these settings."""
    ours = ("LIGHTDASH_", "MCP_", "ABOVEBOARD_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return kept | dict(settings or {})


def eventually(look: Callable[[], T], what: str) -> T:
    """Look again and again until there is something to see."""
    until = time.monotonic() + deadline()
    while not (seen := look()):
        assert time.monotonic() < until, f"waited in vain for {what}"
        time.sleep(0.02)
    return seen


class Collected:
    """All that a process writes to one stream, from its start to its end."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._bytes, self._ended = stream, bytearray(), False
        self._news = Condition()
        self._thread = Thread(target=self._collect, daemon=True)
        self._thread.start()

    @property
    def bytes(self) -> bytes:
        with self._news:
            return bytes(self._bytes)

    @property
    def text(self) -> str:
        return self.bytes.decode()

    def wait_for(self, pattern: str) -> re.Match[str]:
        found = self._wait(lambda: re.search(pattern, self._bytes.decode(errors="replace")))
        assert found, f"no {pattern!r} in {self.bytes[-2000:]!r}"
        return found

    def wait_for_lines(self, count: int) -> None:
        self._wait(lambda: self._bytes.count(b"\n") >= count)
        assert self.bytes.count(b"\n") >= count, f"fewer than {count} lines in {self.bytes[-2000:]!r}"

    def end(self) -> None:
        self._thread.join(deadline())
        self._stream.close()

    def _wait(self, look: Callable[[], T]) -> T:
        with self._news:
            self._news.wait_for(lambda: self._ended or look(), deadline())
            return look()

    def _collect(self) -> None:
        while not self._ended:
            chunk = os.read(self._stream.fileno(), 65536)
            with self._news:
                self._bytes += chunk
                self._ended = not chunk
                self._news.notify_all()


@dataclass
class Process:
    """A process that runs."""

    popen: subprocess.Popen[bytes]
    stdout: Collected | None
    stderr: Collected

    @property
    def wire(self) -> Collected:
        assert self.stdout is not None
        return self.stdout

    def send(self, *messages: Mapping[str, Any] | bytes) -> None:
        """Write messages to stdin, one a line; bytes go as they are."""
        assert self.popen.stdin is not None
        for message in messages:
            line = message if isinstance(message, bytes) else json.dumps(message, ensure_ascii=False).encode()
            self.popen.stdin.write(line + b"\n")
        self.popen.stdin.flush()

    def close_stdin(self) -> None:
        assert self.popen.stdin is not None
        self.popen.stdin.close()

    def signal(self, number: signal.Signals) -> None:
        self.popen.send_signal(number)

    def exit_code(self) -> int:
        """Wait for the end, and for the last of what it wrote."""
        try:
            code = self.popen.wait(deadline())
        except subprocess.TimeoutExpired:
            raise AssertionError(f"It does not end. It said: {self.stderr.text[-2000:]}") from None
        for stream in (self.stdout, self.stderr):
            if stream is not None:
                stream.end()
        return code

    def assert_clean_end(self) -> None:
        code = self.exit_code()
        assert (code, self.stderr.text) == (0, "")


@contextmanager
def started(
    command: Sequence[str],
    settings: Mapping[str, str] | None = None,
    *,
    stdin: int | IO[bytes] = subprocess.PIPE,
    stdout: int | IO[bytes] = subprocess.PIPE,
    starting: Starting = forked,
) -> Generator[Process]:
    """Run a module with its arguments until the block ends, however it ends."""
    popen = subprocess.Popen(
        starting(*command), stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, env=environment(settings), bufsize=0
    )
    assert popen.stderr is not None
    output = Collected(popen.stdout) if popen.stdout is not None else None
    process = Process(popen, output, Collected(popen.stderr))
    try:
        yield process
    finally:
        if popen.stdin is not None:
            popen.stdin.close()
        popen.kill()
        process.exit_code()


@contextmanager
def serving(*options: str, settings: Mapping[str, str] | None = None, starting: Starting = forked) -> Generator["Web"]:
    """Run the real command line as an HTTP server on a free port."""
    command = (*SERVE, *WEB, *options)
    with started(command, settings, stdin=subprocess.DEVNULL, starting=starting) as process:
        port = process.stderr.wait_for(r"Serving Lightdash at http://\S+:(\d+)/mcp\n")[1]
        yield Web(f"http://127.0.0.1:{port}", process)


@dataclass(frozen=True)
class Web:
    """An HTTP server that runs."""

    base: str
    process: Process

    @property
    def mcp(self) -> str:
        return f"{self.base}/mcp"


def request(number: int, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": dict(params or {})}


def call(number: int, tool: str, **arguments: Any) -> dict[str, Any]:
    return request(number, "tools/call", {"name": tool, "arguments": arguments})


LEGACY: Final = "2025-11-25"
MODERN: Final = "2026-07-28"
INITIALIZE: Final = request(
    0, "initialize", {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
)
INITIALIZED: Final = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def greet(process: Process) -> None:
    """Go through the handshake, after which the server surely runs."""
    process.send(INITIALIZE, INITIALIZED)
    process.wire.wait_for_lines(1)


def messages(output: bytes) -> list[dict[str, Any]]:
    """Read every byte as JSON-RPC, one message a line, and nothing else."""
    if not output:
        return []
    assert output.endswith(b"\n")
    found: list[dict[str, Any]] = []
    for line in output[:-1].split(b"\n"):
        mcp.jsonrpc_message_adapter.validate_json(line)
        found.append(json.loads(line))
    return found


def answers(process: Process) -> dict[int, dict[str, Any]]:
    """The messages by the request they answer; none answers twice."""
    found = messages(process.wire.bytes)
    by_id = {message["id"]: message for message in found}
    assert len(by_id) == len(found)
    return by_id
