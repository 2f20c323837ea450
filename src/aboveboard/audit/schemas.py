"""JSON Schema, as far as rules need it: is it one, does a value fit it, what does it point to; nothing is fetched."""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, cast

from aboveboard.audit import raw

Schema = Mapping[str, Any]
_SHORT: Final = 10_000
"""Characters of a value of which it is remembered whether it fits."""


def schema_problem(schema: Schema) -> str | None:
    """Say why something is no JSON Schema; None where it is one."""
    return _problem(raw.dump(schema))


@lru_cache(maxsize=4096)  # several rules and profiles ask about the same schema, and the answer is slow to find
def _problem(text: str) -> str | None:
    from jsonschema.exceptions import SchemaError

    schema = cast("dict[str, Any]", json.loads(text))
    try:
        _validator_class(schema).check_schema(schema)
    except SchemaError as error:
        place = "/".join(str(part) for part in cast("Any", error).absolute_path)
        return _clipped(str(error.message)) + (f" (at {place})" if place else "")
    return next(
        (f"{pointer} points to nothing" for pointer in pointers(schema) if not _resolves(schema, pointer)), None
    )


def mismatch(value: Any, schema: Schema) -> str | None:
    """Say where a value does not fit a schema; None where it fits, or where the schema cannot tell."""
    text = raw.dump(value)
    judged = _mismatch if len(text) < _SHORT else _mismatch.__wrapped__
    return judged(text, raw.dump(schema))


@lru_cache(maxsize=1024)  # defaults and examples are asked about for each profile, an answer once
def _mismatch(value_text: str, schema_text: str) -> str | None:
    import jsonschema.exceptions
    import referencing
    from referencing.exceptions import Unresolvable

    if _problem(schema_text) is not None:
        return None
    schema = cast("dict[str, Any]", json.loads(schema_text))
    validator = _validator_class(schema)(schema, registry=cast("Any", referencing).Registry())
    try:
        error = cast("Any", jsonschema.exceptions).best_match(validator.iter_errors(json.loads(value_text)))
    except Unresolvable:
        return None
    if error is None:
        return None
    place = "".join(f"/{part}" for part in error.absolute_path)
    return f"{_clipped(str(error.message))}" + (f" at {place}" if place else "")


def nodes(schema: Any, place: str = "") -> Iterator[tuple[str, Schema]]:
    """Go through a schema and the schemas within it, with their places; what stands in examples is data."""
    if isinstance(schema, Mapping):
        schema = cast("Schema", schema)
        yield place, schema
        for key, inner in schema.items():
            if key in ("default", "enum", "const", "examples", "example"):
                continue
            if key in ("properties", "$defs", "definitions", "patternProperties") and isinstance(inner, Mapping):
                for name, one in cast("Schema", inner).items():
                    yield from nodes(one, f"{place}/{key}/{name}")
            else:
                yield from nodes(inner, f"{place}/{key}")
    elif isinstance(schema, list):
        for index, inner in enumerate(cast("list[Any]", schema)):
            yield from nodes(inner, f"{place}/{index}")


def pointers(schema: Schema) -> list[str]:
    """Return the references within a schema that point into the schema itself."""
    found = (node.get("$ref") for _, node in nodes(schema))
    return [pointer for pointer in found if isinstance(pointer, str) and pointer.startswith("#/")]


def resolve_reference(root: Schema, node: Schema) -> Schema:
    """Follow a reference into the same schema, once."""
    pointer = node.get("$ref")
    target = _target(root, pointer) if isinstance(pointer, str) and pointer.startswith("#/") else None
    return cast("Schema", target) if isinstance(target, Mapping) else node


def _resolves(root: Schema, pointer: str) -> bool:
    return _target(root, pointer) is not None


def _target(root: Schema, pointer: str) -> Any:
    at: Any = root
    for part in pointer.removeprefix("#/").split("/"):
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(at, Mapping):
            at = cast("Schema", at).get(key)
        elif isinstance(at, list) and key.isdigit() and int(key) < len(cast("list[Any]", at)):
            at = cast("list[Any]", at)[int(key)]
        else:
            return None
    return at


def _validator_class(schema: Schema) -> Any:
    from jsonschema import Draft202012Validator
    from jsonschema.validators import validator_for

    return validator_for(cast("Any", schema), default=Draft202012Validator)


def _clipped(text: str) -> str:
    return text if len(text) <= 160 else text[:159] + "…"
