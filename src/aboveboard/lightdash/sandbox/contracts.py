"""What a body must look like, and what is wrong with it, in the words of the real server's validator (tsoa).

    _TAG = Object(name=TEXT, color=TEXT)

    body = read(call.body, _TAG)  # or one 422 that names everything that is wrong

Values come out as the server takes them: a number or a flag written as a text is one, a single value where a list is
wanted is a list of one, and unknown fields are let through. A union or an intersection reports its issues as JSON
inside the message.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, Protocol, cast

from aboveboard.lightdash.sandbox.wire import ServiceError

Problems = dict[str, dict[str, object]]

_FLOAT = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")


class Kind(Protocol):
    """Something a value can be checked against."""

    def read(self, value: Any, name: str, parent: str, wrong: Problems) -> Any:
        """The value as the server takes it; what is wrong with it is noted, by where it stands."""
        ...


def read(body: object, kind: Kind, name: str = "body") -> dict[str, Any]:
    """The body, if it is of this kind; `name` is what the real server calls it."""
    wrong: Problems = {}
    value = kind.read(body, name, "", wrong)
    refuse(wrong)
    return cast("dict[str, Any]", value)


def read_list(body: object, kind: Kind, name: str = "body") -> list[dict[str, Any]]:
    """The body of a route that takes a list; anything else counts as a list of one."""
    return cast("list[dict[str, Any]]", read(body, List(kind), name))


def refuse(wrong: Problems) -> None:
    """Answer 422 if anything is wrong."""
    if wrong:
        message = ", ".join(f"{place}: {problem['message']}" for place, problem in wrong.items())
        raise ServiceError(422, "ValidateError", message, wrong)


def as_map(value: object) -> dict[str, Any]:
    """A body as an old route reads it, which checks nothing: its fields, or none."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """A list as an old route reads it: its items, or none."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def require(query: Mapping[str, object], *names: str) -> None:
    """Refuse a query string without these parameters."""
    refuse({name: {"message": f"'{name}' is required"} for name in names if name not in query})


class _Plain:
    """A value of one JSON type."""

    def __init__(self, kinds: tuple[type, ...], message: str) -> None:
        self._kinds, self._message = kinds, message

    def read(self, value: Any, name: str, parent: str, wrong: Problems) -> Any:
        if not isinstance(value, self._kinds):
            wrong[parent + name] = {"message": self._message, "value": value}
        return value


class _Number:
    """A number, also one written as a text."""

    def read(self, value: Any, name: str, parent: str, wrong: Problems) -> Any:
        """The number, whole where it can be."""
        number = float(value) if isinstance(value, str) and _FLOAT.fullmatch(value) else value
        if isinstance(number, bool) or not isinstance(number, int | float) or not math.isfinite(number):
            wrong[parent + name] = {"message": "invalid float number", "value": value}
            return value
        return int(number) if number == int(number) else number


class _Flag:
    """True or false, also written as a word."""

    def read(self, value: Any, name: str, parent: str, wrong: Problems) -> Any:
        """The flag."""
        if value in ("true", "false"):
            return value == "true"
        if not isinstance(value, bool):
            wrong[parent + name] = {"message": "invalid boolean value", "value": value}
        return value


class _Anything:
    """Any value at all."""

    def read(self, value: Any, name: str, parent: str, wrong: Problems) -> Any:
        del name, parent, wrong
        return value


