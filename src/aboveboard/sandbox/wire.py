"""A response as a sandbox makes it, and a request's body as it comes in."""

import json
from dataclasses import dataclass, field

from starlette.types import Receive

JSON_TYPE = "application/json; charset=utf-8"
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@dataclass
class Response:
    """What goes back: a status, headers in lower case, bytes."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""


class TooLong(Exception):
    """A body is longer than the service takes."""


def to_text(value: object) -> str:
    """JSON without spaces, everything readable as it is."""
    return _ENCODER.encode(value)


def to_json(value: object) -> bytes:
    """The same as bytes; half a surrogate pair becomes a question mark."""
    return as_bytes(to_text(value))


def as_bytes(text: str) -> bytes:
    """A text as it goes over the wire, where half a surrogate pair becomes a question mark."""
    return text.encode("utf-8", "replace")


async def receive_body(receive: Receive, longest: int | None = None) -> bytes:
    """All of a body, or an error as soon as it is too long."""
    chunks: list[bytes] = []
    size, more = 0, True
    while more:
        message = await receive()
        chunks.append(message.get("body", b""))
        size += len(chunks[-1])
        more = message.get("more_body", False)
        if longest is not None and size > longest:
            raise TooLong
    return b"".join(chunks)
