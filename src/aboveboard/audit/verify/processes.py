"""Processes that a run starts: each in a group of its own, and none outlives the run, however it ends.

A guardian, a tiny process of its own, holds the other end of a pipe. When the pipe closes, even because this process
was killed, the guardian ends every group that is still listed with it, with what left the group, and removes the
folders of runs. All runs of a process have one guardian.
"""

import atexit
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from inspect import getsource
from typing import IO, Final

import anyio
from anyio import to_thread
from anyio.abc import Process

from aboveboard.audit.probe import Unreadable
from aboveboard.audit.probe.strays import MARK, end_marked

PATIENCE: Final = 2.0
VACATING: Final = 10.0
"""Seconds in which what was ended gives its port back."""
PORTS: Final = range(10_000, 32_000)
"""Below what Linux, macOS and Windows give to connections."""
_GUARDIAN: Final = f"""
import os, sys
MARK = {MARK!r}
{getsource(end_marked)}
marks, folders = {{}}, set()
for line in sys.stdin:
    if line[0] == "/":
        folders.add(line[:-1])
    elif line[0] == "+":
        group, mark = line[1:].split()
        marks[int(group)] = mark
    else:
        marks.pop(int(line[1:]), None)
if marks:
    import signal
for group, mark in marks.items():
    try:
        os.killpg(group, signal.SIGKILL)
    except OSError:
        pass
    end_marked(mark)
for folder in filter(os.path.isdir, folders):
    import shutil
    shutil.rmtree(folder, ignore_errors=True)
"""
"""What it runs; most runs leave nothing behind, so it imports nothing that only clearing up needs."""


class Guardian:
    """Ends what is left when this process is gone."""

    def __init__(self) -> None:
        hears, self._pipe = os.pipe()
        self._process = subprocess.Popen(  # noqa: S603 (our own text, our own Python)
            [sys.executable, "-I", "-S", "-c", _GUARDIAN], stdin=hears, start_new_session=True
        )
        os.close(hears)

    def watch(self, group: int, mark: str) -> None:
        """List a process group, and the mark of whatever was started in it."""
        self._say(f"+{group} {mark}\n")

    def clear(self, folder: str) -> None:
        """List a folder of the run's own, by its whole path."""
        self._say(f"{folder}\n")

    def release(self, group: int) -> None:
        """Take a group that has ended off the list: its number may come to belong to someone else."""
        self._say(f"-{group}\n")

    def _say(self, line: str) -> None:
        with suppress(BrokenPipeError):
            os.write(self._pipe, line.encode())  # at once: other threads have runs of their own

    @property
    def is_there(self) -> bool:
        """Tell whether nobody has ended it."""
        return self._process.poll() is None

    def close(self) -> None:
        """Let the guardian end, and with it whatever is still listed."""
        os.close(self._pipe)
        self._process.wait()


_guardians: dict[int, Guardian] = {}
_one_at_a_time: Final = threading.Lock()


def guardian() -> Guardian:
    """Return the guardian of this process, which the first run starts; a fork is another process, and gets its own."""
    with _one_at_a_time:
        own = _guardians.get(os.getpid())
        if own is None or not own.is_there:
            own = _guardians[os.getpid()] = Guardian()
            atexit.register(own.close)
        return own


def argv(command: Sequence[str]) -> list[str]:
    """Return a command to start; `aboveboard` is this installation, wherever PATH leads."""
    return [sys.executable, "-m", "aboveboard", *command[1:]] if command[0] == "aboveboard" else list(command)


