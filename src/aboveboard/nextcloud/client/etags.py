"""ETags: the version of a thing. Results show them bare; Nextcloud wants them in quotes, and strong."""

from aboveboard.errors import BadInput, Conflict


def bare(etag: str | None) -> str | None:
    """Return an ETag as results show it."""
    return (etag or "").strip().removeprefix("W/").strip('"') or None


def quoted(etag: str) -> str:
    """Return an ETag as a condition needs it, whether or not it was given in quotes."""
    value = bare(etag)
    if value is None or value == "*" or '"' in value or " " in value or not (value.isascii() and value.isprintable()):
        raise BadInput(f"{etag!r} is no ETag.", next_step="Use the etag that reading it shows.")
    return f'"{value}"'


def stale(what: str, now: str | None = None) -> Conflict:
    """Say that a guarded write was refused."""
    version = f" (its etag is now {now})" if now else ""
    return Conflict(f"{what} is not what the etag says: it changed{version}. Nothing was written.", status=412)
