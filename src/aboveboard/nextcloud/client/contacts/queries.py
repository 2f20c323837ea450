"""What a server is asked to look for in an address book (addressbook-query, addressbook-multiget)."""

from collections.abc import Sequence

from aboveboard.nextcloud.client.xml import Element, element


def query(*filters: Element, properties: Sequence[str], limit: int | None = None) -> Element:
    """Ask for cards that pass one of the filters: these properties of them."""
    wanted = _wanted(properties)
    cut = [] if limit is None else [element("card:limit", [element("card:nresults", str(limit))])]
    return element("card:addressbook-query", [wanted, element("card:filter", filters, test="anyof"), *cut])


def multiget(places: Sequence[str], *, properties: Sequence[str]) -> Element:
    """Ask for cards by their addresses: these properties of them."""
    return element("card:addressbook-multiget", [_wanted(properties), *(element("d:href", one) for one in places)])


def _wanted(properties: Sequence[str]) -> Element:
    data = element("card:address-data", [element("card:prop", name=one) for one in ("VERSION", "UID", *properties)])
    return element("d:prop", [element("d:getetag"), data])


def defined_filter(name: str) -> Element:
    """Say that a card has a property."""
    return element("card:prop-filter", name=name)


def contains(name: str, text: str) -> Element:
    """Say that a property holds a text, in any case."""
    return _match(name, text, "contains")


def equals(name: str, text: str) -> Element:
    """Say that a property is a text, in any case."""
    return _match(name, text, "equals")


def _match(name: str, text: str, kind: str) -> Element:
    match = element("card:text-match", text, collation="i;unicode-casemap", match_type=kind)
    return element("card:prop-filter", [match], name=name)
