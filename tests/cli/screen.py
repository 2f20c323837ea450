"""A terminal of a given width, and a command on it."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from collections.abc import Generator
from contextlib import contextmanager, suppress

from tests.cli.command import environment
from tests.forked import forked
from tests.patience import patience


class Screen:
    """What a command shows on a terminal, and the way to press keys."""

    def __init__(self, process: "subprocess.Popen[bytes]", ours: int) -> None:
        self.process, self._ours = process, ours
        self._shown = b""

    def wait_for(self, text: str) -> str:
        """Return all that was shown up to the end of the line with this text."""
        pattern = re.compile(re.escape(text.encode()) + rb"[^\n]*\n")
        while not pattern.search(self._shown):
            chunk = os.read(self._ours, 65536)
            assert chunk, self._shown.decode()
            self._shown += chunk
        return self._shown.decode().replace("\r\n", "\n")

    def everything(self) -> str:
        """Return all that is shown until the command ends."""
        with suppress(OSError):  # Linux's way to say that the other side is closed
            while chunk := os.read(self._ours, 65536):
                self._shown += chunk
        return self._shown.decode().replace("\r\n", "\n")

    def press(self, key: bytes) -> None:
        os.write(self._ours, key)


@contextmanager
def on_a_terminal(*arguments: str, columns: int = 80) -> Generator[Screen]:
    """Run a command whose stdin, stdout and stderr are a terminal."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    settings = environment({"TERM": "xterm-256color"})
    process = subprocess.Popen(
        forked("aboveboard", *arguments),
        env=settings,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield Screen(process, ours)
    finally:
        process.terminate()
        process.wait(timeout=patience(30))
        os.close(ours)
