"""Reads documents in a process of its own: a file that makes its reader crash, or never end, takes nothing else down.

The process stays for the next document. It speaks in frames on its pipes: a name and data in, a text or a reason out.
"""

import contextlib
import struct
import sys
from collections.abc import Callable
from importlib import import_module
from typing import BinaryIO, Final

import anyio
from anyio.abc import Process

from aboveboard.errors import Failure
from aboveboard.search.source import Unreadable

SECONDS: Final = 60.0
MEMORY: Final = 2 << 30
"""Bytes that a reader may take, where the system can hold it to that."""
_HEAD: Final = struct.Struct("<IQ")
_TAIL: Final = struct.Struct("<?Q")


class Extractor:
    """A process that turns documents into text with one function, named as `package.module:function`."""

    def __init__(self, function: str, *, seconds: float = SECONDS) -> None:
        self._function, self._seconds = function, seconds
        self._process: Process | None = None
        self._turn = anyio.Lock()

    async def text(self, name: str, data: bytes) -> str:
        """Read a document; whatever goes wrong with it is a reason not to try again."""
        async with self._turn:
            try:
                with anyio.fail_after(self._seconds):
                    good, answer = await self._asked(name.encode("utf-8", "replace"), data)
            except TimeoutError:
                await self._ended()
                raise Unreadable(f"It took longer than {self._seconds:g} seconds to read.") from None
            except (anyio.BrokenResourceError, anyio.EndOfStream, anyio.ClosedResourceError):
                await self._ended()
                raise Unreadable("It crashed its reader.") from None
            except BaseException:
                await self._ended()  # half of an answer may be on its way
                raise
        if not good:
            raise Unreadable(answer)
        return answer

    async def aclose(self) -> None:
        """End the process."""
        async with self._turn:
            await self._ended()

    async def _asked(self, name: bytes, data: bytes) -> tuple[bool, str]:
        process = self._process = self._process or await self._started()
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the process has no pipes")
        await process.stdin.send(_HEAD.pack(len(name), len(data)) + name + data)
        received = b""
        while len(received) < _TAIL.size:
            received += await process.stdout.receive()
        good, size = _TAIL.unpack_from(received)
        while len(received) < _TAIL.size + size:
            received += await process.stdout.receive()
        return good, received[_TAIL.size :].decode("utf-8", "surrogatepass")

    async def _started(self) -> Process:
        return await anyio.open_process([sys.executable, "-m", __name__, self._function], stderr=None)

    async def _ended(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with anyio.CancelScope(shield=True), contextlib.suppress(ProcessLookupError):
                process.kill()
                await process.aclose()


def _serve(function: Callable[[str, bytes], str], given: BinaryIO, out: BinaryIO) -> None:
    while head := given.read(_HEAD.size):
        named, size = _HEAD.unpack(head)
        name, data = given.read(named).decode(), given.read(size)
        good, text = _tried(function, name, data)
        answer = text.encode("utf-8", "surrogatepass")
        out.write(_TAIL.pack(good, len(answer)) + answer)
        out.flush()


def _tried(function: Callable[[str, bytes], str], name: str, data: bytes) -> tuple[bool, str]:
    try:
        return True, function(name, data)
    except Failure as failure:
        return False, str(failure)
    except Exception as error:  # noqa: BLE001 (what readers raise is whatever a broken file makes them)
        return False, f"It cannot be read ({type(error).__name__})."


def main() -> None:
    """Answer until the pipe is closed."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    module, _, function = sys.argv[1].partition(":")
    out, sys.stdout = sys.stdout.buffer, sys.stderr
    _serve(getattr(import_module(module), function), sys.stdin.buffer, out)


if __name__ == "__main__":
    main()