class Background:
    """A process that runs beside the run, such as a backend."""

    def __init__(self, process: Process, errors: IO[bytes], guardian: Guardian, what: str, mark: str) -> None:
        self._process, self._errors, self._guardian, self._what = process, errors, guardian, what
        self._mark = mark
        guardian.watch(process.pid, mark)

    @classmethod
    async def start(
        cls, command: Sequence[str], environment: Mapping[str, str], guardian: Guardian, what: str, folder: str | None
    ) -> "Background":
        """Start a command in a group of its own."""
        errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        mark = secrets.token_hex(8)
        try:
            process = await anyio.open_process(
                argv(command),
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=errors,
                cwd=folder,
                env={**os.environ, **environment, MARK: mark},
                start_new_session=True,
            )
        except OSError as error:
            errors.close()
            raise Unreadable(f"{what} cannot be started: {command[0]!r}, {error.strerror}.") from None
        return cls(process, errors, guardian, what, mark)

    async def listening(self, host: str, port: int, patience: float) -> None:
        """Wait until something answers at a port; say why where the process ended instead."""
        with anyio.move_on_after(patience):
            while self._process.returncode is None:
                if await _accepts(host, port):
                    return
                await anyio.sleep(0.02)
        if self._process.returncode is not None:
            raise Unreadable(f"{self._what} ended with exit code {self._process.returncode}. {self._last_words()}")
        raise Unreadable(f"{self._what} did not listen at {host}:{port} within {patience:g} seconds.")

    def _last_words(self) -> str:
        self._errors.seek(max(0, self._errors.seek(0, os.SEEK_END) - 2000))
        lines = self._errors.read().decode("utf-8", "replace").splitlines()
        telling = [line.strip() for line in lines if any(char.isalpha() for char in line)]
        return f"It said: {telling[-1][:300]}" if telling else ""

    async def aclose(self) -> None:
        """End it with all that it started: ask first, then make it."""
        with anyio.CancelScope(shield=True):
            for how in (signal.SIGTERM, signal.SIGKILL):
                signal_group(self._process.pid, how)
                with anyio.move_on_after(PATIENCE):
                    await self._process.wait()
                    break
            signal_group(self._process.pid, signal.SIGKILL)
            await to_thread.run_sync(end_marked, self._mark)
            self._guardian.release(self._process.pid)
            await self._process.aclose()
            self._errors.close()


def signal_group(group: int, how: signal.Signals) -> None:
    """Tell all processes of a group; those that have ended need not be told."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, how)


async def wait_until_free(host: str, port: int) -> None:
    """Wait until nobody answers at a port: what was ended may be on its way out, and would be taken for the next."""
    with anyio.move_on_after(VACATING):
        while True:
            if not await _accepts(host, port):
                return
            await anyio.sleep(0.02)
    raise Unreadable(
        f"Something else listens at {host}:{port}, where the plan starts a process of its own.",
        next_step="End it, or let the plan use ${port} or ${server_port}.",
    )


async def _accepts(host: str, port: int) -> bool:
    try:
        stream = await anyio.connect_tcp(host, port)
    except OSError:
        return False
    await stream.aclose()
    return True


async def output_of(command: Sequence[str], environment: Mapping[str, str], what: str, patience: float) -> bytes:
    """Run a command to its end and return what it printed."""
    try:
        done = await run_to_end(argv(command), {**os.environ, **environment}, patience)
    except TimeoutError:
        raise Unreadable(f"{what} did not end within {patience:g} seconds.") from None
    except OSError as error:
        raise Unreadable(f"{what} cannot be run: {command[0]!r}, {error.strerror}.") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise Unreadable(f"{what} ended with exit code {done.returncode}. {said[-1][:300] if said else ''}".rstrip())
    return done.stdout


async def run_to_end(
    command: Sequence[str], environment: Mapping[str, str], patience: float, given: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """Run a command with what it is given, which it need not read; one that takes longer is ended with all it started.

    States are read by the hundred: one thread that waits takes half as long as a process of the event loop's does.
    """
    process = subprocess.Popen(  # noqa: ASYNC220, S603 (as the event loop does it; the plan's own command)
        command,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        with anyio.fail_after(patience):
            printed, errors = await to_thread.run_sync(process.communicate, given, abandon_on_cancel=True)
    finally:
        if process.returncode is None:
            signal_group(process.pid, signal.SIGKILL)  # which lets the thread go that reads what they print
    return subprocess.CompletedProcess(command, process.wait(), printed, errors)


def free_port() -> int:
    """Return a port that nobody listens at, and that no system gives to a connection.

    A server is ended and started again at its port: one that a connection may get meanwhile would be taken by then.
    """
    while True:
        port = secrets.choice(PORTS)
        with socket.socket() as one, suppress(OSError):
            one.bind(("127.0.0.1", port))
            return port
