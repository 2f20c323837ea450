"""The first calendars: what two people have planned, alone and with each other."""

from aboveboard.nextcloud.sandbox.calendar import shelf
from aboveboard.nextcloud.sandbox.calendar.checking import check
from aboveboard.nextcloud.sandbox.calendar.scheduling import tell_others
from aboveboard.nextcloud.sandbox.calendar.sharing import add_birthdays
from aboveboard.nextcloud.sandbox.calendar.shelf import Shelf
from aboveboard.nextcloud.sandbox.store import Store
from aboveboard.sandbox.store import Seed

BERLIN = """BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:DAYLIGHT
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
TZNAME:CEST
DTSTART:19700329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
END:DAYLIGHT
BEGIN:STANDARD
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
TZNAME:CET
DTSTART:19701025T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
END:STANDARD
END:VTIMEZONE
"""
_HEAD = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//sandbox//EN\nCALSCALE:GREGORIAN\n"
EVENTS = {
    "admin/personal/dentist": "DTSTART:20260112T080000Z\nDTEND:20260112T084500Z\nSUMMARY:Dentist\nCLASS:PRIVATE\n",
    "admin/personal/standup": (
        "DTSTART;TZID=Europe/Berlin:20260105T093000\nDTEND;TZID=Europe/Berlin:20260105T094500\nSUMMARY:Stand-up\n"
        "RRULE:FREQ=WEEKLY;BYDAY=MO,WE\nCATEGORIES:Work\nX-SANDBOX-COLOUR:teal\n"
        "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT10M\nDESCRIPTION:Stand-up\nEND:VALARM\n"
    ),
    "admin/team/offsite": (
        "DTSTART;VALUE=DATE:20260202\nDTEND;VALUE=DATE:20260205\nSUMMARY:Offsite in Köln\nLOCATION:Köln\n"
        "CATEGORIES:Work,Travel\n"
    ),
    "admin/team/review": (
        "DTSTART;TZID=Europe/Berlin:20260114T140000\nDTEND;TZID=Europe/Berlin:20260114T150000\nSUMMARY:Review\n"
        "ORGANIZER;CN=admin:mailto:ada@example.org\n"
        "ATTENDEE;CN=Bob;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:bob@example.org\n"
    ),
    "bob/personal/lunch": (
        "DTSTART;TZID=Europe/Berlin:20260106T120000\nDTEND;TZID=Europe/Berlin:20260106T133000\n"
        "SUMMARY:Lunch with Carol\nRRULE:FREQ=WEEKLY;BYDAY=TU,TH\n"
    ),
    "bob/personal/workshop": (
        "DTSTART;TZID=Europe/Berlin:20260116T100000\nDTEND;TZID=Europe/Berlin:20260116T120000\nSUMMARY:Workshop\n"
        "ORGANIZER;CN=Bob:mailto:bob@example.org\n"
        "ATTENDEE;CN=admin;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:ada@example.org\n"
    ),
}
TASKS = {
    "admin/tasks/paint": "SUMMARY:Paint the shed\nDUE;VALUE=DATE:20260131\nPRIORITY:5\nSTATUS:NEEDS-ACTION\n",
    "admin/tasks/brushes": "SUMMARY:Buy brushes\nRELATED-TO:seed-paint\nSTATUS:IN-PROCESS\nPERCENT-COMPLETE:50\n",
}


def fill(store: Store) -> None:
    """Write the first calendars."""
    for uid in ("admin", "bob"):
        mine = Shelf(store, uid)
        mine.create("personal", name="Personal", color="#00679e", components="VEVENT")
        add_birthdays(mine)
    ada = Shelf(store, "admin")
    team = ada.create("team", name="Team", color="#1976D2", description="What we do together")
    ada.create("tasks", name="Tasks", color="#E9A13B", components="VTODO")
    store.insert("calendar_shares", calendar=team, kind="users", who="bob", access=shelf.READ)
    for place, lines in EVENTS.items():
        _put(store, place, "VEVENT", lines)
    for place, lines in TASKS.items():
        _put(store, place, "VTODO", lines)


def calendar_text(name: str, kind: str, lines: str) -> str:
    """A whole calendar object with one of these events or tasks in it."""
    head = _HEAD + (BERLIN if "Berlin" in lines else "")
    text = f"{head}BEGIN:{kind}\nUID:seed-{name}\nDTSTAMP:20260105T080000Z\n{lines}END:{kind}\nEND:VCALENDAR\n"
    return text.replace("\n", "\r\n")


def _put(store: Store, place: str, kind: str, lines: str) -> None:
    store.tick()
    uid, calendar, name = place.split("/")
    view = Shelf(store, uid).view(calendar)
    if view is None:
        raise AssertionError(f"there is no calendar {calendar!r}")
    checked = check(calendar_text(name, kind, lines).encode(), "text/calendar", view.components, "", store.now())
    tree = checked.calendar.copy()
    data = tree.text() if tell_others(store, uid, None, tree) else checked.data
    shelf.write(store, view.id, f"seed-{name}.ics", data, checked.uid, checked.component)


seed = Seed(fill)
