"""What events and tasks are called: which of a calendar have a title."""

import re
from typing import Final

from aboveboard.naming import Candidate
from aboveboard.nextcloud.client.calendar.objects import Objects, Stored
from aboveboard.nextcloud.client.calendar.occurrence import main_of, parse_calendar
from aboveboard.nextcloud.client.xml import element

_PLAIN: Final = re.compile(r"[^ -~]+|[,;\\]")


async def find_by_title(objects: Objects, calendar: str, title: str, component: str) -> list[Candidate[str]]:
    """Find what may have a title: servers compare only a part of it. What has it as its uid is meant before all."""
    match = element("cal:text-match", _plain_part(title), collation="i;ascii-casemap")
    wanted = element("cal:prop-filter", [match], name="SUMMARY")
    found = await objects.query(calendar, component, properties=[wanted])
    if not found or await objects.with_uid(calendar, title, component) is not None:
        return [Candidate(title, [title])]
    return [_candidate(one, component) for one in found]


def _plain_part(title: str) -> str:
    """Return the longest part of a title that servers find whatever its case, and however they write it.

    Commas are written in several ways, and only of ASCII does every server know the capitals.
    """
    return max((part.strip() for part in _PLAIN.split(title)), key=len) or title.strip()


def _candidate(stored: Stored, component: str) -> Candidate[str]:
    """Name an event or task by its title and its time; of a series, by what its occurrences have in common."""
    item = main_of(parse_calendar(stored.data), component)
    times = [item[name].dt.isoformat() for name in ("DUE", "DTSTART") if name in item]
    return Candidate(str(item.get("UID", "")), [str(item.get("SUMMARY", "")), *times[:1]])
