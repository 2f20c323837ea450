"""Values for a drafted plan, made up from schemas; TODO where only a person can know."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from aboveboard.audit.evidence import Schema, resolve_reference, words
from aboveboard.audit.facts import same
from aboveboard.audit.verify.tables import TODO

IDS: Final = {"id", "uuid", "slug", "key"}
QUERIES: Final = {"query", "q", "search", "filter", "pattern", "keyword", "term", "word", "phrase"}
NAMES: Final = {"name", "title", "label", "tag", "email", "username", "subject"}
PROSE: Final = {
    "text", "content", "contents", "body", "description", "comment", "message", "line", "summary", "value", "caption",
    "reason", "markdown", "html", "data", "note", "details", "prompt",
}  # fmt: skip
"""The words of parameters that take any text."""
FORMATS: Final = {
    "date": ("2026-01-31", "2026-02-01"),
    "date-time": ("2026-01-31T09:00:00Z", "2026-02-01T10:00:00Z"),
    "time": ("09:00:00Z", "10:00:00Z"),
    "email": ("someone@example.com", "another@example.com"),
    "uri": ("https://example.com/", "https://example.com/another"),
    "url": ("https://example.com/", "https://example.com/another"),
    "uuid": ("00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"),
    "hostname": ("example.com", "another.example.com"),
    "ipv4": ("192.0.2.1", "192.0.2.2"),
}
"""A value of each format, and another one."""


def another(value: Any, taken: Sequence[Any], name: str, schema: Schema, root: Schema) -> Any:
    """Return a value that differs from those that stand there already: writing the same again would change nothing."""
    used = [one for given in taken for one in _leaves(given)]
    if not any(same(leaf, one) for leaf in _leaves(value) for one in used if leaf != TODO):
        return value
    return value_for(name, schema, root, other=True)


def _leaves(value: Any) -> Iterator[Any]:
    """Go through the plain values in a value."""
    if isinstance(value, Mapping):
        for one in cast("Mapping[str, Any]", value).values():
            yield from _leaves(one)
    elif isinstance(value, list):
        for one in cast("list[Any]", value):
            yield from _leaves(one)
    else:
        yield value


def value_for(name: str, schema: Schema, root: Schema, *, other: bool = False) -> Any:
    """Make up a value that fits a schema, or one that differs from the first that comes to mind."""
    node = real_schema(schema, root)
    if "const" in node:
        return node["const"]
    offered = list(offered_values(node))
    if offered and not other:
        return offered[0]
    fresh = next((one for one in offered if not same(one, offered[0])), None)
    if fresh is not None:
        return fresh
    if isinstance(node.get("enum"), list) and offered:
        return offered[0]  # it takes nothing else
    made = _by_type(name, node, root, other=other)
    return made if made != TODO or not offered else offered[0]


def several(name: str, schema: Schema, root: Schema, count: int) -> list[Any]:
    """Make up several values, which differ as far as the schema has it."""
    node = real_schema(schema, root)
    offered = list(offered_values(node))
    first, second = (value_for(name, node, root, other=other) for other in (False, True))
    pool = offered if len(offered) > 1 else [first] if same(first, second) else [first, second]
    if isinstance(first, str) and not offered and len(pool) > 1 and "format" not in node:
        pool += [f"{first} {number}" for number in range(3, count + 1)]
    return [pool[index % len(pool)] for index in range(count)]


def offered_values(node: Schema) -> Iterator[Any]:
    """Go through the values that a schema itself names."""
    if isinstance(node.get("examples"), list):
        yield from cast("list[Any]", node["examples"])
    yield from (node[key] for key in ("example", "default") if node.get(key) is not None)
    if isinstance(node.get("enum"), list):
        yield from cast("list[Any]", node["enum"])


def _by_type(name: str, node: Schema, root: Schema, *, other: bool) -> Any:
    kind = node.get("type")
    kinds = cast("list[Any]", kind) if isinstance(kind, list) else [kind]
    if "boolean" in kinds:
        return other
    if "integer" in kinds or "number" in kinds:
        return _number(node, other=other)
    if "array" in kinds:
        items = node.get("items")
        return [value_for(name, cast("Schema", items), root, other=other)] if isinstance(items, Mapping) else []
    if "object" in kinds or "properties" in node:
        inner = cast("Mapping[str, Schema]", node.get("properties") or {})
        needed = [key for key in cast("list[str]", node.get("required") or []) if key in inner]
        return {key: value_for(key, inner[key], root, other=other) for key in needed}
    if node.get("format") in FORMATS:
        return FORMATS[node["format"]][other]
    if "pattern" in node or IDS & set(words(name)):
        return TODO
    return f"{'Another' if other else 'An'} example {' '.join(words(name))}"[: node.get("maxLength", 200)]


def numbers(node: Schema) -> list[Any]:
    """Return the smallest number that fits, and the largest; where there is none, the one above the smallest."""
    least = _number(node, other=False)
    return [least, node.get("maximum", _number(node, other=True))]


def _number(node: Schema, *, other: bool) -> Any:
    """Return the smallest number that fits, or the one above it."""
    least, most = node.get("minimum", 1), node.get("maximum")
    above = least + 1 if other else least
    return least if most is not None and above > most else above


def real_schema(schema: Schema, root: Schema) -> Schema:
    """Follow references, and take the first alternative, and the first type, that is not null."""
    node = resolve_reference(root, schema)
    for key in ("anyOf", "oneOf", "allOf"):
        arms = [cast("Schema", one) for one in cast("list[Any]", node.get(key) or []) if isinstance(one, Mapping)]
        real = [resolve_reference(root, one) for one in arms if one.get("type") != "null"]
        if real:
            few = key != "allOf" and all(_literals(one) for one in real)
            first: Schema = {"enum": [value for one in real for value in _literals(one)]} if few else real[0]
            return _one_type({**first, **{k: node[k] for k in ("default", "examples", "description") if k in node}})
    return _one_type(node)


def _one_type(node: Schema) -> Schema:
    """Take the first type of several that is not null: `["string", "null"]` is an optional text."""
    types = cast("list[Any]", node["type"]) if isinstance(node.get("type"), list) else []
    real = [one for one in types if one != "null"]
    return {**node, "type": real[0]} if real else node


def _literals(node: Schema) -> list[Any]:
    """Return the values of an alternative that is a few values, as a union of literals is published."""
    return (
        cast("list[Any]", node["enum"])
        if isinstance(node.get("enum"), list)
        else [node[key] for key in ("const",) if key in node]
    )
