"""ETags: the version of a thing. Results show them bare; Nextcloud wants them in quotes, and strong."""

import re
from typing import Final

from aboveboard.errors import BadInput, Conflict

_MARKS: Final = re.compile(r"(.+)~(\d+)-(\d+)-(\d+)-([0-9a-f]{16})")
"""The ETag of what was read just after it was written, with the size of the file and the start, length and hash."""


def bare(etag: str | None) -> str | None:
    """Return an ETag as results show it."""
    return (etag or "").strip().removeprefix("W/").strip('"') or None


def quote_etag(etag: str) -> str:
    """Return an ETag as a condition needs it, whether or not it was given in quotes."""
    value = marks_of(etag)[0]
    if value is None or value == "*" or '"' in value or " " in value or not (value.isascii() and value.isprintable()):
        raise BadInput(f"{etag!r} is not an ETag.", next_step="Use the etag that reading it shows.")
    return f'"{value}"'


def marks_of(etag: str) -> tuple[str | None, tuple[int, int, int, str] | None]:
    """Part an ETag into Nextcloud's own and what it is marked with: size, start, length and hash."""
    found = _MARKS.fullmatch(bare(etag) or "")
    if found is None:
        return bare(etag), None
    own, size, start, length, digest = found.groups()
    return own, (int(size), int(start), int(length), digest)


def stale(what: str, now: str | None = None) -> Conflict:
    """Say that a guarded write was refused."""
    version = f" (its etag is now {now})" if now else ""
    return Conflict(f"{what} is not what the etag says: it changed{version}. Nothing was written.", status=412)
