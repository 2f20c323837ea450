"""Changes to an event, in its text."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta, tzinfo
from typing import Final

from aboveboard.errors import BadInput
from aboveboard.nextcloud.client.calendar.alarms import Reminder, put_reminders
from aboveboard.nextcloud.client.calendar.attendees import put_attendees, read_people
from aboveboard.nextcloud.client.calendar.editing import Component, Document, Raw, document_of
from aboveboard.nextcloud.client.calendar.fields import Fields
from aboveboard.nextcloud.client.calendar.recurrence import read_rule
from aboveboard.nextcloud.client.calendar.series import fitting, with_end
from aboveboard.nextcloud.client.calendar.times import name_of, read_when
from aboveboard.nextcloud.client.calendar.timing import Timing, clock_of, put_timing

EVENT: Final = "VEVENT"
_TIMES: Final = ("DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "STATUS", "LOCATION", "ATTENDEE")
"""What those who take part have to hear of."""


@dataclass(frozen=True, kw_only=True)
class Changes:
    """What is to be set of an event; None leaves it as it is."""

    fields: Fields = field(default_factory=Fields)
    timing: Timing = field(default_factory=Timing)
    rule: str | None = None
    """An empty one takes the rule away."""
    rule_end: str | None = None
    attendees: str | None = None
    reminders: Sequence[Reminder] | None = None


@dataclass(frozen=True)
class Me:
    """Who asks, and in which zone."""

    zone: tzinfo
    mail: str | None
    name: str


def apply(document: Document, item: Component, changes: Changes, me: Me, notes: list[str]) -> None:
    """Set what is given; what there is to say of it is added to the notes."""
    if put_timing(document, item, changes.timing, me.zone, new_rule=changes.rule is not None):
        notes.append(f"Times without a zone are taken in {name_of(me.zone)}, your zone in Nextcloud.")
    changes.fields.apply(item)
    _put_rule(item, changes, clock_of(document, item, me.zone))
    if changes.attendees is not None:
        put_attendees(item, read_people(changes.attendees), me.mail, me.name)
    if changes.reminders is not None:
        put_reminders(item, list(changes.reminders), me.zone, me.mail)


def _put_rule(item: Component, changes: Changes, clock: tzinfo) -> None:
    """Set the rule; its last day is one of the clock that the event goes by, and not of the reader's."""
    if changes.rule == "":
        item.remove("RRULE")
        return
    if changes.rule is None and not changes.rule_end:
        return
    rule = read_rule(changes.rule) if changes.rule else item.value("RRULE")
    if not rule:
        raise BadInput("There is no rule that could end.", next_step="Give recurrence_rule too.")
    if changes.rule_end:
        last = read_when(changes.rule_end, clock, what="end")
        start = item.first("DTSTART")
        whole = start is not None and start.param("VALUE") == "DATE"
        if whole or not last.all_day:
            end: date = last.value
        else:  # the whole of the last day
            end = last.instant(clock) + timedelta(days=1, seconds=-1)
        rule = with_end(rule, item, end)
    item.put("RRULE", Raw(fitting(rule, item, clock)))


def significant(before: str, item: Component) -> bool:
    """Tell whether those who take part have to hear of what an event says now."""
    old = document_of(before).components() if before else []
    lines = [line.text for line in old[0].lines(*_TIMES)] if old else []
    return lines != [line.text for line in item.lines(*_TIMES)]
