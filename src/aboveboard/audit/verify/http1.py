"""HTTP/1.1 messages as they pass by: the head is read, the body is handed on untouched."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

LONGEST_HEAD: Final = 256 * 1024
CHUNK: Final = 64 * 1024
HOP: Final = ("connection", "proxy-connection", "keep-alive", "proxy-authorization", "expect")


class Malformed(Exception):
    """What came is no HTTP/1.1."""


@dataclass(frozen=True)
class Head:
    """The first line of a message and its headers."""

    first: str
    headers: Sequence[tuple[str, str]]

    @classmethod
    async def read(cls, reader: asyncio.StreamReader) -> "Head | None":
        """Read a head; None where the other side closed instead."""
        try:
            raw = await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError as error:
            if error.partial.strip():
                raise Malformed("the message ends within its head") from None
            return None
        except asyncio.LimitOverrunError:
            raise Malformed("the head is too long") from None
        first, *lines = raw.decode("latin-1").strip("\r\n").split("\r\n")
        headers = [line.partition(":") for line in lines]
        return cls(first, [(name.strip(), value.strip()) for name, _, value in headers])

    def get(self, name: str) -> str:
        """Return a header; empty where it is missing."""
        return next((value for key, value in self.headers if key.lower() == name), "")

    def without(self, names: Sequence[str]) -> "Head":
        """Leave headers out."""
        return replace(self, headers=[(key, value) for key, value in self.headers if key.lower() not in names])

    def encoded(self) -> bytes:
        """Write the head as it goes over the wire."""
        lines = [self.first, *(f"{key}: {value}" for key, value in self.headers)]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")

    @property
    def closes(self) -> bool:
        """Tell whether the connection ends after this message."""
        return "close" in self.get("connection").lower() or self.first.startswith("HTTP/1.0")


async def hand_on_body(
    head: Head, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, until_close: bool = False
) -> None:
    """Copy a body by the rules of its head: in chunks, by its length, or to the end."""
    if "chunked" in head.get("transfer-encoding").lower():
        await _chunks(reader, writer)
    elif length := head.get("content-length"):
        await _exactly(int(length), reader, writer)
    elif until_close:
        while data := await reader.read(CHUNK):
            writer.write(data)
            await writer.drain()
    await writer.drain()


async def _chunks(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while True:
        line = await reader.readuntil(b"\r\n")
        writer.write(line)
        size = int(line.partition(b";")[0].strip() or b"0", 16)
        if not size:
            break
        await _exactly(size + 2, reader, writer)
    while True:
        line = await reader.readuntil(b"\r\n")  # trailers, and the empty line that ends them
        writer.write(line)
        if line == b"\r\n":
            return


async def _exactly(size: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while size:
        data = await reader.read(min(size, CHUNK))
        if not data:
            raise Malformed("the body ends too early")
        writer.write(data)
        await writer.drain()
        size -= len(data)


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Copy bytes until one side closes."""
    try:
        while data := await reader.read(CHUNK):
            writer.write(data)
            await writer.drain()
    except OSError:
        return
    finally:
        writer.close()
