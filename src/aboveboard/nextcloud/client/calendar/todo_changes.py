"""Changes to a task, in its text.

Nextcloud keeps a task as it is sent, and makes nothing consistent. So what is said of its progress in three places
(status, percentage, when it was completed) is kept in step here, as the Tasks app does.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, tzinfo
from typing import Final, cast

from aboveboard.errors import BadInput
from aboveboard.nextcloud.client.calendar.alarms import Reminder, put_reminders
from aboveboard.nextcloud.client.calendar.editing import Component, Document, Raw
from aboveboard.nextcloud.client.calendar.fields import Fields
from aboveboard.nextcloud.client.calendar.occurrence import parse_calendar
from aboveboard.nextcloud.client.calendar.recurrence import read_rule
from aboveboard.nextcloud.client.calendar.series import fitting, master
from aboveboard.nextcloud.client.calendar.times import instant, put_time, read_when, utc_text
from aboveboard.nextcloud.client.calendar.timing import follow
from aboveboard.nextcloud.client.content_lines import Line

TODO: Final = "VTODO"


@dataclass(frozen=True, kw_only=True)
class TodoChanges:
    """What is to be set of a task: None leaves it as it is, an empty text takes it away."""

    fields: Fields = field(default_factory=Fields)
    percent: int | None = None
    start: str | None = None
    due: str | None = None
    completed: str | None = None
    rule: str | None = None
    parent: str | None = None
    reminders: Sequence[Reminder] | None = None


def apply(document: Document, changes: TodoChanges, zone: tzinfo, mail: str | None) -> bool:
    """Set what is given; tell whether a zone had to be assumed."""
    item = master(document, TODO)
    assumed = _set_times(document, item, changes, zone)
    changes.fields.apply(item)
    if changes.rule is not None:
        _put_rule(document, item, changes.rule, zone)
    if changes.parent is not None:
        _put_parent(item, changes.parent)
    if changes.reminders is not None:
        put_reminders(item, list(changes.reminders), zone, mail)
    _set_progress(item, changes, zone)
    return assumed


def _set_times(document: Document, item: Component, changes: TodoChanges, zone: tzinfo) -> bool:
    assumed = False
    repeats = changes.rule or (changes.rule is None and item.lines("RRULE", "RDATE"))
    clock = _clock(document, item, zone) if repeats else None
    anchor = "DTSTART" if item.first("DTSTART") else "DUE"
    first = _time_of(document, item, anchor)
    for name, text in (("DTSTART", changes.start), ("DUE", changes.due)):
        if text == "":
            item.remove(name)
        elif text is not None:
            when = read_when(text, zone, what="start" if name == "DTSTART" else "due date")
            value = _by_clock(when.value, clock)
            if _time_of(document, item, name) != value:
                put_time(item, name, value, document)
            assumed = assumed or when.assumed
    if changes.due is not None:
        item.remove("DURATION")
    _check_order(_time_of(document, item, "DTSTART"), _time_of(document, item, "DUE"), zone)
    begins = _time_of(document, item, anchor)
    if repeats and first is not None and begins is not None:
        follow(document, item, first, begins, zone if changes.rule is None else None)
    return assumed


def _clock(document: Document, item: Component, zone: tzinfo) -> tzinfo:
    """Return the zone whose clock a task goes by: the user's where it names none."""
    for line in item.lines("DTSTART", "DUE"):
        known = _time_of(document, item, line.name)
        if line.param("TZID") and isinstance(known, datetime) and known.tzinfo:
            return known.tzinfo
        if line.value.endswith("Z") and item.lines("EXDATE", "RDATE"):
            return UTC  # what it names of its occurrences goes by that
    return zone


def _by_clock(value: date, clock: tzinfo | None) -> date:
    """Take an instant for what a clock shows then: a task that repeats goes by one."""
    if clock is None or not isinstance(value, datetime) or value.tzinfo is not UTC:
        return value
    return value.astimezone(clock)


def _check_order(start: date | None, due: date | None, zone: tzinfo) -> None:
    if start is None or due is None:
        return
    if isinstance(start, datetime) != isinstance(due, datetime):
        raise BadInput("Start and due must both be days, or both be times.", next_step="Give both.")
    if instant(due, zone) < instant(start, zone):
        raise BadInput("It would be due before it starts.", next_step="Give a later due, or an earlier dtstart.")


def _time_of(document: Document, item: Component, name: str) -> date | None:
    for part, read in zip(document.items(TODO), parse_calendar(document.data).walk(TODO), strict=False):
        if part is item and read.get(name) is not None:
            return cast("date", read[name].dt)
    return None


def _put_rule(document: Document, item: Component, rule: str, zone: tzinfo) -> None:
    if not rule:
        item.remove("RRULE")
    elif not item.lines("DTSTART", "DUE"):
        raise BadInput("A task that repeats needs a start or a due date.", next_step="Give dtstart or due too.")
    else:
        item.put("RRULE", Raw(fitting(read_rule(rule), item, _clock(document, item, zone))))


def parents(item: Component) -> list[Line]:
    """Return what says of which tasks one is a part."""
    return [line for line in item.lines("RELATED-TO") if line.param("RELTYPE").upper() in ("", "PARENT")]


def _put_parent(item: Component, uid: str) -> None:
    """Make a task a part of another; what else it is related to stays."""
    old = parents(item)
    if [line.value for line in old] == ([uid] if uid else []):
        return
    item.parts = [part for part in item.parts if not any(part is line for line in old)]
    if uid:
        item.add(item.line("RELATED-TO", uid))


def _set_progress(item: Component, changes: TodoChanges, zone: tzinfo) -> None:
    """Keep status, percentage and completion in step, each of them as it is given."""
    status, percent = changes.fields.status, changes.percent
    if status is None and percent is not None:
        status = "COMPLETED" if percent == 100 else "IN-PROCESS" if percent else "NEEDS-ACTION"
    if status is None and changes.completed:
        status = "COMPLETED"
    if status == "COMPLETED":
        set_done(item, read_when(changes.completed, zone).instant(zone) if changes.completed else None)
    elif status is not None:
        set_status(item, status.upper() or "NEEDS-ACTION")
    if percent is not None:
        _put_number(item, "PERCENT-COMPLETE", percent)
    if changes.completed == "":
        item.remove("COMPLETED")


def set_done(item: Component, moment: datetime | None) -> None:
    """Say that a task is done; when it was, where that is said already, stays."""
    done = item.value("STATUS") == "COMPLETED" and item.first("COMPLETED") is not None
    item.put("STATUS", Raw("COMPLETED"))
    item.put("PERCENT-COMPLETE", Raw("100"))
    if moment is not None or not done:
        item.put("COMPLETED", Raw(utc_text(moment or datetime.now(UTC))))


def set_status(item: Component, status: str) -> None:
    """Say that a task is to be done, being done or called off."""
    item.put("STATUS", Raw(status))
    if status in ("NEEDS-ACTION", "IN-PROCESS"):
        item.remove("COMPLETED")
        if status == "NEEDS-ACTION" or item.value("PERCENT-COMPLETE") == "100":
            item.remove("PERCENT-COMPLETE")


def _put_number(item: Component, name: str, number: int) -> None:
    if number:
        item.put(name, Raw(str(number)))
    else:
        item.remove(name)
