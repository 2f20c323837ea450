"""Credentials at rest: sealed with AES-256-GCM, each tied to the one row that it belongs to.

The keys are a file of lines `id:base64`, outside the store. The first seals, all open: a new first line begins a
rotation, `aboveboard people rekey` ends it, and then the old line can go.
"""

import base64
import binascii
import json
import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from aboveboard.errors import BadInput

NONCE: Final = 12
LENGTH: Final = 32
SHAPE: Final = "a line is an id of up to 16 letters or digits, a colon, and 32 bytes in base64"


class Unreadable(Exception):
    """It was sealed with a key that is gone, or for another row, or it was changed."""


class Keys:
    """The keys of one deployment."""

    def __init__(self, keys: Mapping[str, bytes]) -> None:
        self._keys = {name: AESGCM(key) for name, key in keys.items()}
        self.first = next(iter(keys))

    @classmethod
    def read(cls, file: Path) -> "Keys":
        """Read the key file; where there is none, make one that only its owner can read."""
        try:
            if not file.exists():
                _make(file)
            lines = file.read_text(encoding="ascii").split()
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"The keys in {str(file)!r} cannot be read: {error}.") from None
        parsed = [_parsed(line, file) for line in lines]
        keys = dict(parsed)
        if len(keys) < len(parsed):
            raise BadInput(f"{str(file)!r} (ABOVEBOARD_STORE_KEYS) has two keys of the same id: give each its own.")
        if not keys:
            raise BadInput(f"{str(file)!r} (ABOVEBOARD_STORE_KEYS) holds no key: {SHAPE}.")
        return cls(keys)

    def seal(self, values: Mapping[str, Any], about: str) -> bytes:
        """Seal what only the row of this id may be opened with."""
        nonce, name = os.urandom(NONCE), self.first.encode()
        sealed = self._keys[self.first].encrypt(nonce, json.dumps(values).encode(), about.encode())
        return bytes([len(name)]) + name + nonce + sealed

    def open(self, sealed: bytes, about: str) -> dict[str, Any]:
        """Open what was sealed for the row of this id."""
        end = 1 + sealed[0] if sealed else 0
        key = self._keys.get(sealed[1:end].decode("ascii", "replace"))
        if key is None:
            raise Unreadable
        try:
            return json.loads(key.decrypt(sealed[end : end + NONCE], sealed[end + NONCE :], about.encode()))
        except (InvalidTag, ValueError):
            raise Unreadable from None

    def is_current(self, sealed: bytes) -> bool:
        """Tell whether it was sealed with the first key."""
        return sealed[1 : 1 + sealed[0]] == self.first.encode()


def new_line() -> str:
    """Make a key, as it stands in the file."""
    return f"k{secrets.token_hex(4)}:{base64.b64encode(secrets.token_bytes(LENGTH)).decode()}"


def _make(file: Path) -> None:
    """Make a key file; of several servers that start at once, one makes it, and nobody sees half of it."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with NamedTemporaryFile("w", dir=file.parent) as new:  # it is its owner's alone from the beginning
        new.write(new_line() + "\n")
        new.flush()
        with suppress(FileExistsError):
            os.link(new.name, file)


def _parsed(line: str, file: Path) -> tuple[str, bytes]:
    name, _, encoded = line.partition(":")
    try:
        key = base64.b64decode(encoded, validate=True)
    except binascii.Error:
        key = b""
    if not (name.isalnum() and len(name) <= 16 and len(key) == LENGTH):
        raise BadInput(f"{str(file)!r} (ABOVEBOARD_STORE_KEYS) has a line that is not a key: {SHAPE}.")
    return name, key
