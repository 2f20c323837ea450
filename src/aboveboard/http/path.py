"""Paths whose parts are data: each is checked and escaped, so an id can never become a route."""

import re
from urllib.parse import quote

from aboveboard.errors import BadInput

_PART = re.compile(r"\{(\w+)(?::(\w+))?\}")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)


class Path(str):
    """An escaped path that remembers the template and the parts it was made from."""

    __slots__ = ("parts", "template")

    template: str
    parts: dict[str, str]


def path(template: str, /, **parts: str) -> Path:
    """Fill a template such as `/api/v1/projects/{project:uuid}/charts/{chart}`.

    A part marked `:uuid` must be one and is written in lower case, so that equal ids compare equal.
    """
    clean: dict[str, str] = {}

    def fill(match: re.Match[str]) -> str:
        name, kind = match.groups()
        clean[name] = uuid(name, parts[name]) if kind == "uuid" else _plain(name, parts[name])
        return quote(clean[name], safe="")

    made = Path(_PART.sub(fill, template))
    made.template, made.parts = template, clean
    return made


def uuid(name: str, value: str) -> str:
    """Return the UUID in lower case, or say which argument is none."""
    if not _UUID.fullmatch(value):
        raise BadInput(f"The {name} {value!r} is not a UUID.", next_step="Use the id that a list tool shows.")
    return value.lower()


def _plain(name: str, value: str) -> str:
    if value in ("", ".", "..") or any(ord(char) < 32 or ord(char) == 127 for char in value):
        raise BadInput(f"{value!r} cannot be the id of a {name}.", next_step="Use the id that a list tool shows.")
    return value
