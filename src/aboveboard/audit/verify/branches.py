"""The values that a definition offers, and which of them the calls took: of one that no call took, nothing is known."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

from aboveboard.audit.evidence import Schema, Tool, resolve_reference
from aboveboard.audit.facts import same

DEEPEST: Final = 5
"""How far into objects and lists a definition is followed: one that refers to itself has no end."""
EACH: Final = "[]"
"""The part of a place that stands for every item of a list."""
NO_DEFAULT: Final = object()


@dataclass
class Offer:
    """A parameter, or a field within one, that takes one of a few values."""

    place: tuple[str, ...]
    values: list[Any] = field(default_factory=list[Any])
    default: Any = NO_DEFAULT

    @property
    def name(self) -> str:
        """Where it stands: `sort`, `filter.kind`, `rows[].state`."""
        return ".".join(self.place).replace(f".{EACH}", EACH)

    def missing(self, calls: Sequence[Mapping[str, Any]]) -> list[Any]:
        """Return the values that no call gave; a default is given by leaving it out."""
        given = [value for call in calls for value in _given(call, self.place, self.default)]
        return [one for one in self.values if not any(same(one, value) for value in given)]


def offers(tool: Tool) -> list[Offer]:
    """Return every enumeration and every flag that a tool takes."""
    found: dict[tuple[str, ...], Offer] = {}
    for name, schema in tool.parameters.items():
        _collect(tool.input_schema, schema, (name,), found)
    return list(found.values())


def untried_values(tool: Tool, calls: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the values that no call took: `action=delete`."""
    return [f"{offer.name}={_shown(value)}" for offer in offers(tool) for value in offer.missing(calls)]


def coverage(tool: Tool, calls: Sequence[Mapping[str, Any]]) -> list[str]:
    """Say how many values of each enumeration and flag were tried, `1 of 3 values of sort`, and what all calls gave."""
    told = [(len(offer.values), len(offer.missing(calls)), offer.name) for offer in offers(tool)]
    tried = [f"{total - left} of {total} values of {name}" for total, left, name in told]
    always = _always_given(tool, calls, {name for _, _, name in told})
    return [*tried, *([f"always with {', '.join(always)}"] if always else [])]


def _always_given(tool: Tool, calls: Sequence[Mapping[str, Any]], offered: Collection[str]) -> list[str]:
    """Return the parameters that may be left out, and that every call gave: nobody knows what is done without them."""
    required: Any = tool.input_schema.get("required")
    needed = {*cast("list[Any]", required)} if isinstance(required, list) else set[Any]()
    free = [name for name in tool.parameters if name not in needed and name not in offered]
    return [name for name in free if calls and all(name in call for call in calls)]


def _collect(
    root: Schema, schema: Schema, place: tuple[str, ...], found: dict[tuple[str, ...], Offer], depth: int = 0
) -> None:
    node = resolve_reference(root, schema)
    values = list(_values(node))
    if values:
        offer = found.setdefault(place, Offer(place))
        offer.values += [one for one in values if not any(same(one, known) for known in offer.values)]
    if depth < DEEPEST:
        for inner, part in _inner(node):
            _collect(root, inner, (*place, part) if part else place, found, depth + 1)
    if place in found and schema.get("default", node.get("default")) is not None:
        found[place].default = schema.get("default", node.get("default"))


def _values(node: Schema) -> Iterator[Any]:
    if isinstance(node.get("enum"), list):
        yield from (one for one in cast("list[Any]", node["enum"]) if one is not None)
    elif "const" in node:
        yield node["const"]
    elif node.get("type") == "boolean" or node.get("type") == ["boolean", "null"]:
        yield from (False, True)


def _inner(node: Schema) -> Iterator[tuple[Schema, str]]:
    """Go through what lies within: alternatives at the same place, fields, items."""
    for key in ("anyOf", "oneOf", "allOf"):
        yield from ((one, "") for one in _schemas(node.get(key)))
    properties = node.get("properties")
    if isinstance(properties, Mapping):
        yield from ((one, name) for name, one in cast("Mapping[str, Any]", properties).items() if _is_schema(one))
    yield from ((one, EACH) for one in _schemas([node.get("items")]))


def _schemas(given: Any) -> Iterator[Schema]:
    if isinstance(given, list):
        yield from (cast("Schema", one) for one in cast("list[Any]", given) if _is_schema(one))


def _is_schema(one: Any) -> bool:
    return isinstance(one, Mapping)


def _given(value: Any, place: Sequence[str], default: Any) -> Iterator[Any]:
    """Go through the values that a call has at a place."""
    if not place:
        yield value
    elif place[0] == EACH:
        for one in cast("list[Any]", value) if isinstance(value, list) else ():
            yield from _given(one, place[1:], default)
    elif isinstance(value, Mapping):
        known = cast("Mapping[str, Any]", value)
        if place[0] in known:
            yield from _given(known[place[0]], place[1:], default)
        elif len(place) == 1 and default is not NO_DEFAULT:
            yield default


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
