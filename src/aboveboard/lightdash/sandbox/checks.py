"""What is wrong with a request, in the words of the real server's validator (tsoa): one 422 for all of it.

Validation runs before authorization, so a handler checks its input first.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import cast

from aboveboard.lightdash.sandbox.wire import ServiceError

UUID4 = "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-4[0-9A-Fa-f]{3}-[89ABab][0-9A-Fa-f]{3}-[0-9A-Fa-f]{12}"
_FLOAT = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")
_ABSENT = object()


class Checks:
    """Reads fields one by one, remembers what is wrong, and refuses at `done()`."""

    def __init__(self, source: object, prefix: str = "") -> None:
        self._prefix = prefix
        self._wrong: dict[str, dict[str, object]] = {}
        self._source: Mapping[str, object] = {}
        if isinstance(source, dict):
            self._source = cast("Mapping[str, object]", source)
        else:
            self._reject("body", "invalid object", source)

    def done(self) -> None:
        """Refuse the request if anything was wrong."""
        if self._wrong:
            message = ", ".join(f"{name}: {problem['message']}" for name, problem in self._wrong.items())
            raise ServiceError(422, "ValidateError", message, self._wrong)

    def text(self, name: str) -> str | None:
        """A text, if it was sent."""
        value = self._source.get(name)
        if value is None or isinstance(value, str):
            return value
        self._reject(self._prefix + name, "invalid string value", value)
        return None

    def needed_text(self, name: str) -> str:
        """A text that must be sent."""
        if self._source.get(name) is None:
            if not self._wrong:
                self._reject(self._prefix + name, f"'{name}' is required")
            return ""
        return self.text(name) or ""

    def flag(self, name: str) -> bool | None:
        """True or false, also written as a word."""
        value = self._source.get(name)
        if value is None or isinstance(value, bool):
            return value
        if value in {"true", "false"}:
            return value == "true"
        self._reject(self._prefix + name, "invalid boolean value", value)
        return None

    def number(self, name: str) -> float | None:
        """A number, also written as a text; hexadecimal is none."""
        value = self._source.get(name)
        if value is None:
            return None
        # A list reads as JavaScript writes it, so a list of one number is a number.
        items = cast("list[str]", value) if isinstance(value, list) else [str(value)]
        text = ",".join(items)
        if not _FLOAT.fullmatch(text):
            self._reject(self._prefix + name, "invalid float number", self._source[name])
            return None
        return float(text)

    def choice(self, name: str, choices: Sequence[str], at: str = "", value: object = _ABSENT) -> str | None:
        """One of a few words; `at` and `value` are for a word deeper inside the body."""
        value = self._source.get(name) if value is _ABSENT else value
        if value is None or value in choices:
            return cast("str | None", value)
        self._reject(at or self._prefix + name, _one_of(choices), value)
        return None

    def literal(self, name: str, choices: Sequence[str]) -> str | None:
        """One of a few words where the schema has a union of literals, which is reported word by word."""
        value = self._source.get(name)
        if value is None or value in choices:
            return cast("str | None", value)
        issues = [{name: {"message": _one_of([choice]), "value": value}} for choice in choices]
        listed = json.dumps(issues, separators=(",", ":"))
        problem = f"Could not match the union against any of the items. Issues: {listed}"
        self._reject(self._prefix + name, problem, value)
        return None

    def texts(self, name: str, choices: Sequence[str] = ()) -> list[str]:
        """A repeated parameter; a single value counts as a list of one, a comma never separates."""
        value = self._source.get(name)
        if value is None:
            return []
        values = cast("list[object]", value) if isinstance(value, list) else [value]
        for place, item in enumerate(values):
            if choices and item not in choices:
                self._reject(f"{name}.${place}", _one_of(choices), item)
            elif not isinstance(item, str):
                self._reject(f"{name}.${place}", "invalid string value", item)
        return [item for item in values if isinstance(item, str)]

    def uuid4(self, name: str) -> str:
        """A version 4 UUID in the path."""
        value = str(self._source.get(name))
        if not re.search(UUID4, value):
            self._reject(name, f"Not match in '{UUID4}'", value)
        return value

    def _reject(self, name: str, message: str, value: object = _ABSENT) -> None:
        self._wrong[name] = {"message": message} if value is _ABSENT else {"message": message, "value": value}


def _one_of(choices: Sequence[str]) -> str:
    listed = ",".join(f"'{choice}'" for choice in choices)
    return f"should be one of the following; [{listed}]"
