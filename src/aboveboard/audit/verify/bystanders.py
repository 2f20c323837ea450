"""What only moves along with a write: sequences and sums that follow added records, times of change, and containers.

Recognised by what the values do, and by a name alone only where a person is asked: a counter that grows by one while
nothing is added may be anything.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, Final

from aboveboard.audit.facts import ABSENT, EMPTY, Facts, same
from aboveboard.audit.verify.state import without_ids

NEAR: Final = 300.0
"""Seconds: a time this close to the call is the time of the call."""
_BY_NAME: Final = re.compile(
    r"(^|[_-])(views?|hits|reads|seen|visits|accessed|last[_-]\w+|\w+[_-]at|updated|modified|mtime|etag|rev|revision"
    r"|version|counter|counts?|caches?|cached|index|logs?|history|audit)([_-]|$)",
    re.IGNORECASE,
)


def moved_along(states: Sequence[Facts], arguments: Mapping[str, Any], at: float) -> list[str]:
    """Return the paths that moved along in every step in which they moved."""
    excused: set[str] = set()
    guilty: set[str] = set()
    for before, after in pairwise(states):
        changed = [path for path in {**before, **after} if not same(before.get(path, ABSENT), after.get(path, ABSENT))]
        along = {path for path in changed if _follows(path, before, after, arguments, at)}
        excused |= along
        guilty |= set(changed) - along
    return sorted(excused - guilty)


def _follows(path: str, before: Facts, after: Facts, arguments: Mapping[str, Any], at: float) -> bool:
    old, new = before.get(path), after.get(path)
    if path not in before or path not in after or any(same(new, one) for one in arguments.values()):
        return False
    if _is_time_of(new, at) and _is_earlier(old, new):
        return True
    # Within a record a number may be anything, such as a position; only those of the whole follow what was added.
    of_the_whole = without_ids(path) == path
    return of_the_whole and _is_number(old) and _is_number(new) and _counts_what_came(old, new, before, after)


def _counts_what_came(old: Any, new: Any, before: Facts, after: Facts) -> bool:
    """Tell whether a number moved by as many records, or by such amounts, as were added; or names the newest."""
    added = [path for path in after if path not in before]
    records = [path for path in added if path.rpartition("/")[0] not in added]
    numbers = {abs(after[path]) for path in added if _is_number(after[path])}
    ids = {int(last) for path in records if (last := path.rpartition("/")[2]).isdecimal()}
    by = new - old
    return bool(records) and (by == len(records) or abs(by) in numbers - {0} or new in ids or new - 1 in ids)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _moment(value: Any) -> float | None:
    """Read a time: seconds or milliseconds since 1970, or a text of ISO 8601."""
    if _is_number(value):
        return value / 1000 if value > 1e11 else float(value)
    if not isinstance(value, str) or not re.match(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d", value):
        return None
    try:
        told = datetime.fromisoformat(value)
    except ValueError:
        return None
    return (told if told.tzinfo else told.replace(tzinfo=UTC)).timestamp()


def _is_time_of(value: Any, at: float) -> bool:
    told = _moment(value)
    return told is not None and abs(told - at) <= NEAR


def _is_earlier(old: Any, new: Any) -> bool:
    first, second = _moment(old), _moment(new)
    return first is not None and second is not None and first <= second


def with_containers(derived: Collection[str], states: Sequence[Facts]) -> list[str]:
    """Add to what is bookkeeping the containers that came, or went, with nothing but bookkeeping inside."""
    known = set(derived)
    paths = sorted({path for state in states for path in state}, reverse=True)
    for path in paths:
        inside = [one for one in paths if one.startswith(f"{path}/")]
        bare = all(path not in state or any(same(state[path], one) for one in EMPTY) for state in states)
        moves = any(not same(one.get(path, ABSENT), states[0].get(path, ABSENT)) for one in states)
        if inside and moves and bare and known.issuperset(inside):
            known.add(path)
    return sorted(known)


def line_to_paste(paths: Sequence[str]) -> str:
    """Write the line of a plan that would leave some facts out, where their names say that this may be right."""
    globs = list(dict.fromkeys(without_ids(path) for path in paths))
    named = [one for one in globs if any(_BY_NAME.search(part) for part in one.split("/"))]
    if not globs or len(named) < len(globs):
        return ""
    listed = ", ".join(f'"{one}"' for one in globs[:4])
    return f"; if that is bookkeeping here, say so: bookkeeping: [{listed}]"
