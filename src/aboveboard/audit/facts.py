"""A service's state as facts (path to value), and what it means that one of them changed.

*Additive*: everything that was there is still there. Filling an empty place is additive, and so is a list that gained
an element or a text that grew around the old one. A value that was replaced, cleared or removed is *lost*.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

Facts = Mapping[str, Any]


class Absent:
    """The value of a fact that is not there; null is a value of its own."""

    def __repr__(self) -> str:
        return "absent"


ABSENT: Final = Absent()
_GRAVE: Final = re.compile(
    r"(is_?|in_?|soft_?)?(deleted|removed|trashed|trash|erased)(_?(at|on|by|date|time))?", re.IGNORECASE
)
"""What a record's field is called that says it is deleted, though it is still there: filling it loses the record."""
EMPTY: Final[tuple[Any, ...]] = (None, False, "", [], {})


@dataclass(frozen=True)
class Change:
    """One fact before and after."""

    path: str
    before: Any
    after: Any
    buries: bool = False
    """Whether it marks the record in which it stands as deleted."""

    @property
    def loses(self) -> bool:
        """Tell whether something that was there is gone, or counts as gone from now on."""
        return self.buries or not grew(self.before, self.after)

    @property
    def kept(self) -> bool:
        """Tell whether there was something to lose, and it is seen to be all there.

        A text that grew is no proof: another one that was put in its place may happen to contain it.
        """
        empty = any(same(self.before, one) for one in EMPTY)
        return isinstance(self.before, list | dict) and not empty and not self.loses

    def __str__(self) -> str:
        if self.before is ABSENT:
            return f"{self.path} appeared"
        if self.after is ABSENT:
            return f"{self.path} is gone"
        return f"{self.path}: {_short(self.before)} became {_short(self.after)}"


SHOWN: Final = 3


def describe_changes(found: Sequence[Change], shown: int = SHOWN) -> str:
    """Name changes in a sentence; a fact that changed twice is named once, from its first value to its last."""
    merged: dict[str, Change] = {}
    for one in found:
        first = merged.get(one.path)
        whole = one if first is None else Change(one.path, first.before, one.after)
        # What was undone again did change: its first change tells more than none.
        merged[one.path] = first if first is not None and same(whole.before, whole.after) else whole
    named = [str(one) for one in merged.values()]
    rest = f" and {len(named) - shown} more" if len(named) > shown else ""
    return "; ".join(named[:shown]) + rest


def changes(before: Facts, after: Facts, *, without: Collection[str] = ()) -> list[Change]:
    """Compare two states, leaving out paths (or whole branches) that do not count."""
    return list(_changes(before, after, without))


def _changes(before: Facts, after: Facts, without: Collection[str]) -> Iterator[Change]:
    ignored = set(without)
    for path in sorted({*before, *after}):
        if ignored and not ignored.isdisjoint(itself_and_above(path)):
            continue
        old, new = before.get(path, ABSENT), after.get(path, ABSENT)
        if not same(old, new):
            parent, _, name = path.rpartition("/")
            added = not parent or (parent in after and parent not in before)
            yield Change(path, old, new, buries=not added and _GRAVE.fullmatch(name) is not None and _set(old, new))


def _set(old: Any, new: Any) -> bool:
    """Tell whether a mark was put where none was."""
    bare = old is ABSENT or any(same(old, empty) for empty in EMPTY)
    return bare and new is not ABSENT and not isinstance(new, list | dict) and bool(new)


def itself_and_above(path: str) -> Iterator[str]:
    """Go through a path and every path that it lies below."""
    while path:
        yield path
        path = path.rpartition("/")[0]


def above(path: str) -> Iterator[str]:
    """Go through every path that a path lies below."""
    return itself_and_above(path.rpartition("/")[0])


_PLAIN: Final = frozenset({str, int, bool, float, type(None)})


def same(one: Any, other: Any) -> bool:
    """Compare two values as JSON does, where true is not 1."""
    if type(one) in _PLAIN:  # nearly all there is: states are compared value by value
        return type(one) is type(other) and one == other
    if _is_container(one) and _is_container(other):
        if not one and not other:
            return type(one) is type(other)
        return _canonical(one) == _canonical(other)
    return type(one) is type(other) and bool(one == other)


def _is_container(value: Any) -> bool:
    return isinstance(value, list | dict)


def grew(before: Any, after: Any) -> bool:
    """Tell whether all of the old value is still in the new one."""
    if before is ABSENT or any(same(before, empty) for empty in EMPTY) or same(before, after):
        return after is not ABSENT or before is ABSENT
    if isinstance(before, str) and isinstance(after, str):
        return _text_grew(before, after)
    if isinstance(before, list) and isinstance(after, list):
        return not Counter(map(_canonical, before)) - Counter(map(_canonical, after))  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(before, dict) and isinstance(after, dict):
        return all(key in after and grew(value, after[key]) for key, value in before.items())  # pyright: ignore[reportUnknownArgumentType,reportUnknownVariableType]
    return False


def _text_grew(before: str, after: str) -> bool:
    """A text may grow in any way; a single word must stay a word, as "active" is not part of "inactive"."""
    if " " in before or "\n" in before:
        return before in after
    return re.search(rf"(?<!\w){re.escape(before)}(?!\w)", after) is not None


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=repr)


def _short(value: Any) -> str:
    text = _canonical(value)
    return text if len(text) <= 40 else text[:39] + "…"
