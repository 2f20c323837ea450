"""Names in a plan: `${name}` alone keeps the value's type, inside text it is inserted, `$${` is a literal `${`."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from aboveboard.errors import BadInput, explain_unknown

_NAME: Final = re.compile(r"\$\$\{|\$\{([^{}]*)\}")


def names_in(value: Any) -> Iterator[str]:
    """Go through the names that a value uses."""
    if isinstance(value, str):
        yield from (match[1].strip() for match in _NAME.finditer(value) if match[1] is not None)
    elif isinstance(value, Mapping):
        for key, one in cast("Mapping[str, Any]", value).items():
            yield from names_in(key)
            yield from names_in(one)
    elif isinstance(value, list | tuple):
        for one in cast("list[Any]", value):
            yield from names_in(one)


def fill_values(value: Any, known: Mapping[str, Any]) -> Any:
    """Put values in the place of names, everywhere in a value."""
    if isinstance(value, str):
        return _filled_text(value, known)
    if isinstance(value, Mapping):
        return {
            str(fill_values(key, known)): fill_values(one, known)
            for key, one in cast("Mapping[str, Any]", value).items()
        }
    if isinstance(value, list | tuple):
        return [fill_values(one, known) for one in cast("list[Any]", value)]
    return value


def text(value: str, known: Mapping[str, Any]) -> str:
    """Fill in a text that stays a text."""
    return str(fill_values(value, known))


def texts(values: Mapping[str, str], known: Mapping[str, Any]) -> dict[str, str]:
    """Fill in texts by name, such as an environment."""
    return {name: text(value, known) for name, value in values.items()}


def _filled_text(value: str, known: Mapping[str, Any]) -> Any:
    whole = _NAME.fullmatch(value)
    if whole and whole[1] is not None:
        return _value(whole[1].strip(), known)
    return _NAME.sub(
        lambda match: "${" if match[1] is None else str(_value(match[1].strip(), known)),
        value,
    )


def _value(name: str, known: Mapping[str, Any]) -> Any:
    if name not in known:
        raise BadInput(explain_unknown("value", name, sorted(known), of="The plan"))
    return known[name]


def pick_value(answer: Any, path: str) -> Any:
    """Take a value out of an answer by its dotted path: `items.0.uuid`; raise LookupError where there is none."""
    at = answer
    for part in path.split(".") if path else ():
        if isinstance(at, Mapping) and part in at:
            at = cast("Mapping[str, Any]", at)[part]
        elif isinstance(at, list) and part.lstrip("-").isdigit():
            at = cast("list[Any]", at)[int(part)]
        else:
            raise LookupError(path)
    return at
