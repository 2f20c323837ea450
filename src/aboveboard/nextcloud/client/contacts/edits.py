"""Changes to a card: each touches the lines it is about and no other, in the version that the card is written in."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, Final

from aboveboard.errors import BadInput
from aboveboard.nextcloud.client.contacts.cards import Card
from aboveboard.nextcloud.client.contacts.changes import NAME, ContactData, check_names
from aboveboard.nextcloud.client.contacts.description import NO_YEAR, day_of, names_of, trim_parts
from aboveboard.nextcloud.client.contacts.entries import set_addresses, set_entries
from aboveboard.nextcloud.client.contacts.photos import photo_line
from aboveboard.nextcloud.client.content_lines import Line, escape_text, piece_name, split_value, unescape_value

_DAY: Final = re.compile(r"(\d{4}|--)-?(\d\d)-?(\d\d)")


def apply(card: Card, data: ContactData) -> list[str]:
    """Change what is given, and return the names of the fields that are not as they were."""
    changed: list[str] = []
    for field, change in _CHANGES.items():
        given, before = getattr(data, field), card.lines
        if given is not None:
            change(card, given)
        if card.lines != before:
            changed.append(field)
    return changed


def set_categories(card: Card, names: Sequence[str]) -> None:
    """Make the groups of a card these; those that stay keep their place and spelling."""
    wanted = list(dict.fromkeys(name.strip() for name in names if name.strip()))
    lines = card.named("CATEGORIES")
    new = [escape_text(name) for name in wanted if name not in names_of(lines)]
    if not lines and new:
        card.add("CATEGORIES", ",".join(new))
    for line in lines:
        parts = split_value(line.value, ",")
        kept = [part for part in parts if unescape_value(part).strip() in wanted]
        kept += new if line is lines[-1] else []
        if not kept:
            card.remove([line])
        elif kept != parts:
            card.replace(line, line.with_value(",".join(kept)))


def _text(name: str) -> Callable[[Card, str], None]:
    def change(card: Card, text: str) -> None:
        if not text:
            card.remove(card.named(name))
        elif card.text(name) != text:
            card.set_first(name, escape_text(text))

    return change


def _set_name(card: Card, given: Mapping[str, str]) -> None:
    check_names(given, NAME, "A name")
    old = split_value(card.first("N"), ";")
    parts = [_part(old, place, given.get(field)) for place, field in enumerate(NAME)]
    if parts[: len(old)] != old[:5] or any(parts[len(old) :]):
        card.set_first("N", ";".join([*parts, *old[5:]]))


def _parts(name: str, separator: str) -> Callable[[Card, Sequence[str]], None]:
    def change(card: Card, texts: Sequence[str]) -> None:
        old = split_value(card.first(name), separator)
        if not any(texts):
            card.remove(card.named(name))
        elif trim_parts([unescape_value(part) for part in old]) != trim_parts(texts):
            card.set_first(name, separator.join(_part(old, place, text) for place, text in enumerate(texts)))

    return change


def _part(old: Sequence[str], place: int, new: str | None) -> str:
    """Return a part of a structured value: as it was written, unless it is to be another."""
    written = old[place] if place < len(old) else ""
    return written if new is None or unescape_value(written) == new else escape_text(new)


def _set_birthday(card: Card, text: str) -> None:
    lines = card.named("BDAY")
    if not text:
        card.remove(lines)
        return
    if lines and day_of(lines[0]) == text:  # which may be no day at all
        return
    day = _plain_day(text)
    value, marks = _written_day(day, card.version)
    if not lines:
        card.add("BDAY", value, marks)
    elif day_of(lines[0]) != day:
        card.replace(lines[0], lines[0].with_pieces([*_without(lines[0], NO_YEAR, "VALUE"), *marks], value))


def _plain_day(text: str) -> str:
    year, month, day = found.groups() if (found := _DAY.fullmatch(text.strip())) else ("0", "0", "0")
    try:
        date(1604 if year == "--" else int(year), int(month), int(day))  # 1604 had a 29 February
    except ValueError:
        raise BadInput(
            f"{text!r} is not a day.", next_step="Write it as 1985-04-12, or --04-12 without a year."
        ) from None
    return f"--{month}-{day}" if year == "--" else f"{year}-{month}-{day}"


def _written_day(day: str, version: str) -> tuple[str, list[str]]:
    """Return a day as a version has it, and the parameters that it needs there."""
    yearless = day.startswith("--")
    if version == "4.0":
        return f"--{day[2:4]}{day[5:]}" if yearless else day.replace("-", ""), []
    return (f"1604-{day[2:]}", [f"{NO_YEAR}=1604"]) if yearless else (day, [])


def _without(line: Line, *names: str) -> list[str]:
    first, *others = line.pieces
    return [first, *(piece for piece in others if piece_name(piece) not in names)]


def _set_photo(card: Card, given: str) -> None:
    lines = card.named("PHOTO")
    if not given:
        card.remove(lines)
        return
    pieces, value = photo_line(given, card.version)
    if not lines:
        card.add("PHOTO", value, pieces)
    elif lines[0].value != value:
        kept = _without(lines[0], "ENCODING", "TYPE", "VALUE", "MEDIATYPE")
        card.replace(lines[0], lines[0].with_pieces([*kept, *pieces], value))


_CHANGES: Final[dict[str, Callable[[Card, Any], None]]] = {
    "fn": _text("FN"),
    "n": _set_name,
    "nickname": _parts("NICKNAME", ","),
    "org": _parts("ORG", ";"),
    "title": _text("TITLE"),
    "role": _text("ROLE"),
    "email": set_entries("EMAIL"),
    "tel": set_entries("TEL"),
    "adr": set_addresses,
    "url": set_entries("URL"),
    "bday": _set_birthday,
    "note": _text("NOTE"),
    "categories": set_categories,
    "photo": _set_photo,
}
"""In the order in which a new card gets them."""
