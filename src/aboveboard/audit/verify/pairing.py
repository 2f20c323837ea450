"""Pairs that a tool arranges by itself: called with one value, measured with another on the same record.

What is empty in a fresh record is only filled by a first call; whether the second loses what the first put there is
seen with another value alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from aboveboard.audit.evidence import Schema, Tool, words
from aboveboard.audit.facts import same
from aboveboard.audit.verify.exploring import Combination
from aboveboard.audit.verify.inventing import another, real_schema, several
from aboveboard.audit.verify.records import Records
from aboveboard.audit.verify.values import names_in

MOST: Final = 6
"""How many pairs a tool gets."""


@dataclass(frozen=True)
class Pair:
    """Two calls of one tool."""

    name: str
    first: Mapping[str, Any]
    then: Mapping[str, Any]


def pairs_for(tool: Tool, usual: Combination, others: Sequence[Combination], records: Records) -> list[Pair]:
    """Return the pairs of a tool; one that is called a reading has nothing to put there."""
    if tool.name_reads:
        return []
    return [*_pairs(tool, usual, others, records)][:MOST]


def _pairs(tool: Tool, usual: Combination, others: Sequence[Combination], records: Records) -> Iterator[Pair]:
    first = dict(usual.arguments)
    about = next((name for name, value in first.items() if [*names_in(value)]), "")
    changed = {name: value for name in first if name != about for value in _others(tool, name, first[name], records)}
    if len(changed) > 1:
        yield Pair("other values after the first", first, {**first, **changed})
    for name, value in changed.items():
        yield Pair(f"another {name} after the first", first, {**first, name: value})
    for name in tool.parameters:
        alone = [one.arguments for one in others if one.unusual == frozenset({name}) and not one.may_fail]
        given = [one for one in alone if name in one]
        yield from _field_pairs(tool, name, given) if _is_object(tool, name) else ()
        for one in given[-1:] if isinstance(first.get(name), list) else ():
            yield from _list_pairs(tool, name, first, one, records)
        for one in given[:1] if name not in first and not _is_object(tool, name) else ():
            tried = [other[name] for other in given[1:]]
            yield from (
                Pair(f"another {name} after the first", one, {**one, name: value})
                for value in [*tried, *_others(tool, name, one[name], records)][:1]
            )


def _others(tool: Tool, name: str, value: Any, records: Records) -> list[Any]:
    """Return a value that differs from a given one, if one can be made up."""
    schema, root = tool.parameters[name], tool.input_schema
    node = real_schema(schema, root)
    if records.names_one(tool, name, node):
        second = records.existing(tool, name, node, other=True) if [*names_in(value)] else value
        return [second] if second != value else []
    if _lists_records(tool, name, records):
        return [[records.existing(tool, name, _item(tool, name), other=True)]]
    made = another(value, [value], name, schema, root)
    return [] if same(made, value) else [made]


def _list_pairs(
    tool: Tool, name: str, first: Mapping[str, Any], more: Mapping[str, Any], records: Records
) -> Iterator[Pair]:
    """Put one item there, and then several others: where it is among them, nobody sees whether it was lost."""
    told = f"more {name} after the first"
    if _lists_records(tool, name, records):
        other = records.existing(tool, name, _item(tool, name), other=True)
        yield Pair(told, first, {**first, name: [other] * len(more[name])})
        return
    fresh = several("_".join(words(name)), _item(tool, name), tool.input_schema, len(more[name]) + 1)[-1]
    if not any(same(fresh, one) for one in more[name]):
        yield Pair(told, {**first, name: [fresh]}, more)


def _item(tool: Tool, name: str) -> Schema:
    items = real_schema(tool.parameters[name], tool.input_schema).get("items")
    return real_schema(cast("Schema", items), tool.input_schema) if isinstance(items, Mapping) else {}


def _lists_records(tool: Tool, name: str, records: Records) -> bool:
    listed = real_schema(tool.parameters[name], tool.input_schema).get("type") == "array"
    return listed and records.names_one(tool, name, _item(tool, name))


def _is_object(tool: Tool, name: str) -> bool:
    return "properties" in real_schema(tool.parameters[name], tool.input_schema)


def _field_pairs(tool: Tool, name: str, given: Sequence[Mapping[str, Any]]) -> Iterator[Pair]:
    """Go through the fields of an object that calls give, and give each another value in a second call."""
    fields = cast("Mapping[str, Any]", real_schema(tool.parameters[name], tool.input_schema).get("properties"))
    done: set[str] = set()
    for one in given:
        for field, value in one[name].items():
            made = another(value, [value], field, fields.get(field, {}), tool.input_schema)
            if field not in done and not same(made, value):
                done.add(field)
                then = {**one, name: {**one[name], field: made}}
                yield Pair(f"another {name}.{field} after the first", one, then)
