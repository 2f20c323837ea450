"""What a server is asked to look for in an address book (addressbook-query)."""

from collections.abc import Sequence

from aboveboard.nextcloud.client.xml import Element, element


def query(*filters: Element, properties: Sequence[str] = (), limit: int | None = None) -> Element:
    """Ask for cards that pass one of the filters: these properties of them, or all."""
    data = element("card:address-data", [_named("card:prop", one) for one in ("VERSION", "UID", *properties)])
    wanted = element("d:prop", [element("d:getetag"), data if properties else element("card:address-data")])
    conditions = element("card:filter", filters)
    conditions.set("test", "anyof")
    cut = [] if limit is None else [element("card:limit", [element("card:nresults", str(limit))])]
    return element("card:addressbook-query", [wanted, conditions, *cut])


def defined(name: str) -> Element:
    """Say that a card has a property."""
    return _named("card:prop-filter", name)


def contains(name: str, text: str) -> Element:
    """Say that a property holds a text, in any case."""
    return _match(name, text, "contains")


def equals(name: str, text: str) -> Element:
    """Say that a property is a text, in any case."""
    return _match(name, text, "equals")


def _match(name: str, text: str, kind: str) -> Element:
    match = element("card:text-match", text)
    match.set("collation", "i;unicode-casemap")
    match.set("match-type", kind)
    return _named("card:prop-filter", name, [match])


def _named(short: str, name: str, content: Sequence[Element] = ()) -> Element:
    made = element(short, content)
    made.set("name", name)
    return made
