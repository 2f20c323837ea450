"""What can be set of a calendar, and where it is kept."""

from collections.abc import Iterable

from aboveboard.nextcloud.sandbox.dav.xml import Element, clark

PROTECTED = {
    clark(name)
    for name in ("cs:getctag", "d:sync-token", "cal:supported-calendar-component-set", "d:getetag", "d:owner")
}
COLUMNS = {
    clark("d:displayname"): "name",
    clark("cal:calendar-description"): "description",
    clark("ical:calendar-color"): "color",
    clark("ical:calendar-order"): "ord",
    clark("cal:calendar-timezone"): "timezone",
    clark("cal:schedule-calendar-transp"): "transparent",
}


def column(name: str, element: Element | None) -> object:
    """What is kept of a property."""
    kept = COLUMNS[name]
    if kept == "transparent":
        return int(element is not None and element.find(clark("cal:transparent")) is not None)
    text = None if element is None else element.text or ""
    return int(text) if kept == "ord" and text and text.isdecimal() else text


def new_values(properties: Iterable[Element]) -> dict[str, object]:
    """The columns of a calendar that is to be made, from the properties given with it."""
    values: dict[str, object] = {}
    for prop in properties:
        if prop.tag in COLUMNS:
            values[COLUMNS[str(prop.tag)]] = column(str(prop.tag), prop)
        elif prop.tag == clark("cal:supported-calendar-component-set"):
            values["components"] = ",".join(comp.get("name") or "" for comp in prop.iterfind(clark("cal:comp")))
        elif prop.tag == clark("cs:source"):
            values["source"] = prop.findtext(clark("d:href"))
    return values
