"""A service's state as facts, from whatever JSON it is told in; and what is worth keeping of several states.

An object leaves a mark at its own path (so that a record that goes is one fact that goes) and a fact per field. A list
of objects is keyed by id where each has one: a record inserted before others does not overwrite them.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any, Final, cast

from aboveboard.audit.facts import ABSENT, Facts, same

KEYS: Final = ("id", "uuid", "key", "slug", "name", "path", "href", "uri")
INDEX: Final = "(full-text index)"
"""The branch of a database's state that follows from its texts."""
DERIVED: Final = ("derived", f"*/{INDEX}")
"""The branches that are bookkeeping by themselves: what a backend calls so, and what a database does on its own."""
_ID: Final = re.compile(
    r"[0-9]+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?=.*[0-9])[0-9a-zA-Z_-]{16,}",
    re.IGNORECASE,
)


class Snapshot:
    """One look at the state; the facts are worked out when they are asked for."""

    def __init__(self, raw: Sequence[tuple[str, Any]], told: Sequence[tuple[str, bytes]] | None = None) -> None:
        """Take what each source said, by the name of the source, and how it said it: bit for bit."""
        self._raw = raw
        self._told = told
        self._facts: dict[str, Any] | None = None

    @property
    def facts(self) -> Facts:
        """The state as facts."""
        if self._facts is None:
            self._facts = {}
            for name, value in self._raw:
                self._facts.update(facts(value, name))
        return self._facts

    def is_the_same_as(self, other: "Snapshot") -> bool:
        """Tell whether two states are the same bit for bit."""
        return self is other or other.was_told(self._told)

    def was_told(self, told: Sequence[tuple[str, bytes]] | None) -> bool:
        """Tell whether this is what the sources said."""
        return told is not None and self._told == told


def facts(value: Any, under: str = "") -> dict[str, Any]:
    """Turn JSON into facts by path."""
    found: dict[str, Any] = {}
    if under or isinstance(value, dict | list):
        _collect(value, under, found)
    else:
        found["state"] = value
    return found


def _collect(value: Any, path: str, found: dict[str, Any]) -> None:
    if type(value) is dict:
        items = cast("dict[str, Any]", value).items()
        mark: Any = {}
    elif type(value) is list and (keys := _keys(cast("list[Any]", value))) is not None:
        items = zip(keys, cast("list[Any]", value), strict=True)
        mark = []
    else:
        found[path or "state"] = value
        return
    if path:
        found[path] = mark
    below = f"{path}/" if path else ""
    for key, inner in items:
        if type(inner) is dict or type(inner) is list:
            _collect(inner, below + key, found)
        else:
            found[below + key] = inner


def _keys(items: list[Any]) -> list[str] | None:
    """Find what tells the objects of a list apart; None where nothing does, and for a list of plain values."""
    if not items or not all(isinstance(item, Mapping) for item in items):
        return None
    for key in KEYS:
        found = [item.get(key) for item in items]
        if all(isinstance(one, str | int) and not isinstance(one, bool) for one in found):
            names = [str(one) for one in found]
            if len(set(names)) == len(names):
                return names
    return None


def moved_paths(one: Facts, other: Facts) -> list[str]:
    """Return the paths at which two states differ."""
    if one is other:
        return []
    return [path for path in {**one, **other} if not same(one.get(path, ABSENT), other.get(path, ABSENT))]


def keep_paths(state: Facts, paths: Collection[str]) -> dict[str, Any]:
    """Keep only some paths of a state."""
    return {path: state[path] for path in sorted(paths) if path in state}


def copied_texts(before: Facts, after: Facts, arguments: Mapping[str, Any]) -> list[str]:
    """Return the texts that grew around the old one, where an argument contains the old one itself."""
    given = list(_texts(arguments))
    grown = [(path, old) for path, old in before.items() if isinstance(old, str) and old and path in after]
    return [path for path, old in grown if after[path] != old and any(old in one for one in given)]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    inner = cast("Mapping[str, Any]", value).values() if isinstance(value, Mapping) else value
    for one in cast("list[Any]", inner) if isinstance(value, Mapping | list) else ():
        yield from _texts(one)


def without_ids(path: str) -> str:
    """Write a path without its ids: `notes/7/views` and `notes/8/views` are both `notes/*/views`."""
    return "/".join("*" if _ID.fullmatch(part) else part for part in path.split("/"))


def is_covered(path: str, patterns: Collection[str]) -> bool:
    """Tell whether a path is one of those that patterns mean, or lies below one."""
    return any(_pattern(one).match(path) for one in patterns)


@lru_cache(maxsize=1024)
def _pattern(glob: str) -> re.Pattern[str]:
    """Read a glob: `*` is any part of one name, `**` any number of names."""
    pieces = re.split(r"(\*\*/?|\*|\?)", glob)
    meaning = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(meaning.get(one, re.escape(one)) for one in pieces) + r"(?:/.*)?\Z", re.DOTALL)


def canonical_bytes(value: Any) -> bytes:
    """Write a value as bytes that are equal exactly for equal values."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogatepass")


def is_chosen(name: str, globs: Collection[str]) -> bool:
    """Tell whether a name is one of those asked for; none means all."""
    return not globs or any(fnmatchcase(name, one) for one in globs)