class Pattern:
    """A text of a certain form."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern

    def read(self, value: Any, name: str, parent: str, wrong: Problems) -> Any:
        """The text as it is."""
        TEXT.read(value, name, parent, wrong)
        if isinstance(value, str) and not re.search(self._pattern, value):
            wrong[parent + name] = {"message": f"Not match in '{self._pattern}'", "value": value}
        return value


class Filled:
    """A text that is not empty."""

    def read(self, value: Any, name: str, parent: str, wrong: Problems) -> Any:
        """The text as it is."""
        TEXT.read(value, name, parent, wrong)
        if value == "":
            wrong[parent + name] = {"message": "minLength 1", "value": value}
        return value


class OneOf:
    """One of a few words."""

    def __init__(self, *words: str | None) -> None:
        self._words = words

    def read(self, value: Any, name: str, parent: str, wrong: Problems) -> Any:
        """The word."""
        if value not in self._words:
            listed = ",".join("null" if word is None else f"'{word}'" for word in self._words)
            wrong[parent + name] = {"message": f"should be one of the following; [{listed}]", "value": value}
        return value


class Maybe:
    """A field that may be left out, or be null."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    def read(self, value: Any, name: str, parent: str, wrong: Problems) -> Any:
        """The field, if it is there."""
        return self.kind.read(value, name, parent, wrong)


class Nullable(Maybe):
    """A field that must be there, though it may be null."""


class Optional(Maybe):
    """A field that may be left out, but not be null."""


class Object:
    """A map with these fields, needed unless they say otherwise."""

    def __init__(self, **fields: Kind) -> None:
        self._fields = fields

    def read(self, value: Any, name: str, parent: str, wrong: Problems) -> Any:
        """The map, with whatever else is in it; what is wrong is told in the order of the fields here."""
        if not isinstance(value, dict):
            wrong[parent + name] = {"message": "invalid object", "value": value}
            return cast("object", value)
        found = dict(cast("dict[str, Any]", value))
        for key, kind in self._fields.items():
            if key not in found:
                if not isinstance(kind, Maybe) or isinstance(kind, Nullable):
                    wrong[f"{parent}{name}.{key}"] = {"message": f"'{key}' is required"}
            elif found[key] is not None or not isinstance(kind, Maybe) or isinstance(kind, Optional):
                found[key] = kind.read(found[key], key, f"{parent}{name}.", wrong)
        return found


class List:
    """A list of one kind; a single value counts as a list of one. What stands around it is not named."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind

    def read(self, value: Any, name: str, parent: str, wrong: Problems) -> Any:
        """The items."""
        del parent
        items = cast("list[Any]", value) if isinstance(value, list) else [value]
        return [self._kind.read(item, f"${place}", f"{name}.", wrong) for place, item in enumerate(items)]


class Union:
    """One of several kinds."""

    def __init__(self, *kinds: Kind) -> None:
        self._kinds = kinds

    def read(self, value: Any, name: str, parent: str, wrong: Problems) -> Any:
        """The value as the first kind that fits takes it, or what each of the kinds finds wrong."""
        issues: list[Problems] = []
        for kind in self._kinds:
            found: Problems = {}
            taken = kind.read(value, name, parent, found)
            if not found:
                return taken
            issues.append(found)
        text = "Could not match the union against any of the items. Issues: "
        wrong[parent + name] = {"message": text + _json(issues), "value": value}
        return value


class All:
    """Several kinds at once."""

    def __init__(self, *kinds: Kind) -> None:
        self._kinds = kinds

    def read(self, value: Any, name: str, parent: str, wrong: Problems) -> Any:
        """The value as all kinds take it, or what those find wrong that find anything."""
        issues: list[Problems] = []
        taken = value
        for kind in self._kinds:
            found: Problems = {}
            taken = kind.read(taken, name, parent, found)
            issues += [found] if found else []
        if issues:
            text = "Could not match the intersection against every type. Issues: "
            wrong[parent + name] = {"message": text + _json(issues), "value": value}
        return taken


def literals(words: Iterable[str]) -> Union:
    """One of a few words where the schema has a union of literals, which is reported word by word."""
    return Union(*(OneOf(word) for word in words))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


TEXT = _Plain((str,), "invalid string value")
NUMBER = _Number()
FLAG = _Flag()
MAP = _Plain((dict,), "invalid object")
UNDEFINED = _Plain((), "invalid undefined value")
ANYTHING = _Anything()
