"""Which tool is asked for on the command line, and how the values of its arguments are written."""

import json
import os
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from aboveboard.errors import BadInput, explain_unknown
from aboveboard.kit.service import Catalogue

Schema = Mapping[str, Any]

_KINDS: Final = {
    "string": ("text", "texts"),
    "integer": ("whole number", "whole numbers"),
    "number": ("number", "numbers"),
    "boolean": ("true or false", "flags"),
    "object": ("object", "objects"),
    "array": ("list", "lists"),
}
"""What a kind is called, of one and of several."""


def full_name(catalogue: Catalogue[Any], tool: str) -> str:
    """Return the name that clients see of a tool, given that, its short name or one it had before."""
    if tool in catalogue.tools:
        return tool
    if tool in catalogue.aliases:
        return catalogue.aliases[tool]
    full = [name for name, declared in catalogue.tools.items() if tool in (declared.name, *declared.aliases)]
    if len(full) > 1:
        raise BadInput(f"{catalogue.service.title} has several tools {tool!r}: {', '.join(full)}.")
    if not full:
        short = [declared.name for declared in catalogue.tools.values()]
        raise BadInput(
            explain_unknown("tool", tool, short, of=catalogue.service.title),
            next_step=f"`aboveboard tools {catalogue.service.name}` shows them all.",
        )
    return full[0]


def kind_of(schema: Schema) -> str:
    """Say what values a parameter takes."""
    if values := schema.get("enum"):
        return f"one of {', '.join(map(str, values))}"
    if schema.get("type") == "array":
        items: Schema = schema.get("items", {})
        return f"list of {_KINDS.get(items.get('type', ''), ('', 'values'))[1]}{_fields(items)}"
    return _KINDS.get(schema.get("type", ""), ("value", ""))[0]


def given_arguments(properties: Mapping[str, Schema], given: Sequence[str]) -> dict[str, Any]:
    """Read KEY=VALUE pairs: a value is text, or JSON where the parameter is not text."""
    values: dict[str, Any] = {}
    for pair in map(_text, given):
        key, equals, text = pair.partition("=")
        if not equals:
            raise BadInput(f"{pair!r} is not an argument: write KEY=VALUE.")
        values[key] = _value(key, text, properties.get(key, {}))
    return values


def _text(given: str) -> str:
    """Return an argument as text: where the locale knows ASCII alone, Python leaves all else as it came."""
    try:
        given.encode()
    except UnicodeEncodeError:
        try:
            return os.fsencode(given).decode()
        except UnicodeDecodeError:
            advice = "Use a terminal that writes UTF-8, as with LC_ALL=C.UTF-8."
            raise BadInput(f"{given!r} is not text in UTF-8.", next_step=advice) from None
    return given


def _value(key: str, text: str, schema: Schema) -> Any:
    kind = schema.get("type")
    if kind == "string":
        return text
    try:
        value = json.loads(text)
    except ValueError:
        value = text
    if (kind == "array" and not isinstance(value, list)) or (kind == "object" and not isinstance(value, dict)):
        raise BadInput(
            f"{key} must be {'a list' if kind == 'array' else 'an object'}.",
            next_step=f"Write it as JSON, in quotes: {write_example(key, schema, text)}",
        )
    return cast("Any", value)


def write_example(key: str, schema: Schema, meant: str = "") -> str:
    """Show how a list or an object is written, with what is meant where that is a plain list of words."""
    if schema.get("type") == "object":
        return f"""{key}='{{"...": ...}}'"""
    items: Schema = schema.get("items", {})
    if items.get("type") == "object":
        inside = ", ".join(f'"{name}": ...' for name in items.get("required") or [*items.get("properties", {})][:3])
        return f"{key}='[{{{inside or '...'}}}]'"
    words = re.findall(r"[^\[\]\s,'\"]+", meant) or ["..."]
    values = [int(word) if items.get("type") == "integer" and word.isdecimal() else word for word in words]
    return f"{key}={shlex.quote(json.dumps(values, ensure_ascii=False))}"


def _fields(items: Schema) -> str:
    names = list(items.get("properties", {}))
    return f" {{{', '.join(names)}}}" if names else ""
