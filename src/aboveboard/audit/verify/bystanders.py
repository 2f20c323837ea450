"""What only moves along with a write: sequences and sums that follow added records, times of change, and containers.

Recognised by what the values do, and by a name alone only where a person is asked: a counter that grows by one while
nothing is added may be anything.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, Final

from aboveboard.audit.facts import ABSENT, EMPTY, Facts, above, same
from aboveboard.audit.verify.state import without_ids

NEAR: Final = 300.0
"""Seconds: a time this close to the call is the time of the call."""
_BY_NAME: Final = re.compile(
    r"(^|[_-])(views?|hits|reads|seen|visits|accessed|last[_-]\w+|\w+[_-]at|updated|modified|mtime|etag|rev|revision"
    r"|version|counter|counts?|caches?|cached|index|logs?|history|audit)([_-]|$)",
    re.IGNORECASE,
)


def moved_along(states: Sequence[Facts], arguments: Mapping[str, Any], at: float) -> list[str]:
    """Return the paths that moved along in every step in which they moved.

    A time needs something to move along with, unless it is called the time of a change: a date that is set to now by a
    call that does nothing else was overwritten.
    """
    excused: set[str] = set()
    guilty: set[str] = set()
    times: set[str] = set()
    for before, after in pairwise(states):
        changed = [path for path in {**before, **after} if not same(before.get(path, ABSENT), after.get(path, ABSENT))]
        now = {path for path in changed if _tells_the_call(path, before, after, arguments, at)}
        along = now | {path for path in changed if _follows(path, before, after, arguments)}
        along |= {path for path in changed if _points_to_the_newest(path, before, after)}
        times |= now
        excused |= along
        guilty |= set(changed) - along
    if not (excused | guilty) - times:
        excused = {path for path in excused if _named_as_bookkeeping(path.rpartition("/")[2])}
    return sorted(excused - guilty)


def _tells_the_call(path: str, before: Facts, after: Facts, arguments: Mapping[str, Any], at: float) -> bool:
    """Tell whether a time moved on to the time of the call, and not because an argument says so."""
    if path not in before or path not in after or any(same(after[path], one) for one in arguments.values()):
        return False
    return _is_time_of(after[path], at) and _is_earlier(before[path], after[path])


def _follows(path: str, before: Facts, after: Facts, arguments: Mapping[str, Any]) -> bool:
    """Tell whether a number follows the records that were added."""
    old: Any = before.get(path)
    new: Any = after.get(path)
    if path not in before or path not in after or any(same(new, one) for one in arguments.values()):
        return False
    if not _is_number(old) or not _is_number(new):
        return False
    by = float(new - old)
    came = _records_that_came(before, after)
    ids = [part for part, general in zip(path.split("/"), without_ids(path).split("/"), strict=True) if general == "*"]
    if not ids:
        return _counts(by, came.values()) or _names_the_newest(new, came)
    # Within a record a number may be anything, such as a position: it follows only what refers to this record.
    return _counts(by, [rest for record in came.values() if (rest := _without(ids[-1], record))])


def _points_to_the_newest(path: str, before: Facts, after: Facts) -> bool:
    """Tell whether a text outside of any record, such as `last_id`, names the record that was added."""
    old: Any = before.get(path)
    new: Any = after.get(path)
    if not isinstance(old, str) or not isinstance(new, str) or path != without_ids(path) or without_ids(new) != "*":
        return False
    return any(record.rpartition("/")[2] == new for record in _records_that_came(before, after))


def _records_that_came(before: Facts, after: Facts) -> dict[str, list[Any]]:
    """Return what was added: each record by its path, with its values."""
    added = [path for path in after if path not in before]
    records = [path for path in added if path.rpartition("/")[0] not in added]
    return {
        record: [after[path] for path in added if path == record or path.startswith(f"{record}/")] for record in records
    }


def _without(name: str, record: list[Any]) -> list[Any]:
    """Return the values of a record besides its reference to another one; nothing where it has none."""
    rest = [value for value in record if str(value) != name]
    return rest if len(rest) < len(record) else []


def _counts(by: float, records: Collection[list[Any]]) -> bool:
    """Tell whether a number moved by as many records, or by such amounts, as were added."""
    numbers = {abs(value) for record in records for value in record if _is_number(value)}
    return bool(records) and (by == len(records) or abs(by) in numbers - {0})


def _names_the_newest(new: Any, came: Collection[str]) -> bool:
    """Tell whether a number is the last id, or the next one."""
    ids = {int(last) for path in came if (last := path.rpartition("/")[2]).isdecimal()}
    return new in ids or new - 1 in ids


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
    inside: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths:
        for container in above(path):
            inside[container].append(path)
    for path in [path for path in paths if path in inside]:
        bare = all(path not in state or any(same(state[path], one) for one in EMPTY) for state in states)
        moves = any(not same(one.get(path, ABSENT), states[0].get(path, ABSENT)) for one in states)
        if moves and bare and known.issuperset(inside[path]):
            known.add(path)
    return sorted(known)


def line_to_paste(paths: Sequence[str]) -> str:
    """Write the line of a plan that would leave some facts out, where their names say that this may be right."""
    globs = list(dict.fromkeys(without_ids(path) for path in paths))
    named = [one for one in globs if any(map(_named_as_bookkeeping, one.split("/")))]
    if not globs or len(named) < len(globs):
        return ""
    listed = ", ".join(f'"{one}"' for one in globs[:4])
    return f"; if that is bookkeeping here, say so: bookkeeping: [{listed}]"


def _named_as_bookkeeping(name: str) -> bool:
    """Tell whether a name suggests bookkeeping, as `updated_at` and `updatedAt` do."""
    return _BY_NAME.search(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)) is not None
