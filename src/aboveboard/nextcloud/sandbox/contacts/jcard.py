"""A card as JSON (jCard), which the real server makes out of its 4.0 form."""

import re

from icalendar.parser import split_on_unescaped_comma, split_on_unescaped_semicolon

from aboveboard.nextcloud.sandbox.contacts.conversion import convert_card
from aboveboard.nextcloud.sandbox.contacts.vcards import Property, VCard

_IN_PARTS = {"N", "ADR", "ORG"}
_LISTS = {"NICKNAME", "CATEGORIES"}
_TYPES = {"REV": "timestamp", "BDAY": "date-and-or-time", **dict.fromkeys(("URL", "IMPP", "RELATED", "PHOTO"), "uri")}


def jcard(card: VCard) -> list[object]:
    """The card as JSON."""
    return ["vcard", [_entry(one) for one in convert_card(card, "4.0").ordered()]]


def _entry(one: Property) -> list[object]:
    kind = one.type.lower() or _TYPES.get(one.name, "unknown" if one.name.startswith("X-") else "text")
    return [one.name.lower(), _params(one), kind, *_values(one)]


def _params(one: Property) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, values in one.params.items():
        if name != "VALUE":
            single = name in {"TYPE", "PREF"} and len(values) == 1
            found[name.lower()] = values[0] if single else values
    return found | ({"group": one.group.upper()} if one.group else {})


def _values(one: Property) -> list[object]:
    if one.name in _IN_PARTS:
        return [split_on_unescaped_semicolon(one.value)]
    if one.name in _LISTS:
        return [*split_on_unescaped_comma(one.value)]
    if one.name == "REV":
        return [re.sub(r"(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z", r"\1-\2-\3T\4:\5:\6Z", one.value)]
    return [one.text]
