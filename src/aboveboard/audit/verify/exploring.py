"""The values that a drafted plan tries for each parameter, and how it puts them together.

A parameter has one usual value and others that a diligent author would try as well: every value of an enum and of a
flag, lists of one, two and five, a text that matches something and one that does not. Each of them is tried alone; then
together, all of them where they are few, and otherwise so that every two of them meet.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import prod
from typing import Any, Final, cast

from aboveboard.audit.evidence import Schema, Tool, singular, words
from aboveboard.audit.facts import same
from aboveboard.audit.verify.inventing import (
    IDS,
    NAMES,
    PROSE,
    QUERIES,
    numbers,
    offered_values,
    real_schema,
    several,
    value_for,
)
from aboveboard.audit.verify.mentioning import mentioned_examples, mentioned_values
from aboveboard.audit.verify.records import Records

FEW: Final = 12
"""So many combinations are all tried."""
LENGTHS: Final = {"one": 1, "two": 2, "five": 5}
NOTHING_THERE: Final = "it names nothing that is there"
MAY_BE_UNKNOWN: Final = "it may have to be there"
TAKEN: Final = "it is there already"
NOT_GIVEN: Final = "it may need one"
NO_MATCH: Final = "no such thing 4711"
LEFT_OUT: Final = object()
"""The value of a parameter that is not given."""


@dataclass(frozen=True)
class Choice:
    """A value that a parameter can be given, and how a case that gives it is called."""

    label: str
    value: Any
    alone: bool = False
    """It makes no sense together with others: what is not there has nothing to change."""
    may_fail: str = ""
    """Why a call with it may well be refused."""


@dataclass(frozen=True)
class Combination:
    """One way to give all parameters of a tool their values."""

    name: str
    arguments: Mapping[str, Any]
    unusual: frozenset[str] = frozenset()
    """The parameters whose value is not the usual one."""
    may_fail: str = ""


def combinations_for(tool: Tool, records: Records) -> list[Combination]:
    """Return what to try of a tool: the usual first, then what differs in one way, then the rest."""
    choices = {name: choices_for(tool, name, schema, records) for name, schema in tool.parameters.items()}
    picks = [dict.fromkeys(choices, 0), *_singles(choices), *_together(choices)]
    found = [_combined(choices, pick) for pick in picks]
    return list({one.name: one for one in found}.values())


def _combined(choices: Mapping[str, Sequence[Choice]], pick: Mapping[str, int]) -> Combination:
    chosen = {name: choices[name][index] for name, index in pick.items()}
    told = [f"{name}{one.label}" for name, one in chosen.items() if pick[name]]
    given = {name: one.value for name, one in chosen.items() if one.value is not LEFT_OUT}
    unusual = [name for name, index in pick.items() if index]
    may_fail = next((chosen[name].may_fail for name in unusual if chosen[name].may_fail), "")
    return Combination(", ".join(told), given, frozenset(unusual), may_fail)


def _singles(choices: Mapping[str, Sequence[Choice]]) -> Iterator[dict[str, int]]:
    for name, values in choices.items():
        for index in range(1, len(values)):
            yield {**dict.fromkeys(choices, 0), name: index}


def _together(choices: Mapping[str, Sequence[Choice]]) -> list[dict[str, int]]:
    """Combine what can be combined: all of it where it is little, else so that each two unusual values meet once."""
    usable = {name: [i for i, one in enumerate(values) if i == 0 or not one.alone] for name, values in choices.items()}
    if prod(len(one) for one in usable.values()) <= FEW:
        every = [dict(zip(usable, pick, strict=True)) for pick in product(*usable.values())]
        return [pick for pick in every if sum(map(bool, pick.values())) > 1]
    pairs = {
        frozenset(((one, i), (other, j)))
        for one, other in combinations(usable, 2)
        for i in usable[one][1:]
        for j in usable[other][1:]
    }
    return list(_covering(usable, pairs))


def _covering(usable: Mapping[str, list[int]], pairs: set[frozenset[tuple[str, int]]]) -> Iterator[dict[str, int]]:
    """Pack pairs into few combinations: begin with one that is left, and add what makes the most others meet."""
    while pairs:
        pick: dict[str, int] = dict(min(pairs, key=sorted))
        for name, indexes in usable.items():
            if name in pick:
                continue
            gains = {
                index: sum(frozenset(((name, index), met)) in pairs for met in pick.items()) for index in indexes[1:]
            }
            best = max(gains, key=lambda index: gains[index], default=0)
            pick[name] = best if gains.get(best) else 0
        pairs -= {frozenset(two) for two in combinations(pick.items(), 2)}
        yield {name: pick[name] for name in usable}


def choices_for(tool: Tool, name: str, schema: Schema, records: Records) -> list[Choice]:
    """Return the values to try for one parameter, the usual one first."""
    node = real_schema(schema, tool.input_schema)
    found = [*_choices(tool, name, node, records)]
    if name in cast("list[Any]", tool.input_schema.get("required") or []):
        return found
    omitted = Choice(" left out", LEFT_OUT)
    if records.names_one(tool, name, node):
        return [*found, Choice(" left out", LEFT_OUT, may_fail=NOT_GIVEN)]
    default = node.get("default")
    return [omitted, *(one for one in found if default is None or not same(one.value, default))]


def _choices(tool: Tool, name: str, node: Schema, records: Records) -> Iterator[Choice]:
    kind = node.get("type")
    if closed := _closed(node):
        yield from map(_is, closed)
    elif kind == "array":
        yield from _lists(tool, name, node, records)
    elif kind == "object" or "properties" in node:
        yield from _objects(tool, name, node, records)
    elif records.names_one(tool, name, node):
        yield from _records(tool, name, node, records)
    elif values := [
        *offered_values(node),
        *(mentioned_values(node) or mentioned_examples(name, tool.description, node)),
    ]:
        only_default = "default" in node and all(same(value, node["default"]) for value in values)
        yield from map(_is, _distinct([*values, *(_beside(name, node, tool.input_schema) if only_default else ())]))
    elif kind in ("integer", "number") or "format" in node:
        yield from map(_is, _distinct(_beside(name, node, tool.input_schema)))
    else:
        yield from _texts(tool, name, node, records)


def _beside(name: str, node: Schema, root: Schema) -> list[Any]:
    """Make up values for a parameter, none of which the schema itself names."""
    bare = {key: value for key, value in node.items() if key != "default"}
    if node.get("type") in ("integer", "number"):
        return numbers(bare)
    return [value_for(name, bare, root, other=other) for other in ((False, True) if "format" in node else (False,))]


def _closed(node: Schema) -> list[Any]:
    """Return the only values that a parameter takes; none where it takes others."""
    if "const" in node:
        return [node["const"]]
    if isinstance(node.get("enum"), list):
        return [value for value in cast("list[Any]", node["enum"]) if value is not None]
    return [False, True] if node.get("type") == "boolean" else []


def _distinct(values: Sequence[Any]) -> list[Any]:
    return [value for index, value in enumerate(values) if not any(same(value, one) for one in values[:index])]


def _records(tool: Tool, name: str, node: Schema, records: Records) -> Iterator[Choice]:
    known, unknown = records.existing(tool, name, node), records.missing(tool, name, node)
    if records.makes(tool, name, node):
        yield Choice(" of none that is there", unknown)
        yield Choice(" of one that is there", known, may_fail=TAKEN)
    else:
        yield Choice(" of one that is there", known)
        yield Choice(" of none that is there", unknown, alone=True, may_fail=NOTHING_THERE)


def _texts(tool: Tool, name: str, node: Schema, records: Records) -> Iterator[Choice]:
    """Return texts for a parameter: what a reading tool looks for is found or not, what a writing one takes is new."""
    last = set(words(name)[-1:])
    new = Choice(" that is new", value_for(name, node, tool.input_schema))
    known = Choice(" that matches", records.text(tool, name))
    if tool.name_reads or last & QUERIES:
        yield from (known, Choice(" that matches nothing", NO_MATCH, alone=True, may_fail=NOTHING_THERE))
    elif last & NAMES:
        yield from (new, known)
    elif last & PROSE or "pattern" in node:
        yield new
    else:
        yield from (known, replace(new, may_fail=MAY_BE_UNKNOWN))


def _lists(tool: Tool, name: str, node: Schema, records: Records) -> Iterator[Choice]:
    items = node.get("items")
    if not isinstance(items, Mapping):
        yield Choice(" empty", [])
        return
    item = real_schema(cast("Schema", items), tool.input_schema)
    yield from (Choice(f"={value}", value) for value in offered_values(node) if isinstance(value, list) and value)
    least, most = node.get("minItems", 0), node.get("maxItems", 100)
    lengths = {what: count for what, count in LENGTHS.items() if least <= count <= most} or {str(least): least}
    if records.names_one(tool, name, item):
        pair = [records.existing(tool, name, item), records.existing(tool, name, item, other=True)]
        if node.get("uniqueItems"):
            lengths.pop("five", None)
        yield from (Choice(f" of {what}", [pair[i % 2] for i in range(count)]) for what, count in lengths.items())
        mixed = [pair[0], records.missing(tool, name, item)]
        yield Choice(" with one that is not there", mixed, alone=True, may_fail=NOTHING_THERE)
        return
    one = "_".join(singular(word) for word in words(name))
    yield from (Choice(f" of {what}", several(one, item, tool.input_schema, count)) for what, count in lengths.items())
    if isinstance(item.get("enum"), list):
        yield from (Choice(f"=[{value}]", [value]) for value in cast("list[Any]", item["enum"])[1:])
    elif "properties" in item and least <= 1 <= most:
        fields = [*_objects(tool, one, item, records)][1:]
        yield from (Choice(f"[]{choice.label}", [choice.value]) for choice in fields)
    elif least <= 1 <= most:
        named = {"description": node.get("description", ""), **item}
        yield from (Choice(f"=[{value}]", [value]) for value in mentioned_values(named))


def _objects(tool: Tool, name: str, node: Schema, records: Records) -> Iterator[Choice]:
    """Return an object with what is required; for each other field and value, one that has it; and one with all."""
    base = value_for(name, node, tool.input_schema)
    full = dict(base)
    yield Choice("", base)
    inner = cast("Mapping[str, Schema]", node.get("properties") or {})
    for key, schema in inner.items():
        if set(words(key)) & IDS:
            continue
        for one in _choices(tool, key, real_schema(schema, tool.input_schema), records):
            if key not in base or not same(base[key], one.value):
                full.setdefault(key, one.value)
                yield Choice(f".{key}{one.label}", {**base, key: one.value})
    if len(full) > len(base) + 1:
        yield Choice(" with every field", full)


def _is(value: Any) -> Choice:
    return Choice(f"={str(value).lower() if isinstance(value, bool) else value}", value)
