"""Reminders: read, and replaced as a whole where others are given."""

from datetime import datetime, timedelta, tzinfo
from typing import Any, Final, Literal, cast

from icalendar import vDuration

from aboveboard.errors import BadInput
from aboveboard.nextcloud.client.calendar.editing import Component, Raw
from aboveboard.nextcloud.client.calendar.times import read_when, show_time, utc_text
from aboveboard.nextcloud.client.model import Model

_DURATION: Final = cast("Any", vDuration)


class Reminder(Model):
    """A reminder: exactly one of minutes_before, trigger and trigger_at tells when."""

    action: Literal["DISPLAY", "EMAIL", "AUDIO"] = "DISPLAY"
    minutes_before: int | None = None
    trigger: str | None = None
    """A duration such as -PT15M or P1D."""
    trigger_at: str | None = None
    related: Literal["START", "END"] = "START"
    description: str | None = None
    summary: str | None = None


def put_reminders(item: Component, reminders: list[Reminder], zone: tzinfo, mail: str | None) -> None:
    """Replace the reminders of an event or task, unless they are the same."""
    made = [_alarm(item, one, zone, mail) for one in reminders]
    if [_said(alarm) for alarm in made] == [_said(alarm) for alarm in item.components("VALARM")]:
        return
    item.drop(lambda one: one.name == "VALARM")
    item.add(*made)


def reminders_of(item: Any, zone: tzinfo) -> list[Reminder]:
    """Return the reminders of an event or task, as the library read it."""
    return [one for alarm in item.walk("VALARM") if (one := _reminder(alarm, zone)) is not None]


def _said(alarm: Component) -> list[tuple[str, str]]:
    """What an alarm says of itself, apart from what others noted in it."""
    named = ("ACTION", "TRIGGER", "DESCRIPTION", "SUMMARY")
    return [(line.name, f"{line.param('RELATED')}{line.value}") for line in alarm.lines(*named)]


def _alarm(item: Component, one: Reminder, zone: tzinfo, mail: str | None) -> Component:
    alarm = Component.new("VALARM", item.newline)
    alarm.add(alarm.line("ACTION", Raw(one.action)))
    text, params = _trigger(one, zone)
    alarm.add(alarm.line("TRIGGER", text, params))
    if one.action != "AUDIO":
        alarm.put_text("DESCRIPTION", one.description or "Reminder")
    if one.action == "EMAIL":
        alarm.put_text("SUMMARY", one.summary or "Reminder")
        if mail:
            alarm.add(alarm.line("ATTENDEE", Raw(f"mailto:{mail}")))
    return alarm


def _trigger(one: Reminder, zone: tzinfo) -> tuple[Raw, dict[str, str]]:
    given = [name for name in ("minutes_before", "trigger", "trigger_at") if getattr(one, name) is not None]
    if len(given) != 1:
        raise BadInput("A reminder needs exactly one of minutes_before, trigger and trigger_at.")
    related = {"RELATED": "END"} if one.related == "END" else {}
    if one.minutes_before is not None:
        if one.minutes_before < 0:
            raise BadInput("minutes_before must be at least 0.", next_step="Use trigger for a reminder that is later.")
        return Raw(_DURATION(timedelta(minutes=-one.minutes_before)).to_ical().decode()), related
    if one.trigger is not None:
        try:
            _DURATION.from_ical(one.trigger)
        except ValueError:
            raise BadInput(f"{one.trigger!r} is not a duration.", next_step="Use one such as -PT15M.") from None
        return Raw(one.trigger), related
    moment = read_when(one.trigger_at or "", zone).instant(zone)
    return Raw(utc_text(moment)), {"VALUE": "DATE-TIME"}


def _reminder(alarm: Any, zone: tzinfo) -> Reminder | None:
    trigger = alarm.get("TRIGGER")
    action = str(alarm.get("ACTION", "DISPLAY")).upper()
    if trigger is None or action not in ("DISPLAY", "EMAIL", "AUDIO"):
        return None
    related: Any = "END" if str(trigger.params.get("RELATED", "")).upper() == "END" else "START"
    value = trigger.dt
    kept: dict[str, Any] = {"action": action, "description": str(alarm.get("DESCRIPTION", "")) or None}
    if isinstance(value, datetime):
        return Reminder(**kept, trigger_at=show_time(value, zone))
    minutes = -value.total_seconds() / 60
    if minutes >= 0 and minutes == int(minutes):
        return Reminder(**kept, minutes_before=int(minutes), related=related)
    return Reminder(**kept, trigger=trigger.to_ical().decode(), related=related)
