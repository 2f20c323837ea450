"""Values that a published schema accepts, made from the schema alone."""

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, cast

import jsonschema_rs
from hypothesis import strategies as st

Schema = dict[str, Any]

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | NUMBERS | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


# What a schema says of the values of a kind and the strategy for it heeds; whatever else it says is left to a filter.
HEEDED = {
    **{kind: {"type"} for kind in ("null", "boolean", "number")},
    "integer": {"type", "minimum", "maximum"},
    "string": {"type", "minLength", "maxLength"},
    "array": {"type", "items", "minItems", "maxItems"},
    "object": {"type", "properties", "required", "additionalProperties"},
}
SAID = {"title", "description", "default", "examples"}


def accepted(schema: Schema) -> st.SearchStrategy[Any]:
    """Make values that are valid under a schema."""
    return _made(schema).filter(validator(schema).is_valid)


def _made(schema: Schema) -> st.SearchStrategy[Any]:
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        return st.one_of([_made(arm) for arm in schema["anyOf"]])
    kinds = schema.get("type")
    if isinstance(kinds, list):
        return st.one_of([_made({**schema, "type": kind}) for kind in cast("list[str]", kinds)])
    if kinds == "array":
        items = _made(schema.get("items", {}))
        lists = st.lists(items, min_size=schema.get("minItems", 0), max_size=schema.get("maxItems", 4))
        return _heeding(lists, schema)
    if kinds == "object":
        return _heeding(_objects(schema), schema)
    said = {"title", "default", "examples"} if _is_json(schema) else SAID
    return _single(json.dumps({key: value for key, value in schema.items() if key not in said}))


@cache  # hundreds of parameters differ in nothing but what is said of them, and Hypothesis looks at each strategy anew
def _single(text: str) -> st.SearchStrategy[Any]:
    schema: Schema = json.loads(text)
    if "type" not in schema:
        return ANYTHING
    made = {
        "null": lambda: st.none(),
        "boolean": lambda: st.booleans(),
        "string": lambda: _texts(schema),
        "integer": lambda: _integers(schema),
        "number": lambda: _integers(schema) | NUMBERS,
    }[schema["type"]]()
    return _heeding(made, schema)


def _heeding(made: st.SearchStrategy[Any], schema: Schema) -> st.SearchStrategy[Any]:
    """Leave out what is not valid, where a strategy does not see to it by itself."""
    heeded = HEEDED[schema["type"]] | SAID
    return made if schema.keys() <= heeded else made.filter(validator(schema).is_valid)


def _is_json(schema: Schema) -> bool:
    return schema.get("description", "").startswith("JSON object")


def _texts(schema: Schema) -> st.SearchStrategy[str]:
    if _is_json(schema):
        return st.dictionaries(st.text(max_size=5), ANYTHING, max_size=3).map(json.dumps)
    if "pattern" in schema:
        # To JSON Schema and pydantic "$" is the very end, to Python's re it may stand before a last newline.
        # To JSON Schema "\\w" is of ASCII; of other letters, Python and pydantic count different ones.
        texts: st.SearchStrategy[str] = st.from_regex(re.compile(str(schema["pattern"]), re.ASCII), fullmatch=True)
        return texts.filter(lambda text: not text.endswith("\n"))
    if schema.get("format") == "date":
        return st.dates().map(lambda day: day.isoformat())
    if schema.get("format") == "date-time":
        return st.datetimes().map(lambda moment: f"{moment.isoformat()}Z")
    return st.text(min_size=schema.get("minLength", 0), max_size=schema.get("maxLength", 30))


def _integers(schema: Schema) -> st.SearchStrategy[Any]:
    least = schema.get("minimum", schema.get("exclusiveMinimum", -(2**53)))
    most = schema.get("maximum", schema.get("exclusiveMaximum", 2**53))
    step = schema.get("multipleOf", 1)
    whole = st.integers(-(-least // step), most // step).map(lambda number: number * step)
    return whole | whole.map(float)  # to JSON Schema, 5.0 is an integer


def _objects(schema: Schema) -> st.SearchStrategy[dict[str, Any]]:
    properties: dict[str, Schema] = schema.get("properties", {})
    required = schema.get("required", [])
    known = st.fixed_dictionaries(
        {name: _made(properties[name]) for name in required},
        optional={name: _made(inner) for name, inner in properties.items() if name not in required},
    )
    if properties or schema.get("additionalProperties") is False:
        return known
    least, most = schema.get("minProperties", 0), schema.get("maxProperties", 3)
    return st.dictionaries(st.text(), _made(schema.get("additionalProperties", {})), min_size=least, max_size=most)


def is_valid(value: Any, schema: Schema) -> bool:
    return validator(schema).is_valid(value)


def validator(schema: Schema) -> jsonschema_rs.Draft202012Validator:
    """Make a schema ready to judge values, which takes longer than to judge one."""
    return jsonschema_rs.Draft202012Validator(schema)


def every_part(schema: object, at: str = "") -> Iterator[tuple[str, Schema]]:
    """Walk a schema: each schema in it, with the place where it stands."""
    if not isinstance(schema, dict):
        return
    part = cast("Schema", schema)
    yield at, part
    for name, inner in part.get("properties", {}).items():
        yield from every_part(inner, f"{at}/{name}")
    for keyword in ("items", "additionalProperties"):
        yield from every_part(part.get(keyword), f"{at}/{keyword}")
    for number, arm in enumerate(part.get("anyOf", [])):
        yield from every_part(arm, f"{at}/anyOf/{number}")
