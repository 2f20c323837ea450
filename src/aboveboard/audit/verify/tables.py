"""YAML with the lines it stands on, and the kinds of values that a plan has."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any, Final, TypeVar, cast

import yaml

from aboveboard.errors import BadInput, explain_unknown

TODO: Final = "TODO"
"""What a draft says where only a person can know."""
K = TypeVar("K", bound=StrEnum)
# The parser in C takes a quarter of the time; some builds of PyYAML come without it.
_Safe: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Table(dict[str, Any]):
    """A mapping that knows on which line each of its keys stands."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, int] = {}
        self.line = 0


class Loader(_Safe):
    """The safe loader, with lines."""

    def table(self, node: yaml.MappingNode) -> Table:
        """Read a mapping; a key written twice is a mistake."""
        own: set[str] = set()
        for key, _ in node.value:
            name = str(key.value)
            if name in own and key.tag != "tag:yaml.org,2002:merge":
                raise BadInput(f"line {key.start_mark.line + 1}: {name!r} stands there twice.")
            own.add(name)
        self.flatten_mapping(node)
        found = Table()
        found.line = node.start_mark.line + 1
        for key_node, value_node in node.value:
            key = str(self.construct_object(key_node, deep=True))  # pyright: ignore[reportUnknownArgumentType,reportUnknownMemberType]
            found[key] = self.construct_object(value_node, deep=True)  # pyright: ignore[reportUnknownMemberType]
            found.lines[key] = key_node.start_mark.line + 1
        return found

    def as_written(self, node: yaml.ScalarNode) -> str:
        """Read a value as the text it is written as."""
        return str(node.value)


Loader.add_constructor("tag:yaml.org,2002:map", Loader.table)
# A date in arguments is meant as the text that is written there.
Loader.add_constructor("tag:yaml.org,2002:timestamp", Loader.as_written)


def todos(text: str) -> list[int]:
    """Find the lines on which a value still says TODO; in quotes it is a value like others."""
    if TODO not in text:
        return []
    tokens = cast("Iterator[Any]", yaml.scan(text, Loader=_Safe))  # pyright: ignore[reportUnknownMemberType]
    return [
        token.start_mark.line + 1
        for token in tokens
        if isinstance(token, yaml.ScalarToken) and token.plain and token.value.rpartition("/")[2] == TODO
    ]


def at(table: Table, key: str) -> str:
    """Say where a key stands, for a sentence about it."""
    line = table.lines.get(key) or table.line
    return f"line {line}: {key}" if line else key


def table_of(value: Any, where: str, keys: Sequence[str] | None = None) -> Table:
    """Take a value for a mapping, with these keys and no others."""
    if not isinstance(value, Table):
        raise BadInput(f"{where} must be a mapping of names to values.")
    for key in value if keys is not None else ():
        if key not in (keys or ()):
            problem = explain_unknown("key", key, list(keys or ()), of=where.rpartition(": ")[2])
            raise BadInput(f"line {value.lines[key]}: {problem}")
    return value


def text(value: Any, where: str) -> str:
    """Take a value for a text."""
    if not isinstance(value, str):
        raise BadInput(f"{where} must be a text.")
    return value


def texts(value: Any, where: str) -> tuple[str, ...]:
    """Take a value for a list of texts; nothing is an empty one."""
    if value is None:
        return ()
    if not isinstance(value, list):
        raise BadInput(f"{where} must be a list of texts.")
    return tuple(scalar(one, where) for one in cast("list[Any]", value))


def scalar(value: Any, where: str) -> str:
    """Take a text or a number for a text."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadInput(f"{where}: {value!r} must be a text; put it in quotes.")
    return str(value)


def mapping_of_texts(table: Table, key: str) -> dict[str, str]:
    """Take the value of a key for a mapping of texts."""
    inner = table_of(table.get(key) or Table(), at(table, key))
    return {name: scalar(value, at(inner, name)) for name, value in inner.items()}


def choice(kind: type[K], table: Table, key: str, default: K | None) -> Any:
    """Take the value of a key for one of a few words."""
    if key not in table:
        return default
    value = table[key]
    if value not in list(kind):
        known = [one.value for one in kind]
        raise BadInput(f"{at(table, key)} cannot be {value!r}: it is one of {', '.join(known)}.")
    return kind(value)


def seconds(table: Table, key: str) -> float:
    """Take the value of a key for a time."""
    value = table.get(key, 0)
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise BadInput(f"{at(table, key)} takes a number of seconds.")
    return float(value)
