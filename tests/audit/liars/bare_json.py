"""JSON for servers that start in a blink: the part of the standard library's `json` that is written in C, alone.

What `json` adds to it imports regular expressions and enumerations, and thereby takes longer than the whole start of
such a server; hundreds of them are started in a run of the tests.
"""

from __future__ import annotations

from _json import encode_basestring, encode_basestring_ascii, make_encoder, make_scanner

TYPE_CHECKING = False  # as of `typing`, which takes as long again
if TYPE_CHECKING:
    from typing import Any


class _Usual:
    """How `json` reads where nobody says otherwise."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float, parse_int, parse_constant = float, int, float


_scan = make_scanner(_Usual())  # pyright: ignore[reportArgumentType] (its stub asks for the wrong thing)


def loads(text: str | bytes) -> Any:
    """Read one value."""
    whole = (text if isinstance(text, str) else text.decode()).strip()
    try:
        value, end = _scan(whole, 0)
    except StopIteration:
        raise ValueError("no JSON value") from None
    if end != len(whole):
        raise ValueError("more than one JSON value")
    return value


def dumps(value: object, *, ensure_ascii: bool = True) -> str:
    """Write one value."""
    quoted = encode_basestring_ascii if ensure_ascii else encode_basestring
    write = make_encoder({}, _unknown, quoted, None, ": ", ", ", sort_keys=False, skipkeys=False, allow_nan=True)
    return "".join(write(value, 0))


def _unknown(value: object) -> Any:
    raise TypeError(f"{type(value).__name__} is no JSON")
