"""Changes to what a contact has several of: addresses of all kinds, numbers, links.

A line whose value stays keeps all it has. One that is to go and one of the same types that is to come are taken for
the same thing with another value.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from aboveboard.errors import BadInput
from aboveboard.nextcloud.client.contacts.cards import Card
from aboveboard.nextcloud.client.contacts.changes import ADDRESS, Given, addresses, entries
from aboveboard.nextcloud.client.contacts.description import types_of, value_of
from aboveboard.nextcloud.client.content_lines import Line, escape_text, piece_name, split_value, unescape_value

_TYPE: Final = re.compile(r"[A-Za-z0-9-]+")


def set_entries(name: str) -> Callable[[Card, Mapping[str, str]], None]:
    """Return what makes the e-mail addresses, numbers or links of a card those that are given."""

    def texts(line: Line) -> list[str]:
        return [value_of(line)]

    def written(one: Given, line: Line | None) -> str:
        return _value(name, one.texts[0], line)

    def change(card: Card, given: Mapping[str, str]) -> None:
        _set(card, name, entries(given), texts, written)

    return change


def set_addresses(card: Card, given: Sequence[Mapping[str, str]]) -> None:
    """Make the addresses of a card those that are given."""

    def texts(line: Line) -> list[str]:
        parts = [unescape_value(part) for part in split_value(line.value, ";")][: len(ADDRESS)]
        return parts + [""] * (len(ADDRESS) - len(parts))

    def written(one: Given, _: Line | None) -> str:
        return ";".join(map(escape_text, one.texts))

    _set(card, "ADR", addresses(given), texts, written)


def _set(
    card: Card,
    name: str,
    wanted: Sequence[Given],
    texts: Callable[[Line], Sequence[str]],
    written: Callable[[Given, Line | None], str],
) -> None:
    lines = card.named(name)
    pairs = _paired(lines, wanted, texts)
    card.remove([line for line in lines if not any(line is used for _, used in pairs)])
    for one, line in pairs:
        if line is None:
            card.add(name, written(one, None), _type_pieces(one.types or [], card.version))
            continue
        same = texts(line) == one.texts
        pieces = line.pieces if one.types is None else _marked(line, one.types, card.version)
        # How the old address is printed says nothing of the new one.
        pieces = pieces if same else [piece for piece in pieces if piece_name(piece) != "LABEL"]
        card.replace(line, line.with_pieces(pieces, line.value if same else written(one, line)))


def _paired(
    lines: Sequence[Line], wanted: Sequence[Given], texts: Callable[[Line], Sequence[str]]
) -> list[tuple[Given, Line | None]]:
    """Find for each thing the line that it is, or was before it got another value."""

    def same_value(line: Line, one: Given) -> bool:
        return texts(line) == one.texts

    free = list(lines)
    found: dict[int, Line] = {}
    for same in (same_value, _same_types):
        for place, one in enumerate(wanted):
            line = next((line for line in free if same(line, one)), None) if place not in found else None
            if line is not None:
                found[place] = line
                free = [other for other in free if other is not line]
    return [(one, found.get(place)) for place, one in enumerate(wanted)]


def _same_types(line: Line, one: Given) -> bool:
    return one.types is not None and set(types_of(line)) == {kind.lower() for kind in one.types}


def _value(name: str, text: str, line: Line | None) -> str:
    """Return a text as the value of a line, which may hold an address rather than a text."""
    if name == "URL" or (line is not None and line.parameter("VALUE")[:1] in (["uri"], ["URI"])):
        address = f"tel:{text.replace(' ', '-')}" if name == "TEL" else text
        if not address.isprintable() or " " in address:
            raise BadInput(f"{text!r} is not an address.", next_step="Write it without spaces and line breaks.")
        return address
    return escape_text(text)


def _marked(line: Line, types: Sequence[str], version: str) -> list[str]:
    """Return what stands before the value with other types; everything else keeps its place and spelling."""
    if set(types_of(line)) == {kind.lower() for kind in types}:
        return line.pieces
    first, *others = line.pieces
    kept = [piece for piece in others if piece_name(piece) not in {"TYPE", "PREF"}]
    return [first, *_type_pieces(types, version), *kept]


def _type_pieces(types: Sequence[str], version: str) -> list[str]:
    """Return the parameters that say the types; which one is preferred is a type in 3.0, and a number in 4.0."""
    for kind in types:
        if not _TYPE.fullmatch(kind):
            raise BadInput(f"{kind!r} is not a type.", next_step="Use words such as home, work or cell.")
    names = list(dict.fromkeys(kind.lower() for kind in types))
    if version != "4.0":
        return [f"TYPE={','.join(name.upper() for name in names)}"] if names else []
    plain = ",".join(name for name in names if name != "pref")
    return [*([f"TYPE={plain}"] if plain else []), *(["PREF=1"] if "pref" in names else [])]
