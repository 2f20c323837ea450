"""JSON Schemas from type annotations, as small as they can be.

Every user pays for definitions in tokens on every conversation, and some clients refuse `$ref` and `anyOf`. So an
optional value is a property that is not required, nested models stand where they are used, and nothing is titled.
What takes more forms than are published says which one it publishes (`pydantic.WithJsonSchema`).
"""

import types
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, WithJsonSchema
from pydantic.fields import FieldInfo

Schema = dict[str, Any]

_SCALARS: dict[object, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    datetime: {"type": "string", "format": "date-time"},
    date: {"type": "string", "format": "date"},
    Any: {},
    object: {},
}

_LIMITS = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
    "pattern": "pattern",
}


Nested = Callable[[type[BaseModel]], Schema]
"""How a model within is described: it is given by a caller, or it is part of a result."""


def object_schema(fields: Mapping[str, FieldInfo], *, closed: bool) -> Schema:
    """Describe an object that callers give; a closed one takes no other properties."""
    required = [name for name, field in fields.items() if field.is_required()]
    schema = _object_schema(fields, required, _given_schema)
    return {**schema, "additionalProperties": False} if closed else schema


def result_schema(model: type[BaseModel]) -> Schema:
    """Describe a result; what may be absent is not required."""
    fields = {name: field for name, field in model.model_fields.items() if not field.exclude}
    required = [name for name, field in fields.items() if not _may_be_none(field.annotation)]
    return _object_schema(fields, required, result_schema)


def _given_schema(model: type[BaseModel]) -> Schema:
    return object_schema(model.model_fields, closed=model.model_config.get("extra") == "forbid")


def _object_schema(fields: Mapping[str, FieldInfo], required: list[str], nested: Nested) -> Schema:
    # Also where there are none: OpenAI refuses all tools of a request for one without properties.
    properties = {name: _field_schema(field, nested) for name, field in fields.items()}
    schema: Schema = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    return schema


def _field_schema(field: FieldInfo, nested: Nested) -> Schema:
    """Describe one parameter or property, its limits, description and default included."""
    told = [one.json_schema for one in field.metadata if isinstance(one, WithJsonSchema)]
    schema = {**(told[-1] or {} if told else _type_schema(field.annotation, nested)), **_limits(field)}
    if field.description:
        schema["description"] = field.description
    if field.default is not None and not field.is_required() and field.default_factory is None:
        schema["default"] = field.default
    return schema


def _limits(field: FieldInfo) -> Schema:
    base, *_ = [arm for arm in arms(field.annotation) if arm is not type(None)] or [str]
    noun = "Length" if base is str else "Properties" if get_origin(base) in (dict, Mapping) else "Items"
    schema: Schema = {}
    for limit in field.metadata:
        for name, keyword in (*_LIMITS.items(), ("min_length", f"min{noun}"), ("max_length", f"max{noun}")):
            if (value := getattr(limit, name, None)) is not None:
                schema[keyword] = value
    return schema


def _type_schema(annotation: Any, nested: Nested) -> Schema:
    if annotation in _SCALARS:
        return dict(_SCALARS[annotation])
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return nested(annotation)
    return _generic_schema(get_origin(annotation), get_args(annotation), annotation, nested)


def _generic_schema(origin: Any, arguments: tuple[Any, ...], annotation: Any, nested: Nested) -> Schema:
    if origin is Literal:
        kind = {"type": "string"} if all(isinstance(one, str) for one in arguments) else {}
        return {**kind, "enum": list(arguments)}
    if origin in (list, Sequence):
        items = _element(arguments[0], nested)
        return {"type": "array", "items": items} if items else {"type": "array"}
    if origin in (dict, Mapping) and arguments[0] is str:
        values = _element(arguments[1], nested)
        return {"type": "object", "additionalProperties": values} if values else {"type": "object"}
    if origin in (Union, types.UnionType):
        return _union_schema([_described(arm, nested) for arm in arguments if arm is not type(None)])
    raise TypeError(
        f"{annotation!r} has no JSON Schema here: use text, numbers, literals, lists, dicts by text or models."
    )


def _union_schema(schemas: list[Schema]) -> Schema:
    if len(schemas) == 1:
        return schemas[0]
    if any(schema.keys() != {"type"} for schema in schemas):
        return {"anyOf": schemas}
    kinds = [[schema["type"]] if isinstance(schema["type"], str) else schema["type"] for schema in schemas]
    return {"type": [kind for several in kinds for kind in several]}


def _element(annotation: Any, nested: Nested) -> Schema:
    """Describe what a list or dict holds: there null cannot be left out, so it is said."""
    schema = _described(annotation, nested)
    if type(None) not in arms(FieldInfo.from_annotation(annotation).annotation) or not schema:
        return schema
    return _union_schema([schema, {"type": "null"}])


def _described(annotation: Any, nested: Nested) -> Schema:
    return _field_schema(FieldInfo.from_annotation(annotation), nested)


def arms(annotation: Any) -> tuple[Any, ...]:
    """Return the alternatives of a union, None among them, or the one type."""
    if get_origin(annotation) in (Union, types.UnionType):
        return get_args(annotation)
    return (annotation,)


def _may_be_none(annotation: Any) -> bool:
    return any(arm in (type(None), Any, object) for arm in arms(annotation))
