"""What every way of reaching a server has in common: one request, one raw answer, within bounds."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from aboveboard.errors import Failure

LARGEST: Final = 32 * 1024 * 1024
"""The longest answer that is read, in bytes."""


class Unreadable(Failure):
    """The target could not be read, so nothing can be said of its tools."""


class Gone(Unreadable):
    """The server ended, or closed the connection, before it answered."""


def settles(message: Mapping[str, Any], request: Mapping[str, Any]) -> bool:
    """Tell whether a message is the answer to a request.

    An error without an id of ours is, since only one request is ever open: mcp 1.x names its own "server-error".
    """
    if "method" in message:
        return False
    return message.get("id") == request["id"] or ("error" in message and not isinstance(message.get("id"), int))


def quoted_words(words: Sequence[str]) -> str:
    """Write a server's own words behind a sentence: one beside it, several below."""
    if len(words) > 1:
        return " It said:\n" + "\n".join(words)
    return f" It said: {words[0].strip()}" if words else ""


def harmless(text: str) -> str:
    """Return a text without colours and control characters: a server's words must not steer the terminal."""
    bare = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text)
    return "".join(char for char in bare if char == "\t" or unicodedata.category(char) != "Cc")


class Wire(Protocol):
    """A connection to a server that shows what it really sends."""

    stray: list[str]
    """What came on stdout that was no JSON-RPC."""
    headers: dict[str, str]
    """What HTTP requests carry; a pipe has no use for it."""

    async def exchange(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        """Send a request and return the whole answer to it, as it stood on the wire."""
        ...

    async def notify(self, message: Mapping[str, Any]) -> None:
        """Send a message that gets no answer."""
        ...

    def last_words(self) -> Sequence[str]:
        """Return what the server wrote beside the protocol, at its end; nothing over HTTP."""
        ...

    async def aclose(self) -> None:
        """End the connection, and with it all that was started for it."""
        ...
