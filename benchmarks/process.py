"""A server in a process of its own, and what it has used so far. Linux only."""

import os
import socket
import subprocess
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 30.0
"""Seconds that a server may take to come up, or to answer once."""


class Process:
    """A running server, with its stdin and stdout as pipes."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._popen = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # An empty value lets Python keep what it compiled, as an installed package has it.
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "", **environment},
        )
        assert self._popen.stdin is not None  # noqa: S101 (pipes were asked for)
        assert self._popen.stdout is not None  # noqa: S101
        self.stdin, self.stdout = self._popen.stdin, self._popen.stdout

    def cpu(self) -> float:
        """Return the CPU seconds of all its threads, to the nanosecond: /proc counts in steps of 10 ms."""
        # What clock_getcpuclockid(3) computes, which Python does not offer.
        return time.clock_gettime((~self._popen.pid << 3) | 2)

    def rss(self) -> float:
        """Return the resident memory in MB."""
        status = Path(f"/proc/{self._popen.pid}/status").read_text()
        return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS"))

    def await_port(self, port: int) -> None:
        """Wait until it listens."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
            except OSError:
                if self._popen.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"{self._popen.args!r} does not listen on {port}") from None
                time.sleep(0.002)
            else:
                return

    def end(self) -> None:
        """End it, politely first."""
        self.stdin.close()
        self._popen.terminate()
        try:
            self._popen.wait(5)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()
        self.stdout.close()


@contextmanager
def running(command: Sequence[str], environment: Mapping[str, str]) -> Generator[Process]:
    """Run a server for the length of a block."""
    process = Process(command, environment)
    try:
        yield process
    finally:
        process.end()


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]
