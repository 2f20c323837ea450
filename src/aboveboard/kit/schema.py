"""JSON Schemas from type annotations, as small as they can be.

Every user pays for definitions in tokens on every conversation, and some clients refuse `$ref` and `anyOf`. So an
optional value is a property that is not required, nested models stand where they are used, and nothing is titled.
"""

import types
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Literal, Union, cast, get_args, get_origin

from pydantic import BaseModel
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
    "pattern": "pattern",
}


def object_schema(fields: Mapping[str, FieldInfo], *, closed: bool) -> Schema:
    """Describe an object; a closed one takes no other properties."""
    schema: Schema = {"type": "object"}
    if fields:
        schema["properties"] = {name: field_schema(field) for name, field in fields.items()}
    if required := [name for name, field in fields.items() if field.is_required()]:
        schema["required"] = required
    if closed:
        schema["additionalProperties"] = False
    return schema


def result_schema(model: type[BaseModel]) -> Schema:
    """Describe a result; what may be absent is not required."""
    fields = {name: field for name, field in model.model_fields.items() if not field.exclude}
    schema = object_schema(fields, closed=False)
    required = [name for name, field in fields.items() if not _is_optional(field.annotation)]
    return {**schema, "required": required} if required else {k: v for k, v in schema.items() if k != "required"}


def field_schema(field: FieldInfo) -> Schema:
    """Describe one parameter or property, its limits, description and default included."""
    schema = {**_type_schema(field.annotation), **_limits(field)}
    if field.description:
        schema["description"] = field.description
    if field.default is not None and not field.is_required() and field.default_factory is None:
        schema["default"] = field.default
    return schema


def _limits(field: FieldInfo) -> Schema:
    base, *_ = [arm for arm in _arms(field.annotation) if arm is not type(None)] or [str]
    noun = "Length" if base is str else "Items"
    schema: Schema = {}
    for limit in field.metadata:
        for name, keyword in (*_LIMITS.items(), ("min_length", f"min{noun}"), ("max_length", f"max{noun}")):
            if (value := getattr(limit, name, None)) is not None:
                schema[keyword] = value
    return schema


def _type_schema(annotation: object) -> Schema:
    if annotation in _SCALARS:
        return dict(_SCALARS[annotation])
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return result_schema(annotation)
    return _generic_schema(get_origin(annotation), get_args(annotation), cast("object", annotation))


def _generic_schema(origin: Any, arguments: tuple[Any, ...], annotation: object) -> Schema:
    if origin is Literal:
        return {"type": "string", "enum": list(arguments)}
    if origin in (list, Sequence):
        items = _described(arguments[0])
        return {"type": "array", "items": items} if items else {"type": "array"}
    if origin in (dict, Mapping):
        values = _described(arguments[1])
        return {"type": "object", "additionalProperties": values} if values else {"type": "object"}
    if origin in (Union, types.UnionType):
        return _union_schema([arm for arm in arguments if arm is not type(None)])
    raise TypeError(f"{annotation!r} has no JSON Schema here: use text, numbers, literals, lists, dicts or models.")


def _union_schema(arms: list[Any]) -> Schema:
    schemas = [_described(arm) for arm in arms]
    if len(schemas) == 1:
        return schemas[0]
    if all(schema.keys() == {"type"} for schema in schemas):
        return {"type": [schema["type"] for schema in schemas]}
    return {"anyOf": schemas}


def _described(annotation: Any) -> Schema:
    return field_schema(FieldInfo.from_annotation(annotation))


def _arms(annotation: object) -> tuple[object, ...]:
    if get_origin(annotation) in (Union, types.UnionType):
        return cast("tuple[object, ...]", get_args(annotation))
    return (annotation,)


def _is_optional(annotation: object) -> bool:
    return type(None) in _arms(annotation)
