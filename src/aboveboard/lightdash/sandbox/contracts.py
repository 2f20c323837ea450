"""What a body must look like, and what is wrong with it, in the words of the real server's validator (tsoa).

    _TAG = Object(name=TEXT, color=TEXT)

    body = read(call.body, _TAG)  # or one 422 that names everything that is wrong

Unknown fields are let through, as there. A union or an intersection reports its issues as JSON inside the message.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast

from aboveboard.lightdash.sandbox.wire import ServiceError

Problems = dict[str, dict[str, object]]


class Kind(Protocol):
    """Something a value can be checked against."""

    def problems(self, value: object, name: str, parent: str) -> Problems:
        """What is wrong with the value, by where it stands."""
        ...


def read(body: object, kind: Kind, name: str = "body") -> dict[str, Any]:
    """The body, if it is of this kind; `name` is what the real server calls it."""
    wrong = kind.problems(body, name, "")
    if wrong:
        message = ", ".join(f"{place}: {problem['message']}" for place, problem in wrong.items())
        raise ServiceError(422, "ValidateError", message, wrong)
    return cast("dict[str, Any]", body)


def read_list(body: object, kind: Kind, name: str = "body") -> list[dict[str, Any]]:
    """The body of a route that takes a list; anything else counts as a list of one."""
    read(body, List(kind), name)
    return cast("list[dict[str, Any]]", body if isinstance(body, list) else [body])


def as_map(value: object) -> dict[str, Any]:
    """A body as an old route reads it, which checks nothing: its fields, or none."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """A list as an old route reads it: its items, or none."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def require(query: Mapping[str, object], *names: str) -> None:
    """Refuse a query string without these parameters."""
    wrong: Problems = {name: {"message": f"'{name}' is required"} for name in names if name not in query}
    if wrong:
        message = ", ".join(f"{name}: {problem['message']}" for name, problem in wrong.items())
        raise ServiceError(422, "ValidateError", message, wrong)


class _Plain:
    """A value of one JSON type."""

    def __init__(self, kinds: tuple[type, ...], message: str, words: Sequence[str] = ()) -> None:
        self._kinds, self._message, self._words = kinds, message, words

    def problems(self, value: object, name: str, parent: str) -> Problems:
        fits = isinstance(value, self._kinds) and (bool in self._kinds or not isinstance(value, bool))
        if fits or (isinstance(value, str) and value in self._words):
            return {}
        return {parent + name: {"message": self._message, "value": value}}


class _Anything:
    """Any value at all."""

    def problems(self, value: object, name: str, parent: str) -> Problems:
        del value, name, parent
        return {}


class Pattern:
    """A text of a certain form."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern

    def problems(self, value: object, name: str, parent: str) -> Problems:
        """What is wrong with the text."""
        wrong = TEXT.problems(value, name, parent)
        if not wrong and not re.search(self._pattern, cast("str", value)):
            wrong = {parent + name: {"message": f"Not match in '{self._pattern}'", "value": value}}
        return wrong


class OneOf:
    """One of a few words."""

    def __init__(self, *words: str | None) -> None:
        self._words = words

    def problems(self, value: object, name: str, parent: str) -> Problems:
        """What is wrong with the word."""
        if value in self._words:
            return {}
        listed = ",".join("null" if word is None else f"'{word}'" for word in self._words)
        return {parent + name: {"message": f"should be one of the following; [{listed}]", "value": value}}


class Maybe:
    """A field that may be left out, or be null."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    def problems(self, value: object, name: str, parent: str) -> Problems:
        """What is wrong with the field, if it is there."""
        return self.kind.problems(value, name, parent)


class Nullable(Maybe):
    """A field that must be there, though it may be null."""


class Optional(Maybe):
    """A field that may be left out, but not be null."""


class Object:
    """A map with these fields, needed unless they say otherwise."""

    def __init__(self, **fields: Kind) -> None:
        self._fields = fields

    def problems(self, value: object, name: str, parent: str) -> Problems:
        """What is wrong with the fields, in their order here."""
        if not isinstance(value, dict):
            return {parent + name: {"message": "invalid object", "value": value}}
        found: Problems = {}
        given = cast("dict[str, object]", value)
        for key, kind in self._fields.items():
            if key not in given:
                if not isinstance(kind, Maybe) or isinstance(kind, Nullable):
                    found[f"{parent}{name}.{key}"] = {"message": f"'{key}' is required"}
            elif given[key] is not None or not isinstance(kind, Maybe) or isinstance(kind, Optional):
                found |= kind.problems(given[key], key, f"{parent}{name}.")
        return found


class List:
    """A list of one kind; a single value counts as a list of one. What stands around it is not named."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind

    def problems(self, value: object, name: str, parent: str) -> Problems:
        """What is wrong with the items."""
        del parent
        items = cast("list[object]", value) if isinstance(value, list) else [value]
        found: Problems = {}
        for place, item in enumerate(items):
            found |= self._kind.problems(item, f"${place}", f"{name}.")
        return found


class Union:
    """One of several kinds."""

    def __init__(self, *kinds: Kind) -> None:
        self._kinds = kinds

    def problems(self, value: object, name: str, parent: str) -> Problems:
        """What each of the kinds finds wrong, if none fits."""
        issues = [kind.problems(value, name, parent) for kind in self._kinds]
        text = "Could not match the union against any of the items. Issues: "
        return {parent + name: {"message": text + _json(issues), "value": value}} if all(issues) else {}


class All:
    """Several kinds at once."""

    def __init__(self, *kinds: Kind) -> None:
        self._kinds = kinds

    def problems(self, value: object, name: str, parent: str) -> Problems:
        """What the kinds find wrong, if any does."""
        issues = [wrong for kind in self._kinds if (wrong := kind.problems(value, name, parent))]
        text = "Could not match the intersection against every type. Issues: "
        return {parent + name: {"message": text + _json(issues), "value": value}} if issues else {}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


TEXT = _Plain((str,), "invalid string value")
NUMBER = _Plain((int, float), "invalid float number")
FLAG = _Plain((bool,), "invalid boolean value", ("true", "false"))
MAP = _Plain((dict,), "invalid object")
UNDEFINED = _Plain((), "invalid undefined value")
ANYTHING = _Anything()
