"""JSON as it stood on the wire: a key that is missing, null, of another type or written twice stays what it was.

The usual parsers keep the last of two equal keys and say nothing, and typed ones drop what they do not know.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast


class Object(dict[str, Any]):
    """A JSON object that remembers the keys which were written more than once."""

    def __init__(self, pairs: Sequence[tuple[str, Any]] = ()) -> None:
        super().__init__(pairs)
        self.pairs = tuple(pairs)

    @property
    def repeated(self) -> dict[str, list[Any]]:
        """Every key that was written more than once, with all its values."""
        values: dict[str, list[Any]] = {}
        for key, value in self.pairs:
            values.setdefault(key, []).append(value)
        return {key: found for key, found in values.items() if len(found) > 1}


def repeated(value: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the keys of an object that were written more than once; a plain mapping has none."""
    return value.repeated if isinstance(value, Object) else {}


def parse(text: str | bytes) -> Any:
    """Read JSON and keep what others lose; raise ValueError for text that is not JSON."""

    def no_constant(name: str) -> None:
        raise ValueError(f"{name} is not JSON")

    try:
        return json.loads(text, object_pairs_hook=Object, parse_constant=no_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def dump(value: Any, *, indent: int | None = None) -> str:
    """Write JSON as it was read, repeated keys included."""
    return json.dumps(_marked(value), ensure_ascii=False, indent=indent)


def size(value: Any) -> int:
    """Count the bytes that a value takes where no blank is wasted, as on the wire."""
    return len(json.dumps(_marked(value), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))


class _Key(str):
    """A key that equals no other, so that a dict can hold it twice."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


def _marked(value: Any) -> Any:
    if isinstance(value, Mapping):
        items = cast("Mapping[str, Any]", value)
        pairs = items.pairs if isinstance(items, Object) else items.items()
        plain = {key: _marked(one) for key, one in pairs}
        return plain if len(plain) == len(pairs) else {_Key(key): _marked(one) for key, one in pairs}
    if isinstance(value, list | tuple):
        return [_marked(one) for one in cast("Sequence[Any]", value)]
    return value
