"""The network of a server's own: what it sends comes by, and what would leave is seen, whichever client it uses."""

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from aboveboard.audit.verify import closed_in
from aboveboard.audit.verify.http1 import pump
from aboveboard.audit.verify.recorder import REFUSED
from aboveboard.audit.verify.request_log import Destination, RequestLog

_FOLDER: Final = str(Path(closed_in.__file__).parent)
_START: Final = "import sys; sys.path.append(sys.argv.pop(1)); import closed_in; closed_in.main()"
PROGRAM: Final = (sys.executable, "-I", "-S", "-c", _START, _FOLDER)
"""What starts it; imported, it need not be compiled each time."""
PATIENCE: Final = 5.0
DOOR: Final = "door"
"""The socket through which a server is connected; it lies in the run's own folder."""
LONGEST_PLACE: Final = 100
"""How long the path of such a socket may be."""


@lru_cache
def forbidden() -> str:
    """Say why a server cannot have a network of its own here; empty where it can."""
    if sys.platform != "linux":
        return "only Linux can give a server a network of its own"
    try:
        done = subprocess.run(  # noqa: S603 (our own program)
            [*PROGRAM, "", "", "--"], capture_output=True, timeout=PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return "a network of its own cannot be made here"
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    why = said[-1] if said else "no reason given"
    return f"a network of its own is not permitted here ({why})" if done.returncode else ""


class Seal:
    """The outer side of such a network: it connects what may be connected, and writes down what tried to leave."""

    def __init__(self, folder: str, log: RequestLog, ports: Mapping[int, int]) -> None:
        """Take the ports that the server finds, and where each of them leads outside."""
        self._place, self._log, self._ports = str(Path(folder) / DOOR), log, ports
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self._porter: asyncio.StreamWriter | None = None
        self._told = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_unix_server(self._accept, self._place)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def around(self, command: list[str], path: str | None) -> list[str]:
        """Return the command that runs another one in there; one that is not found is left to say so itself."""
        if "/" not in command[0] and shutil.which(command[0], path=path) is None:
            return command
        ports = ",".join(map(str, self._ports))
        return [*PROGRAM, self._place, ports, "--", *command]

    async def flush(self) -> None:
        """Wait until everything that tried to leave so far is written down."""
        if self._porter is None or self._porter.is_closing():
            return
        self._told.clear()
        with suppress(OSError, TimeoutError):
            self._porter.write(b"?")
            async with asyncio.timeout(PATIENCE):
                await self._told.wait()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._connection(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(OSError, ValueError, asyncio.IncompleteReadError):
                purpose, _, port = (await reader.readline()).decode().strip().partition(" ")
                if purpose == "control":
                    await self._listen(reader, writer)
                elif int(port) in self._ports:
                    await self._connect(self._ports[int(port)], reader, writer)
        finally:
            writer.close()

    async def _connect(self, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer))
        finally:
            far_writer.close()

    async def _listen(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._porter = writer
        while line := (await reader.readline()).decode().strip():
            if line == ".":
                self._told.set()
                continue
            method, host, port = line.split(" ")
            goal = Destination(host, int(port), tls=False, path="", upstream=False)
            self._log.end(self._log.begin(method, goal), REFUSED)
        if self._porter is writer:
            self._porter = None
            self._told.set()
