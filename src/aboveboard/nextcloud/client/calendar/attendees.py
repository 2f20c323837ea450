"""Who takes part: invited, removed, answering; and who hears of a change."""

import re
from email.utils import getaddresses
from typing import Any, Final, Literal, cast

from aboveboard.errors import BadInput, Refused
from aboveboard.nextcloud.client.calendar.editing import Component, Line, Raw
from aboveboard.nextcloud.client.model import Model

_MAIL: Final = re.compile(r"[^@\s,;<>\"]+@[^@\s,;<>\"]+")
ANSWERS: Final = {"accepted": "ACCEPTED", "declined": "DECLINED", "tentative": "TENTATIVE"}
Answer = Literal["accepted", "declined", "tentative"]


class Attendee(Model):
    """Someone who takes part."""

    email: str
    name: str | None = None
    status: str = "NEEDS-ACTION"
    role: str | None = None
    """Left out where it is the usual one, REQ-PARTICIPANT."""


def mail_of(line: Line) -> str:
    """Return the address of an ATTENDEE or ORGANIZER, in small letters."""
    return line.value.strip().lower().removeprefix("mailto:")


def read_people(text: str) -> dict[str, str]:
    """Read addresses, with names or without: "Bob <bob@example.org>, carol@example.org"."""
    found: dict[str, str] = {}
    for name, mail in getaddresses([text]):
        if not _MAIL.fullmatch(mail):
            raise BadInput(
                f"{mail or name or text!r} is no mail address.", next_step="Use addresses such as bob@example.org."
            )
        found[mail.lower()] = name
    return found


def put_attendees(item: Component, people: dict[str, str], me: str | None, my_name: str) -> None:
    """Set who takes part: those who do already stay as they are, with their answers."""
    known = {mail_of(line): line for line in item.lines("ATTENDEE")}
    if list(people) == list(known) or (set(people) == set(known) and people):
        return
    lines = [known.get(mail) or _invited(item, mail, name) for mail, name in people.items()]
    item.replace(["ATTENDEE"], lines)
    if not people:
        item.remove("ORGANIZER")
    elif item.first("ORGANIZER") is None:
        if not me:
            raise BadInput(
                "Your Nextcloud account has no mail address, so you cannot invite anyone.",
                next_step="Add one in the personal settings.",
            )
        item.add(item.line("ORGANIZER", Raw(f"mailto:{me}"), {"CN": my_name} if my_name else {}))


def _invited(item: Component, mail: str, name: str) -> Line:
    params = {"CN": name} if name else {}
    more = {"ROLE": "REQ-PARTICIPANT", "PARTSTAT": "NEEDS-ACTION", "RSVP": "TRUE"}
    return item.line("ATTENDEE", Raw(f"mailto:{mail}"), {**params, **more})


def answer(item: Component, mine: str, response: Answer) -> None:
    """Write one's own answer into an invitation."""
    lines = item.lines("ATTENDEE")
    if mine not in map(mail_of, lines):
        raise Refused("You are not invited to this event.", status=403, next_step="Check which event it is.")
    made = [line if mail_of(line) != mine else _answered(item, line, ANSWERS[response]) for line in lines]
    if [line.raw for line in made] != [line.raw for line in lines]:
        item.replace(["ATTENDEE"], made)


def _answered(item: Component, line: Line, status: str) -> Line:
    if line.param("PARTSTAT").upper() == status:
        return line
    return item.line("ATTENDEE", Raw(line.value), {**line.params, "PARTSTAT": status})


def attendees_of(item: Any) -> list[Attendee]:
    """Return who takes part, of an event as the library read it."""
    given = item.get("ATTENDEE", [])
    return [_attendee(one) for one in cast("list[Any]", given if isinstance(given, list) else [given])]


def _attendee(one: Any) -> Attendee:
    role = str(one.params.get("ROLE", "REQ-PARTICIPANT")).upper()
    return Attendee(
        email=str(one).lower().removeprefix("mailto:"),
        name=str(one.params.get("CN", "")) or None,
        status=str(one.params.get("PARTSTAT", "NEEDS-ACTION")).upper(),
        role=None if role == "REQ-PARTICIPANT" else role,
    )


def told(items: list[Component], mine: str | None) -> list[str]:
    """Return who hears of what the organizer does, in the order of the text."""
    organizer = next((mail_of(line) for item in items for line in item.lines("ORGANIZER")), None)
    if organizer is None or mine is None or organizer != mine:
        return []
    lines = [line for item in items for line in item.lines("ATTENDEE")]
    heard = [mail_of(line) for line in lines if line.param("SCHEDULE-AGENT").upper() not in ("CLIENT", "NONE")]
    return [mail for mail in dict.fromkeys(heard) if mail != mine]


def organizer_of(items: list[Component]) -> str | None:
    """Return the address of the organizer."""
    return next((mail_of(line) for item in items for line in item.lines("ORGANIZER")), None)
