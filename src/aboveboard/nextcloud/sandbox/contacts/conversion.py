"""A card in the other version, as sabre/vobject converts it: groups in capitals, another order, some things lost."""

import base64
import re
from collections.abc import Iterable

from aboveboard.nextcloud.sandbox.contacts.vcards import PRODUCT, Property, VCard

_NO_YEAR = "X-APPLE-OMIT-YEAR"
_ANNIVERSARY = "_$!<Anniversary>!$_"
_PICTURES = {"PHOTO", "LOGO", "SOUND"}
_LEFT_OUT = {"VERSION", "PRODID"}
_URIS = {"URL", "PHOTO"}
_TO_3 = {"MEMBER": "X-ADDRESSBOOKSERVER-MEMBER"}
_TO_4 = {"X-ADDRESSBOOKSERVER-MEMBER": "MEMBER"}


def convert_card(card: VCard, version: str) -> VCard:
    """The card in a version; it is itself where it is in that one."""
    if card.version == version:
        return card
    made = VCard([Property("VERSION", version), Property("PRODID", PRODUCT)])
    to_one = _to_3 if version == "3.0" else _to_4
    for one in card.ordered():
        if one.name not in _LEFT_OUT:
            made.properties += [_marked(new) for new in to_one(one, card, made)]
    return made


def _marked(one: Property) -> Property:
    """The property with its kind of value as the last of its parameters, where that has to be said."""
    kind = one.params.pop("VALUE", None)
    if kind:
        one.params["VALUE"] = [kind[0].upper()]
    elif one.name in _URIS and "ENCODING" not in one.params:
        one.params["VALUE"] = ["URI"]
    return one


def _to_3(one: Property, card: VCard, _: VCard) -> Iterable[Property]:
    if one.name == "KIND":
        return _kind(one)
    params: dict[str, list[str]] = {}
    for name, values in one.params.items():
        if name == "PREF":
            params.setdefault("TYPE", []).extend(["PREF"] if values == ["1"] else [])
        else:
            params.setdefault(name, []).extend(values)
    new = Property(
        _TO_3.get(one.name, one.name), one.value, one.group, {key: value for key, value in params.items() if value}
    )
    if one.name in _PICTURES and one.text.startswith("data:"):
        return [_from_data(new)]
    if one.name in {"BDAY", "ANNIVERSARY"} and (day := re.fullmatch(r"--(\d\d)-?(\d\d)", one.value)):
        new.params[_NO_YEAR], new.value = ["1604"], f"1604-{day[1]}-{day[2]}"
    if one.name == "ANNIVERSARY" and one.type != "UNKNOWN":
        return _anniversary(new, card)
    return [new]


def _kind(one: Property) -> list[Property]:
    if one.value.lower() == "individual":
        return []
    return [Property("X-ADDRESSBOOKSERVER-KIND", one.value.upper(), one.group)]


def _anniversary(one: Property, card: VCard) -> list[Property]:
    one.params.setdefault("VALUE", ["DATE-AND-OR-TIME"])
    used = {other.group.lower() for other in card.properties}
    group = next(f"item{number}" for number in range(1, 999) if f"item{number}" not in used)
    day = Property("X-ABDATE", one.value, group, {**one.params})
    one.name = "X-ANNIVERSARY"
    return [day, Property("X-ABLABEL", _ANNIVERSARY, group), one]


def _from_data(one: Property) -> Property:
    """A picture within the card; what its address says of its type is a word in 3.0."""
    head, _, data = one.text.partition(",")
    kind = head.removeprefix("data:").partition(";")[0].rpartition("/")[2].upper()
    return Property(one.name, data, one.group, {"ENCODING": ["b"], "TYPE": [kind]})


def _to_4(one: Property, card: VCard, made: VCard) -> Iterable[Property]:
    if one.name in {"NAME", "MAILER", "LABEL", "CLASS"}:
        return []
    if one.name == "X-ADDRESSBOOKSERVER-KIND":
        return [Property("KIND", one.value.upper(), one.group)]
    if one.name == "X-ABLABEL" and one.value == _ANNIVERSARY:
        return []
    name = _TO_4.get(one.name, one.name)
    if one.name in {"X-ANNIVERSARY", "X-ABDATE"} and (one.name != "X-ABDATE" or _labelled(one, card)):
        name = "ANNIVERSARY"
        if any(other.value == one.value for other in made.named(name)):
            return []
    new = Property(name, one.value, one.group, _params_of_4(one))
    if one.name in _PICTURES and "ENCODING" in one.params:
        return [_to_data(one)]
    if _NO_YEAR in new.params:
        year = new.params.pop(_NO_YEAR)[0]
        new.value = f"--{new.value.removeprefix(f'{year}-')}"
    _say_type_of_day(one, new)
    return [new]


def _labelled(one: Property, card: VCard) -> bool:
    return any(other.group == one.group and other.value == _ANNIVERSARY for other in card.named("X-ABLABEL"))


def _say_type_of_day(one: Property, new: Property) -> None:
    if one.name == "X-ANNIVERSARY":
        new.params.setdefault("VALUE", ["UNKNOWN"])
    if new.name == "ANNIVERSARY" and new.type == "DATE-AND-OR-TIME":
        del new.params["VALUE"]


def _params_of_4(one: Property) -> dict[str, list[str]]:
    params: dict[str, list[str]] = {}
    for name, values in one.params.items():
        if name in {"ENCODING", "CHARSET"}:
            continue
        for value in values:
            if name == "TYPE" and value.upper() == "PREF":
                params["PREF"] = ["1"]
            else:
                params.setdefault(name, []).append(value)
    return params


def _to_data(one: Property) -> Property:
    kind = "".join(one.params.get("TYPE", [])[:1]).lower()
    media = f"image/{kind}" if kind else "application/octet-stream"
    return Property(one.name, f"data:{media};base64,{one.value}", one.group, {"VALUE": ["URI"]})


def photo(card: VCard) -> tuple[str, bytes] | None:
    """The picture in a card with its type, where the real server shows it: not one that is elsewhere, nor an SVG."""
    for one in card.named("PHOTO"):
        held = _from_data(one) if one.text.startswith("data:") else one
        kind = "".join(held.params.get("TYPE", [])[:1]).lower()
        if "ENCODING" in held.params and kind in {"png", "jpeg", "gif", "vnd.microsoft.icon"}:
            return f"image/{kind}", base64.b64decode(held.value)
    return None
