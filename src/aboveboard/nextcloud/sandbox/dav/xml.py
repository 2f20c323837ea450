"""DAV bodies: read with entities and network off, and always built by the library."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias, TypeVar, cast

from lxml import etree

# The class has no public name.
Element: TypeAlias = etree._Element  # pyright: ignore[reportPrivateUsage]

DAV, SABRE = "DAV:", "http://sabredav.org/ns"
OC, NC = "http://owncloud.org/ns", "http://nextcloud.org/ns"
_PREFIXES = {
    "d": DAV,
    "s": SABRE,
    "cal": "urn:ietf:params:xml:ns:caldav",
    "cs": "http://calendarserver.org/ns/",
    "card": "urn:ietf:params:xml:ns:carddav",
    "oc": OC,
    "nc": NC,
    # Calendars have another namespace than files, and colours are Apple's.
    "ncc": "http://nextcloud.com/ns",
    "ical": "http://apple.com/ns/ical/",
}
_ROOT_PREFIXES = {prefix: _PREFIXES[prefix] for prefix in ("d", "s", "oc", "nc")}

# What a property holds: a text, or elements.
Value: TypeAlias = str | Sequence[Element]


_UNPRINTABLE = re.compile("[^\\t\\n\\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class XmlError(Exception):
    """The body is no XML that anyone should read."""


def parse(body: bytes) -> Element:
    """The root element; external entities are left out, as by the real server, and a body with its own is refused."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise XmlError(_words(error)) from error
    dtd = cast("Any", root.getroottree().docinfo.internalDTD)
    if dtd is not None and any(entity.content for entity in dtd.iterentities()):
        raise XmlError("Entities are not allowed\n on line 1, column 1")
    return root


def _words(error: Exception) -> str:
    if isinstance(error, etree.XMLSyntaxError) and error.position:
        line, column = error.position
        return f"{(error.msg or '').partition(', line')[0]}\n on line {line}, column {column}"
    return "Document is empty\n on line 1, column 1"


@cache  # of the few names that are written here
def clark(prefixed: str) -> str:
    """A full name from a short one: "d:href" is "{DAV:}href"."""
    prefix, _, local = prefixed.partition(":")
    return f"{{{_PREFIXES[prefix]}}}{local}"


T = TypeVar("T")


def table(readers: Mapping[str, Callable[[T], Value | None]]) -> dict[str, Callable[[T], Value | None]]:
    """Properties by their full names, from those with short ones."""
    return {clark(name): read for name, read in readers.items()}


def make(name: str, content: Value = "", **attributes: str) -> Element:
    """An element from its short or full name, with a text or with elements inside."""
    element = etree.Element(name if name.startswith("{") else clark(name))
    for key, value in attributes.items():
        element.set(clark(key.replace("__", ":").replace("_", "-")), _printable(value))
    if isinstance(content, str):
        element.text = _printable(content) or None
    else:
        element.extend(content)
    return element


def serialize(name: str, children: Iterable[Element], *, extra: Sequence[str] = ()) -> bytes:
    """A document with this root, all usual prefixes declared there."""
    prefixes = _ROOT_PREFIXES | {prefix: _PREFIXES[prefix] for prefix in extra}
    root = etree.Element(clark(name), nsmap=prefixes)
    root.extend(children)
    etree.cleanup_namespaces(root, top_nsmap=prefixes, keep_ns_prefixes=list(prefixes))
    return b'<?xml version="1.0"?>\n' + etree.tostring(root, encoding="utf-8") + b"\n"


def texts(parent: Element, name: str) -> list[str]:
    """The texts of the children of this name."""
    return [(child.text or "").strip() for child in parent.iterfind(clark(name))]


def children(parent: Element) -> list[Element]:
    """The child elements, without comments and entities."""
    return [child for child in parent if isinstance(cast("object", child.tag), str)]


def _printable(text: str) -> str:
    """A text without what XML cannot hold."""
    return text if text.isprintable() and text.isascii() else _UNPRINTABLE.sub("", text)
