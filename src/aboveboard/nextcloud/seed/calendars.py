"""Calendars with events and tasks, an invitation, and address books with contacts."""

from typing import Final
from urllib.parse import quote

from aboveboard.nextcloud.sandbox.calendar.seed import EVENTS, TASKS, calendar_text
from aboveboard.nextcloud.sandbox.contacts.contacts_seed import BY_A_PHONE, BY_THE_WEB, OF_THE_CLUB
from aboveboard.nextcloud.seed.person import THERE, Person

_CALENDAR: Final = (
    '<c:mkcalendar xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:d="DAV:"><d:set><d:prop>'
    "<d:displayname>{name}</d:displayname>"
    '<c:supported-calendar-component-set><c:comp name="{kind}"/></c:supported-calendar-component-set>'
    "</d:prop></d:set></c:mkcalendar>"
)
_BOOK: Final = (
    '<d:mkcol xmlns:d="DAV:" xmlns:card="urn:ietf:params:xml:ns:carddav"><d:set><d:prop>'
    "<d:resourcetype><d:collection/><card:addressbook/></d:resourcetype><d:displayname>{name}</d:displayname>"
    "</d:prop></d:set></d:mkcol>"
)
_CALENDARS: Final = {"personal": ("Personal", "VEVENT"), "team": ("Team", "VEVENT"), "tasks": ("Tasks", "VTODO")}
_CARDS: Final = {"contacts": ("Contacts", (BY_A_PHONE, BY_THE_WEB)), "club": ("Sports club", (OF_THE_CLUB,))}
_MAIL: Final = "ada@example.org"
"""The address of the first person, wherever a text of the sandbox names it."""


def fill_calendars(one: Person, bob: Person, mail: str) -> list[str]:
    """Write what both have planned; Nextcloud itself brings bob's invitation to the calendar `personal`."""
    for name, (title, kind) in _CALENDARS.items():
        _collection(one, f"calendars/{quote(one.name)}/{name}", "MKCALENDAR", _CALENDAR.format(name=title, kind=kind))
    _collection(bob, "calendars/bob/personal", "MKCALENDAR", _CALENDAR.format(name="Personal", kind="VEVENT"))
    for kind, texts in (("VEVENT", EVENTS), ("VTODO", TASKS)):
        for place, lines in texts.items():
            owner, calendar, name = place.split("/")
            who, own = (bob, f"{name}-{one.name}") if owner == "bob" else (one, name)
            text = calendar_text(own, kind, lines.replace(_MAIL, mail).replace("CN=admin", f"CN={one.name}"))
            _object(who, f"calendars/{quote(who.name)}/{calendar}/{quote(f'seed-{own}.ics')}", text, "text/calendar")
    return [f"calendars and tasks of {one.name}, and an invitation that bob sent to {mail}"]


def fill_contacts(one: Person) -> list[str]:
    """Write contacts as a phone, the web and a club keep them."""
    for book, (title, cards) in _CARDS.items():
        at = f"addressbooks/users/{quote(one.name)}/{book}"
        _collection(one, at, "MKCOL", _BOOK.format(name=title))
        for number, card in enumerate(cards, 1):
            _object(one, f"{at}/seed-{number}.vcf", card.replace("\n", "\r\n"), "text/vcard")
    return [f"address books of {one.name}"]


def _collection(who: Person, path: str, method: str, body: str) -> None:
    headers = {"Content-Type": "application/xml; charset=utf-8"}
    who.send(method, f"/remote.php/dav/{path}/", content=body.encode(), headers=headers, also=THERE)


def _object(who: Person, path: str, text: str, kind: str) -> None:
    """Write it where nothing is: a second invitation would be sent otherwise."""
    headers = {"Content-Type": f"{kind}; charset=utf-8", "If-None-Match": "*"}
    who.send("PUT", f"/remote.php/dav/{path}", content=text.encode(), headers=headers, also=(412,))
