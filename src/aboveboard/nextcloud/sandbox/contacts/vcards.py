"""vCards as sabre/vobject holds them: read leniently, checked, mended, and written out in its own order and folding."""

import re
from dataclasses import dataclass, field
from typing import Any, cast

from icalendar.parser import Contentline, Parameters, q_split, split_on_unescaped_semicolon, unescape_backslash

PRODUCT = "-//Sabre//Sabre VObject 4.5.6//EN"
_FOLD = re.compile(r"\r?\n[ \t]")
_QUOTED = re.compile(r'[\n":;^,+]')
_DATE = re.compile(r"(\d{4}|--)-?(\d\d)?-?-?(\d\d)?(T.*)?")
_WIDTH = 75


class NotAVCard(Exception):
    """The text cannot be kept as a card, and why."""


@dataclass
class Property:
    """One content line, taken apart; the value is as it was written."""

    name: str
    value: str
    group: str = ""
    params: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    @property
    def text(self) -> str:
        """The value as a search sees it."""
        return unescape_backslash(self.value)

    @property
    def type(self) -> str:
        """The kind of value, where the property says it."""
        return "".join(self.params.get("VALUE", [])[:1]).upper()

    def add(self, name: str, *values: str) -> None:
        """More values of a parameter."""
        self.params.setdefault(name, []).extend(values)

    def line(self) -> str:
        """The content line, folded by bytes."""
        params = "".join(f";{name}={','.join(map(_quoted, values))}" for name, values in self.params.items())
        return _folded(f"{self.group.upper() + '.' if self.group else ''}{self.name}{params}:{self._written()}")

    def _written(self) -> str:
        if self.name == "GEO":
            return self.text.replace(";", "\\;")
        if self.name in {"PHOTO", "LOGO", "SOUND"} and self.type == "URI":
            return self.text.replace(",", "\\,")
        return self.value


@dataclass
class VCard:
    """A card: its properties, those of one name together where the first of them stands."""

    properties: list[Property]

    @property
    def version(self) -> str:
        """The version that it says it is; 2.1 where it says none of the known."""
        return next((one.value.strip() for one in self.named("VERSION")), "")

    def named(self, name: str) -> list[Property]:
        """The properties of a name, whatever group they are in."""
        return [one for one in self.properties if one.name == name]

    def ordered(self) -> list[Property]:
        """The version first, then by name in the order in which the names first came up."""
        names = list(dict.fromkeys(one.name for one in self.properties))
        names.sort(key=lambda name: name != "VERSION")
        return [one for name in names for one in self.named(name)]

    def serialized(self) -> str:
        """The card as the server writes it."""
        return "".join(["BEGIN:VCARD\r\n", *(one.line() for one in self.ordered()), "END:VCARD\r\n"])


def read(text: str) -> VCard:
    """The first card of a text."""
    lines = [line for line in re.split(r"\r?\n", _FOLD.sub("", text)) if line]
    if not lines:
        raise NotAVCard(_parse_error("End of document reached prematurely"))
    kind = lines[0].strip().upper()
    if kind == "BEGIN:VCALENDAR":
        raise NotAVCard("This collection can only support vcard objects.")
    if kind != "BEGIN:VCARD":
        raise NotAVCard(_parse_error("This parser only supports VCARD and VCALENDAR files"))
    properties: list[Property] = []
    for line in lines[1:]:
        if line.strip().upper() == "END:VCARD":
            break
        properties.append(_property(line))
    return VCard(properties)


def mended(card: VCard, uid: str) -> bool:
    """Refuse what breaks the rules of a version, repair what is missing; whether anything was."""
    if card.version == "2.1":
        raise NotAVCard(_invalid("CardDAV servers are not allowed to accept vCard 2.1."))
    repairs: list[Property] = []
    if not card.named("VERSION"):
        repairs.append(Property("VERSION", "4.0"))
    if len(card.named("FN")) > 1:
        raise NotAVCard(_invalid("The FN property must appear in the VCARD component exactly 1 time"))
    if not card.named("FN"):
        repairs.append(Property("FN", _full_name(card)))
    if not card.named("UID"):
        repairs.append(Property("UID", uid))
    for one in card.named("BDAY"):
        if one.type != "TEXT" and not _DATE.fullmatch(one.value):
            raise NotAVCard(_invalid(f"The supplied value ({one.value}) is not a correct DATE-AND-OR-TIME property"))
    card.properties += repairs
    return bool(repairs)


def _full_name(card: VCard) -> str:
    for name in card.named("N"):
        family, given = [*split_on_unescaped_semicolon(name.value), "", ""][:2]
        return f"{given} {family}".strip()
    return next((one.value for label in ("ORG", "NICKNAME", "EMAIL") for one in card.named(label)), "Unknown")


def _property(line: str) -> Property:
    colon = Contentline(line).value_separator_index()
    if colon < 0:
        raise NotAVCard(
            _parse_error(f"Invalid Mimedir file. Line starting at 1 did not follow iCalendar/vCard conventions: {line}")
        )
    head, *params = q_split(line[:colon], ";")
    group, _, name = head.rpartition(".")
    made = Property(name.upper(), line[colon + 1 :], group)
    for param in params:
        if "=" not in param:
            made.add("TYPE", param)
            continue
        found: dict[str, str | list[str]] = dict(cast("Any", Parameters).from_ical(param))
        for key, value in found.items():
            made.add(key.upper(), *([value] if isinstance(value, str) else value))
    return made


def _quoted(value: str) -> str:
    return f'"{value}"' if _QUOTED.search(value) else value


def _folded(line: str) -> str:
    """A line in pieces of 75 bytes, of which the space of a continuation is one."""
    pieces: list[str] = []
    piece, size = "", 0
    for char in line:
        length = len(char.encode())
        if size + length > _WIDTH:
            pieces.append(piece)
            piece, size = " ", 1
        piece, size = piece + char, size + length
    return "\r\n".join([*pieces, piece]) + "\r\n"


def _parse_error(reason: str) -> str:
    return f"This resource only supports valid vCard or jCard data. Parse error: {reason}"


def _invalid(reason: str) -> str:
    return f"Validation error in vCard: {reason}"
