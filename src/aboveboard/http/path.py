"""Paths whose parts are data: each is checked and escaped, so an id can never become a route."""

import re
from unicodedata import category
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

    A part marked `:uuid` must be one and is written in lower case, so that equal ids compare equal. One marked
    `:path` may hold slashes, and be empty: each name in it is checked and escaped.
    """
    clean: dict[str, str] = {}

    def fill(match: re.Match[str]) -> str:
        name, kind = match.groups()
        if kind == "path":
            clean[name] = "/".join(names(parts[name]))
            return quote(clean[name], safe="/")
        clean[name] = uuid(name, parts[name]) if kind == "uuid" else _plain(name, parts[name])
        return quote(clean[name], safe="")

    made = Path(_PART.sub(fill, template))
    made.template, made.parts = template, clean
    return made


def is_uuid(value: str) -> bool:
    """Tell whether a text is a UUID in its usual form."""
    return _UUID.fullmatch(value) is not None


def uuid(name: str, value: str) -> str:
    """Return the UUID in lower case, or say which argument is none."""
    if not is_uuid(value):
        raise BadInput(f"The {name} {value!r} is not a UUID.", next_step="Use the id that a list tool shows.")
    return value.lower()


def names(value: str) -> list[str]:
    """Return the names that a path is made of; slashes around it mean nothing."""
    found = value.strip("/").split("/") if value.strip("/") else []
    for name in found:
        if name in ("", ".", "..") or _unsendable(name):
            raise BadInput(
                f"The path {value!r} cannot be used: {name!r} is not a name.",
                next_step="Give a path from the top, such as Documents/plan.md.",
            )
    return found


def _unsendable(value: str) -> bool:
    # Control characters, and halves of characters, which no encoding can send.
    return any(category(char) in ("Cc", "Cs") for char in value)


def _plain(name: str, value: str) -> str:
    if value in ("", ".", "..") or _unsendable(value):
        raise BadInput(f"{value!r} cannot be the id of a {name}.", next_step="Use the id that a list tool shows.")
    return value
