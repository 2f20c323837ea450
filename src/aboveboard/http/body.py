"""What a dry run tells of what a request carries: JSON as it is, other forms in short, of any other body its length."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final
from urllib.parse import parse_qsl

LONGEST: Final = 80
"""Characters. A dry run is to be read: long values are cut."""
MOST: Final = 40
"""Fields. Whoever wants to see more, sends it to a sandbox."""
Field = tuple[str, str]

_FOLD: Final = re.compile(r"\r?\n[ \t]")
_LINE: Final = re.compile(r'([A-Za-z0-9-]+(?:;(?:[^:;"]|"[^"]*")*)*):(.*)')
_FRAME: Final = frozenset({"BEGIN", "END", "VERSION", "PRODID", "CALSCALE", "DTSTAMP"})
"""What every calendar or card begins and ends with, and nobody asked for."""


_PLACE: Final = ("destination", "overwrite")
"""Headers of a request without a body, which copies or moves: where to, and whether over what is there."""


def in_short(json: object, content: bytes | None, headers: Mapping[str, str], redact: Callable[[str], str]) -> object:
    """Return what a request carries, free of the session's secrets; None where that is nothing."""
    if content is not None:
        return _content_in_short(content, headers, redact)
    if json is not None:
        return json
    return {name: redact(value) for name, value in headers.items() if name.lower() in _PLACE} or None


def _content_in_short(content: bytes, headers: Mapping[str, str], redact: Callable[[str], str]) -> object:
    """Return the fields of a body, each value cut and free of the session's secrets; else its length."""
    kind = next((value for name, value in headers.items() if name.lower() == "content-type"), "")
    read = _READERS.get(kind.partition(";")[0].strip().lower())
    length = f"{len(content)} bytes"
    if read is None:
        return length
    try:
        fields = list(read(content))
    except ValueError:  # it is not what it says
        return length
    told: dict[str, object] = {}
    for name, value in fields[:MOST]:
        text = redact(value)
        text = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
        known = told.get(name)
        told[name] = text if known is None else [*(known if isinstance(known, list) else [known]), text]
    return {**told, "…": f"and {len(fields) - MOST} more"} if len(fields) > MOST else told


def _form(content: bytes) -> Iterator[Field]:
    yield from parse_qsl(content.decode(), keep_blank_values=True)


def _content_lines(content: bytes) -> Iterator[Field]:
    """Go through the lines of a calendar or a card; the description of a time zone is left out."""
    inside: list[str] = []
    for line in _FOLD.sub("", content.decode()).splitlines():
        found = _LINE.fullmatch(line)
        if found is None:
            continue
        name, value = found[1], found[2]
        if name == "BEGIN":
            inside.append(value)
        elif name == "END":
            del inside[-1:]
        elif "VTIMEZONE" not in inside and name.partition(";")[0] not in _FRAME:
            yield f"VALARM {name}" if "VALARM" in inside else name, value


def _elements(content: bytes) -> Iterator[Field]:
    """Go through the elements of XML that hold no others: their text, or what their attributes say."""
    from lxml import etree

    try:
        root = etree.fromstring(content, etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError as error:
        raise ValueError from error
    for element in root.iter(etree.Element):
        if not len(element):
            said = (element.text or "").strip() or " ".join(map(str, element.attrib.values()))
            yield etree.QName(element).localname, said


_READERS: Final[Mapping[str, Callable[[bytes], Iterator[Field]]]] = {
    "application/x-www-form-urlencoded": _form,
    "text/calendar": _content_lines,
    "text/vcard": _content_lines,
    "application/xml": _elements,
    "text/xml": _elements,
}
