"""Who takes part: invited, removed, answering; and who hears of a change."""

import re
from dataclasses import dataclass
from email.utils import getaddresses
from typing import Any, Final, Literal, cast

from aboveboard.errors import BadInput, Refused
from aboveboard.nextcloud.client.calendar.editing import Component, Raw
from aboveboard.nextcloud.client.content_lines import Line
from aboveboard.nextcloud.client.model import Model

MAIL: Final = re.compile(r"[^@\s,;<>\"]+@[^@\s,;<>\"]+")
_USUAL: Final = "REQ-PARTICIPANT"
ROLES: Final = {"required": _USUAL, "optional": "OPT-PARTICIPANT", "chair": "CHAIR", "informed": "NON-PARTICIPANT"}
_ROLE: Final = re.compile(rf"(?:^|[,;])\s*({'|'.join(ROLES)})\s*:", re.IGNORECASE)
ANSWERS: Final = {"accepted": "ACCEPTED", "declined": "DECLINED", "tentative": "TENTATIVE"}
InvitationAnswer = Literal["accepted", "declined", "tentative"]


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


@dataclass(frozen=True)
class Invitee:
    """Someone who is to take part; without a role, in the one that they have, or the usual one."""

    name: str
    role: str | None = None


def read_people(text: str) -> dict[str, Invitee]:
    """Read addresses, with names and roles or without: "Bob <bob@example.org>, optional: carol@example.org"."""
    before, *rest = _ROLE.split(text)
    found: dict[str, Invitee] = {}
    for word, part in [("", before), *zip(rest[::2], rest[1::2], strict=True)]:
        if word and not part.strip(" ,;"):
            raise BadInput(f"Nobody is named as {word}.", next_step="Name an address after it, or leave it out.")
        for name, mail in getaddresses([part]) if part.strip() else ():
            if not MAIL.fullmatch(mail):
                raise BadInput(
                    f"{mail or name or text!r} is not a mail address.",
                    next_step="Use addresses such as bob@example.org.",
                )
            found[mail.lower()] = Invitee(name, ROLES.get(word.lower()))
    return found


def put_attendees(item: Component, people: dict[str, Invitee], me: str | None, my_name: str) -> None:
    """Set who takes part: those who do already stay as they are, with their answers."""
    known = {mail_of(line): line for line in item.lines("ATTENDEE")}
    lines = [_in_role(known.get(mail) or _invited(item, mail, one.name), one.role) for mail, one in people.items()]
    if {line.raw for line in lines} == {line.raw for line in known.values()}:
        return
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
    more = {"ROLE": _USUAL, "PARTSTAT": "NEEDS-ACTION", "RSVP": "TRUE"}
    return item.line("ATTENDEE", Raw(f"mailto:{mail}"), {**params, **more})


def _in_role(line: Line, role: str | None) -> Line:
    has = line.param("ROLE").upper() or _USUAL
    return line if role in (None, has) else line.with_parameters({"ROLE": role})


def is_invited(item: Component, mail: str) -> bool:
    """Tell whether someone is to take part."""
    return mail in map(mail_of, item.lines("ATTENDEE"))


def answer_invitation(item: Component, mine: str, response: InvitationAnswer) -> None:
    """Write one's own answer into an invitation."""
    lines = item.lines("ATTENDEE")
    if not is_invited(item, mine):
        raise Refused("You are not invited to this event.", status=403, next_step="Check which event it is.")
    made = [line if mail_of(line) != mine else _answered(line, ANSWERS[response]) for line in lines]
    if made != lines:
        item.replace(["ATTENDEE"], made)


def _answered(line: Line, status: str) -> Line:
    return line if line.param("PARTSTAT").upper() == status else line.with_parameters({"PARTSTAT": status})


def attendees_of(item: Any) -> list[Attendee]:
    """Return who takes part, of an event as the library read it."""
    given = item.get("ATTENDEE", [])
    return [_attendee(one) for one in cast("list[Any]", given if isinstance(given, list) else [given])]


def _attendee(one: Any) -> Attendee:
    role = str(one.params.get("ROLE", _USUAL)).upper()
    return Attendee(
        email=str(one).lower().removeprefix("mailto:"),
        name=str(one.params.get("CN", "")) or None,
        status=str(one.params.get("PARTSTAT", "NEEDS-ACTION")).upper(),
        role=None if role == _USUAL else role,
    )


def notified_attendees(items: list[Component], mine: str | None) -> list[str]:
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
