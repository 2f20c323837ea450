"""DAV's XML: bodies are built and read by the library only, with entities and network off."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final, TypeAlias, cast
from urllib.parse import unquote

from lxml import etree

from aboveboard.errors import ApiError, BadInput

# The class has no public name.
Element: TypeAlias = etree._Element  # pyright: ignore[reportPrivateUsage]

_NAMESPACES: Final = {
    "d": "DAV:",
    "oc": "http://owncloud.org/ns",
    "nc": "http://nextcloud.org/ns",
    "s": "http://sabredav.org/ns",
    "search": "https://github.com/icewind1991/SearchDAV/ns",
    "cal": "urn:ietf:params:xml:ns:caldav",
    "card": "urn:ietf:params:xml:ns:carddav",
    "cs": "http://calendarserver.org/ns/",
    "ical": "http://apple.com/ns/ical/",
    # Calendars and address books have another namespace than files.
    "ncc": "http://nextcloud.com/ns",
}
ROOT: Final = "/remote.php/dav/"

Content: TypeAlias = "str | Sequence[Element]"


@cache  # of the few names that are written in this client
def name(short: str) -> str:
    """Return the full name of `d:href`."""
    prefix, _, local = short.partition(":")
    return f"{{{_NAMESPACES[prefix]}}}{local}"


def element(short: str, content: Content = "", **attributes: str) -> Element:
    """Make an element that holds a text or other elements; `match_type=` is its attribute `match-type`."""
    made = etree.Element(name(short), nsmap={key: _NAMESPACES[key] for key in ("d", "oc", "nc")})
    if isinstance(content, str):
        try:
            made.text = content or None
        except ValueError:
            raise BadInput(f"{content!r} holds characters that cannot be sent.") from None
    else:
        made.extend(content)
    for key, value in attributes.items():
        made.set(key.replace("_", "-"), value)
    return made


def prop(*names: str) -> Element:
    """Make a `d:prop` that asks for properties."""
    return element("d:prop", [element(one) for one in names])


def serialize_xml(root: Element) -> bytes:
    """Return the body of a request."""
    return etree.tostring(root, xml_declaration=True, encoding="utf-8")


@dataclass(frozen=True)
class Resource:
    """One thing in a multistatus: where it is, and those of its properties that it has."""

    place: str
    """Its path below the DAV root, decoded, without slashes around it: `files/ada/Documents/plan.md`."""
    found: dict[str, Element]
    refused: dict[str, int] = field(default_factory=dict[str, int])
    """Properties that could not be read or set, and the status that says why; a 404 is no refusal."""
    status: int = 200

    def text(self, short: str) -> str | None:
        """Return a property's text; None where it is missing or empty."""
        node = self.found.get(name(short))
        return None if node is None else node.text or None

    def number(self, short: str) -> int | None:
        """Return a property's number; None where it is missing or none."""
        try:
            return int(self.text(short) or "")
        except ValueError:
            return None

    def truth(self, short: str) -> bool:
        """Tell whether a property says yes."""
        return (self.text(short) or "").strip().lower() in ("1", "true", "yes")

    @property
    def is_folder(self) -> bool:
        """Tell whether this is a collection."""
        kind = self.found.get(name("d:resourcetype"))
        return kind is not None and kind.find(name("d:collection")) is not None


def parse_xml(body: bytes) -> Element:
    """Read XML that someone else wrote: no entities, no network, no document type."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError):
        raise ApiError("Nextcloud answered with something that is not XML.") from None
    if cast("object", root.getroottree().docinfo.internalDTD) is not None:
        raise ApiError("Nextcloud answered with XML that declares its own document type, which is not read.")
    return root


def multistatus(body: bytes) -> list[Resource]:
    """Read a 207."""
    root = parse_xml(body)
    if root.tag != name("d:multistatus"):
        raise ApiError("Nextcloud answered with XML that is not a list of resources.")
    return [_resource(response) for response in root.iterfind(name("d:response"))]


def message(body: bytes) -> str:
    """Return what an error says in words; errors of SEARCH are plain text, those of proxies pages."""
    try:
        return (parse_xml(body).findtext(name("s:message")) or "").strip()
    except ApiError:
        text = body[:300].decode(errors="replace").strip()
        return "" if "<" in text else text


def place_of(href: str) -> str:
    """Return where an address points, below the DAV root, whatever host and folder the server stands in."""
    _, root, below = href.partition(ROOT)
    return unquote(below if root else href).strip("/")


def _resource(response: Element) -> Resource:
    found: dict[str, Element] = {}
    refused: dict[str, int] = {}
    for status, node in _properties(response):
        if status < 300:
            found[node.tag] = node
        else:
            refused[node.tag] = status
    href = (response.findtext(name("d:href")) or "").strip()
    return Resource(place_of(href), found, refused, _status(response.findtext(name("d:status"))))


def _properties(response: Element) -> Iterator[tuple[int, Element]]:
    """Go through the properties that are there, and those of which it is said why not."""
    for propstat in response.iterfind(name("d:propstat")):
        status = _status(propstat.findtext(name("d:status")))
        if status == 404:
            continue
        for holder in propstat.iterfind(name("d:prop")):
            for node in holder:
                if isinstance(cast("object", node.tag), str):
                    yield status, node


def _status(line: str | None) -> int:
    words = (line or "").split()
    return int(words[1]) if len(words) > 1 and words[1].isdecimal() else 200
