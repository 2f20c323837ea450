"""What events and tasks have in common and people set: title, text, place, categories, status, privacy, colour."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from aboveboard import __version__
from aboveboard.errors import BadInput
from aboveboard.nextcloud.client.calendar.editing import Component, Document, Raw, document_of
from aboveboard.nextcloud.client.calendar.times import utc_text
from aboveboard.nextcloud.client.content_lines import escape_text, split_value, unescape_value

_COLOR: Final = re.compile(r"[a-z]+")
_URL: Final = re.compile(r"[a-z][a-z0-9+.-]*:\S+", re.IGNORECASE)
STATUSES: Final = {
    "VEVENT": ("TENTATIVE", "CONFIRMED", "CANCELLED"),
    "VTODO": ("NEEDS-ACTION", "IN-PROCESS", "COMPLETED", "CANCELLED"),
}
PRIVACIES: Final = ("PUBLIC", "PRIVATE", "CONFIDENTIAL")


@dataclass(frozen=True, kw_only=True)
class Fields:
    """What is to be set: None leaves a property as it is, an empty text or a priority of 0 takes it away."""

    title: str | None = None
    description: str | None = None
    location: str | None = None
    categories: Sequence[str] | None = None
    status: str | None = None
    priority: int | None = None
    privacy: str | None = None
    url: str | None = None
    color: str | None = None

    def apply(self, item: Component) -> None:
        """Set what is given; what says the same already is not touched."""
        for name, text in (("SUMMARY", self.title), ("DESCRIPTION", self.description), ("LOCATION", self.location)):
            if text is not None:
                item.put_text(name, text)
        if self.categories is not None and list(self.categories) != categories_of(item):
            categories = Raw(",".join(escape_text(one) for one in self.categories))
            item.replace(["CATEGORIES"], [item.line("CATEGORIES", categories)] if self.categories else [])
        if self.priority is not None:
            _put(item, "PRIORITY", str(self.priority) if self.priority else "")
        for name, value, check in self._words(item.name):
            if value is not None:
                _put(item, name, check(value) if value else "")

    def _words(self, kind: str) -> list[tuple[str, str | None, Callable[[str], str]]]:
        return [
            ("STATUS", self.status, lambda value: one_of("status", value, STATUSES.get(kind, ()))),
            ("CLASS", self.privacy, lambda value: one_of("privacy", value, PRIVACIES)),
            ("URL", self.url, _checked_url),
            ("COLOR", self.color, _checked_color),
        ]


def _put(item: Component, name: str, value: str) -> None:
    if not value:
        item.remove(name)
    elif item.value(name) != value:
        item.put(name, Raw(value))


def one_of(what: str, value: str, known: Sequence[str]) -> str:
    """Return a word in capitals, if it is one of those there are."""
    if value.upper() not in known:
        raise BadInput(f"{value!r} is not a known {what}.", next_step=f"Use one of {', '.join(known)}.")
    return value.upper()


def _checked_url(value: str) -> str:
    if not _URL.fullmatch(value.strip()):
        raise BadInput(f"{value!r} is not an address.", next_step="Use one such as https://example.org/.")
    return value.strip()


def _checked_color(value: str) -> str:
    if not _COLOR.fullmatch(value.strip().lower()):
        raise BadInput(f"{value!r} is not a colour.", next_step="Use a CSS name such as tomato.")
    return value.strip().lower()


def categories_of(item: Component) -> list[str]:
    """Return the categories, of however many lines."""
    found: list[str] = []
    for line in item.lines("CATEGORIES"):
        found += [unescape_value(one) for one in split_value(line.value, ",")]
    return [one.strip() for one in found if one.strip()]


def split_words(text: str) -> list[str]:
    """Return what is between commas."""
    return [one.strip() for one in text.split(",") if one.strip()]


def stamp(item: Component, now: datetime, *, significant: bool) -> None:
    """Note that something was changed, and count it where those who take part have to hear of it."""
    moment = Raw(utc_text(now.astimezone(UTC).replace(microsecond=0)))
    item.put("DTSTAMP", moment)
    item.put("LAST-MODIFIED", moment)
    if significant:
        number = item.value("SEQUENCE")
        item.put("SEQUENCE", Raw(str(int(number) + 1 if number.isdecimal() else 1)))


def blank(uid: str, component: str) -> Document:
    """Begin an event or a task."""
    now = utc_text(datetime.now(UTC))
    rows = [
        *("BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:-//aboveboard//{__version__}//EN", "CALSCALE:GREGORIAN"),
        *(f"BEGIN:{component}", f"UID:{uid}", f"DTSTAMP:{now}", f"CREATED:{now}", f"LAST-MODIFIED:{now}"),
        *(f"END:{component}", "END:VCALENDAR", ""),
    ]
    return document_of("\r\n".join(rows))
