"""Series that take place every few seconds, minutes or hours: counted from near the time that is looked at.

The library counts from the start of a series on, and so needs seconds for what began a year ago and never ends.
"""

from datetime import datetime, timedelta, tzinfo
from typing import Any, Final

from aboveboard.nextcloud.client.calendar.occurrence import length_of

_STEPS: Final = {"SECONDLY": timedelta(seconds=1), "MINUTELY": timedelta(minutes=1), "HOURLY": timedelta(hours=1)}
_MARGIN: Final = timedelta(days=1)
"""How far before the time that is looked at a series may begin: more than any change of the clocks."""
_PLAIN: Final = {"FREQ", "INTERVAL", "COUNT", "WKST"}
"""Parts of a rule with which each step is an occurrence."""


def bring_near(read: Any, component: str, at: datetime, zone: tzinfo) -> None:
    """Let each dense series begin as late as it can without another occurrence from a moment on.

    It steps by the clock of its start, so any number of whole steps later its occurrences are the same. The start
    counts as one whatever the rule says, so it goes only so far that it is over by then.
    """
    for item in read.walk(component):
        rule, start = item.get("RRULE"), item.get("DTSTART")
        step = _step(rule)
        if step is None or start is None or not isinstance(start.dt, datetime):
            continue
        near = at.astimezone(start.dt.tzinfo or zone).replace(tzinfo=start.dt.tzinfo)
        skipped = _left_out(rule, (near - _MARGIN - length_of(item) - start.dt) // step)
        for name in ("DTSTART", "DTEND", "DUE"):
            if item.get(name) is not None:
                item[name].dt += step * skipped


def _step(rule: Any) -> timedelta | None:
    """Return how far a dense series steps; None for every other, and for one of several rules."""
    if rule is None or isinstance(rule, list):
        return None
    unit = _STEPS.get(str(rule.get("FREQ", [""])[0]).upper())
    return unit and unit * int(rule.get("INTERVAL", [1])[0])


def _left_out(rule: Any, steps: int) -> int:
    """Tell how many steps can be left out, and take them off the number of occurrences where the rule has one."""
    if "COUNT" not in rule:
        return max(0, steps)
    if not rule.keys() <= _PLAIN:  # which of the steps count, nobody knows without going through them
        return 0
    count = int(rule["COUNT"][0])
    skipped = max(0, min(steps, count - 1))
    rule["COUNT"] = [count - skipped]
    return skipped
