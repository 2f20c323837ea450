"""A server on its pipes: started in a process group of its own, so that nothing of it is left behind."""

import os
import re
import signal
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from secrets import token_hex
from typing import IO, Any, Final, cast

import anyio
from anyio import to_thread
from anyio.abc import ByteReceiveStream, Process
from anyio.streams.buffered import BufferedByteReceiveStream

from aboveboard.audit import raw
from aboveboard.audit.probe.strays import MARK, end_marked
from aboveboard.audit.probe.wire import LARGEST, Gone, Unreadable, harmless, quoted_words, settles
from aboveboard.audit.target import Command

PATIENCE: Final = 2.0
"""How many seconds a server gets to end by itself."""
STRAY_LINES: Final = 50
LAST_LINES: Final = 6
_ERROR: Final = re.compile(r"\s*(Uncaught )?[\w.]*(Error|Exception)\b")
"""How many lines of stderr are shown of a server that could not be read."""
NO_SUCH_METHOD: Final = -32601


class Pipes:
    """The wire to a server that was started here."""

    def __init__(self, process: Process, errors: IO[bytes], mark: str) -> None:
        self._process, self._errors, self.mark = process, errors, mark
        self._lines = BufferedByteReceiveStream(cast("ByteReceiveStream", process.stdout))
        self.stray: list[str] = []
        self.headers: dict[str, str] = {}
        self._answered = 0

    @property
    def pid(self) -> int:
        """The process, which is also its group."""
        return self._process.pid

    async def exchange(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        """Send a request, and read lines until its answer comes."""
        await self._send(message)
        while True:
            answer = await self._receive()
            if answer is not None and settles(answer, message):
                self._answered += 1
                return answer

    async def notify(self, message: Mapping[str, Any]) -> None:
        """Send a message that gets no answer."""
        await self._send(message)

    async def _send(self, message: Mapping[str, Any]) -> None:
        if self._process.stdin is None:
            raise Gone("The server has no stdin.")
        try:
            await self._process.stdin.send(raw.dump(message).encode() + b"\n")
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
            raise await self._ended() from None

    async def _receive(self) -> Mapping[str, Any] | None:
        line = await self._line()
        try:
            message = raw.parse(line)
        except ValueError:
            message = None
        if not isinstance(message, raw.Object) or "jsonrpc" not in message:
            self._keep(line)
            return None
        if "method" in message and "id" in message:
            await self._decline(message)
        return message

    async def _line(self) -> bytes:
        try:
            return await self._lines.receive_until(b"\n", LARGEST)
        except anyio.DelimiterNotFound:
            raise Unreadable(f"The server wrote a line of more than {LARGEST // 1024**2} MiB.") from None
        except (anyio.IncompleteRead, anyio.EndOfStream, anyio.BrokenResourceError):
            raise await self._ended() from None

    def _keep(self, line: bytes) -> None:
        text = line.decode("utf-8", "replace").strip()
        if text and len(self.stray) < STRAY_LINES:
            when = "after an answer" if self._answered else "at start"
            self.stray.append(f"{when}: {text[:200]}")

    async def _decline(self, request: Mapping[str, Any]) -> None:
        """Answer a request of the server's: a ping gets its answer, anything else a no."""
        ping = request["method"] == "ping"
        no = {"code": NO_SUCH_METHOD, "message": "This client only looks."}
        body: dict[str, Any] = {"result": {}} if ping else {"error": no}
        await self._send({"jsonrpc": "2.0", "id": request["id"], **body})

    async def _ended(self) -> Gone:
        with anyio.move_on_after(PATIENCE):
            await self._process.wait()
        code = self._process.returncode
        how = "closed its stdout" if code is None else f"ended with exit code {code}"
        return Gone(f"The server {how} before it answered.{quoted_words(self.last_words())}")

    def last_words(self) -> list[str]:
        """Return the last lines of stderr: what a server that fails says about it."""
        self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, self._errors.tell() - 4000))
        lines = self._errors.read().decode("utf-8", "replace").splitlines()
        telling = [harmless(line).rstrip(" |+-") for line in lines if any(char.isalpha() for char in line)]
        last = telling[-LAST_LINES:]
        named = [line for line in telling if _ERROR.match(line)]
        if named and named[-1] not in last:  # JavaScript names the error first, and then where it was
            last = [named[-1], *last[1:]]
        return [line[:300] for line in last]

    async def aclose(self) -> None:
        """End the server: ask by closing its stdin, then make it, with all processes it started."""
        with anyio.CancelScope(shield=True):
            if self._process.stdin is not None:
                with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
                    await self._process.stdin.aclose()
            with anyio.move_on_after(PATIENCE):
                await self._process.wait()
            for how in (signal.SIGTERM, signal.SIGKILL) if sys.platform != "win32" else (signal.SIGTERM,):
                self._signal(how)
                with anyio.move_on_after(PATIENCE):
                    await self._process.wait()
                    break
            if sys.platform != "win32":
                self._signal(signal.SIGKILL)  # what the server started and left behind
            await to_thread.run_sync(end_marked, self.mark)
            await self._process.aclose()
            self._errors.close()

    def _signal(self, how: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self._process.terminate()
            else:
                os.killpg(self._process.pid, how)


async def start(command: Command) -> Pipes:
    """Start a server."""
    errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the wire)
    mark = token_hex(8)
    try:
        process = await anyio.open_process(
            list(command.argv),
            stderr=errors,
            cwd=command.folder,
            env={**os.environ, **command.environment, MARK: mark},
            start_new_session=True,
        )
    except OSError as error:
        errors.close()
        raise Unreadable(
            f"{command.argv[0]!r} cannot be started: {error.strerror}.", next_step="Check the command and the path."
        ) from None
    return Pipes(process, errors, mark)
