"""What a card says, in plain words."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from aboveboard.nextcloud.client.contacts.cards import Card
from aboveboard.nextcloud.client.contacts.fields import Address, Contact, Entry, Name, Photo
from aboveboard.nextcloud.client.content_lines import Line, split_value, unescape_value

_DAY: Final = re.compile(r"(\d{4}|--)-?(\d\d)-?(\d\d)(?:[T ].*)?")
_DATA: Final = re.compile(r"data:([\w.+-]+/[\w.+-]+)[^,]*,", re.IGNORECASE)
_APPLE: Final = re.compile(r"_\$!<(.*)>!\$_")
_SHOWN: Final = frozenset(
    {"FN", "N", "NICKNAME", "EMAIL", "TEL", "ADR", "ORG", "TITLE", "ROLE", "BDAY", "NOTE", "URL", "CATEGORIES", "PHOTO"}
    | {"BEGIN", "VERSION", "UID", "END", "X-ABLABEL"}
)
NO_YEAR: Final = "X-APPLE-OMIT-YEAR"
"""The parameter by which 3.0 says which year stands for none."""
KINDS: Final = ("KIND", "X-ADDRESSBOOKSERVER-KIND")
_MEMBERS: Final = ("MEMBER", "X-ADDRESSBOOKSERVER-MEMBER")


def describe_card(card: Card) -> Contact:
    """Say what a card holds, and name what it holds besides."""
    kind = card.first(*KINDS).lower()
    return Contact(
        uid=card.uid,
        version=card.version,
        kind=kind if kind != "individual" else "",
        fn=card.text("FN") or "",
        n=next((_name(line) for line in card.named("N")), None),
        nickname=names_of(card.named("NICKNAME")),
        email=_entries(card, "EMAIL", value_of),
        tel=_entries(card, "TEL", value_of),
        adr=[_address(line, _label(card, line)) for line in card.named("ADR")],
        org=trim_parts([part for line in card.named("ORG")[:1] for part in _parts(line, 1)]),
        title=card.text("TITLE"),
        role=card.text("ROLE"),
        bday=next((day_of(line) for line in card.named("BDAY")), None),
        note=card.text("NOTE"),
        url=_entries(card, "URL", value_of),
        categories=names_of(card.named("CATEGORIES")),
        photo=next((_photo(line) for line in card.named("PHOTO")), None),
        members=len(card.named(*_MEMBERS)) or None,
        other=sorted({line.name for line in card.lines if line.name} - _SHOWN),
    )


def types_of(line: Line) -> list[str]:
    """Return what a line is marked with, in small letters; the preferred one has `pref` in every version."""
    found = [one.strip().lower() for value in line.parameter("TYPE") for one in value.split(",")]
    found += ["pref"] if line.parameter("PREF") == ["1"] else []
    return list(dict.fromkeys(one for one in found if one))


def value_of(line: Line) -> str:
    """Return the text of a line that holds one; a telephone number without `tel:`."""
    text = unescape_value(line.value)
    return text[4:] if line.name == "TEL" and text[:4].lower() == "tel:" else text


def day_of(line: Line) -> str:
    """Return a day as `1985-04-12`, or `--04-12` where the year is not known; what is no day stays as it is."""
    found = _DAY.fullmatch(line.value.strip())
    if found is None:
        return unescape_value(line.value)
    year, month, day = found.groups()
    return f"--{month}-{day}" if year == "--" or year in line.parameter(NO_YEAR) else f"{year}-{month}-{day}"


def trim_parts(parts: Sequence[str]) -> list[str]:
    """Return parts without the empty ones at the end, which some clients write."""
    kept = list(parts)
    while kept and not kept[-1]:
        kept.pop()
    return kept


def names_of(lines: Iterable[Line]) -> list[str]:
    """Return the names that lines list, each once."""
    names = [unescape_value(part).strip() for line in lines for part in split_value(line.value, ",")]
    return list(dict.fromkeys(name for name in names if name))


def photo_data(card: Card) -> str | None:
    """Return the picture within a card in Base64."""
    for line in card.named("PHOTO"):
        text = unescape_value(line.value)
        if found := _DATA.match(text):
            return text[found.end() :]
        if line.parameter("ENCODING"):
            return line.value
    return None


def _label(card: Card, line: Line) -> str | None:
    """Return what somebody called a line, in Apple's way."""
    for other in card.named("X-ABLABEL") if line.group else ():
        if other.group == line.group:
            return _APPLE.sub(r"\1", unescape_value(other.value)) or None
    return None


def _entries(card: Card, name: str, read: Callable[[Line], str]) -> list[Entry]:
    return [Entry(value=read(line), types=types_of(line), label=_label(card, line)) for line in card.named(name)]


def _parts(line: Line, count: int) -> list[str]:
    parts = [unescape_value(part) for part in split_value(line.value, ";")]
    return parts + [""] * (count - len(parts))


def _name(line: Line) -> Name:
    family, given, additional, prefix, suffix = _parts(line, 5)[:5]
    return Name(family=family, given=given, additional=additional, prefix=prefix, suffix=suffix)


def _address(line: Line, label: str | None) -> Address:
    box, extended, street, city, region, code, country = _parts(line, 7)[:7]
    return Address(
        street=street,
        city=city,
        region=region,
        postal_code=code,
        country=country,
        po_box=box,
        extended=extended,
        types=types_of(line),
        label=label,
    )


def _photo(line: Line) -> Photo:
    text = unescape_value(line.value)
    if found := _DATA.match(text):
        return Photo(media_type=found[1].lower(), size=_size(text[found.end() :]))
    if line.parameter("ENCODING"):
        kind = next(iter(types_of(line)), "")
        return Photo(media_type=kind if "/" in kind or not kind else f"image/{kind}", size=_size(line.value))
    return Photo(uri=text)


def _size(base64: str) -> int:
    return len(base64.rstrip("=")) * 3 // 4
