"""Settings of columns: which of them a type has, checked, and in the app's own words."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, cast

from aboveboard.errors import BadInput
from aboveboard.nextcloud.client.tables.columns import Column, Option
from aboveboard.nextcloud.client.tables.values import write_value

_NUMBER: Final = ("number",)
_CHOICES: Final = ("selection", "selection-multi")
_FITS: Final[Mapping[str, tuple[str, ...]]] = {
    "options": _CHOICES,
    "minimum": _NUMBER,
    "maximum": _NUMBER,
    "decimals": _NUMBER,
    "prefix": _NUMBER,
    "suffix": _NUMBER,
    "max_length": ("text-line",),
    "default": (
        *("text-line", "text-rich", "number", "number-stars", "number-progress", "selection", "selection-check"),
        *("datetime", "datetime-date", "datetime-time"),
    ),
}
_WORDS: Final = {
    "title": "title",
    "mandatory": "mandatory",
    "description": "description",
    "minimum": "numberMin",
    "maximum": "numberMax",
    "decimals": "numberDecimals",
    "prefix": "numberPrefix",
    "suffix": "numberSuffix",
    "max_length": "textMaxLength",
}
_DEFAULTS: Final = {
    "text": "textDefault",
    "number": "numberDefault",
    "selection": "selectionDefault",
    "datetime": "datetimeDefault",
}
_MOMENTS: Final = {"datetime": "now", "datetime-date": "today", "datetime-time": "now"}
"""All that the app proposes for a date or a time."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Settings of a column; what is None is not said. An empty default is none."""

    title: str | None = None
    mandatory: bool | None = None
    description: str | None = None
    options: list[str] | None = None
    minimum: float | None = None
    maximum: float | None = None
    decimals: int | None = None
    prefix: str | None = None
    suffix: str | None = None
    max_length: int | None = None
    default: str | None = None

    @property
    def given(self) -> dict[str, Any]:
        """What is said."""
        said = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in said.items() if value is not None}

    def worded(self, column: Column) -> dict[str, object]:
        """Say it in the app's words, for a column that is of its type already, or is about to be made."""
        for name in self.given:
            _check_fit(name, column)
        new = column.model_copy(update=self._limits())
        if new.number_min is not None and new.number_max is not None and new.number_min > new.number_max:
            raise BadInput(f"The minimum {new.number_min:g} is above the maximum {new.number_max:g}.")
        said: dict[str, object] = {_WORDS[name]: value for name, value in self.given.items() if name in _WORDS}
        if self.options is not None:
            options = self._options(column)
            said["selectionOptions"] = [option.model_dump() for option in options]
            said["selectionDefault"] = _default_among(options, column.selection_default)
            new = new.model_copy(update={"selection_options": options})
        if self.default is not None:
            said[_DEFAULTS[column.type]] = _default(new, self.default)
        return said

    def _limits(self) -> dict[str, object]:
        names = {"minimum": "number_min", "maximum": "number_max", "decimals": "number_decimals"}
        return {names[name]: value for name, value in self.given.items() if name in names}

    def _options(self, column: Column) -> list[Option]:
        """Give each label its number: the one that it has, or one that no other label had."""
        labels = self.options or []
        if len(set(labels)) < len(labels) or not all(label.strip() for label in labels):
            raise BadInput("Options need different labels, none of them empty.", next_step="Give each label once.")
        known = {option.label: option for option in column.options}
        free = max((option.id for option in column.options), default=-1) + 1
        fresh = iter(range(free, free + len(labels)))
        return [known.get(label) or Option(id=next(fresh), label=label) for label in labels]


def clear_setting(name: str, column: Column) -> dict[str, object]:
    """Take a setting away, in the app's words."""
    _check_fit(name, column)
    if name == "default":
        return {_DEFAULTS[column.type]: "null" if column.type == "selection" else None}
    return {_WORDS[name]: "" if name == "description" else None}


def _default(column: Column, text: str) -> object:
    if column.type == "datetime":
        word = _MOMENTS[column.kind]
        if text != word:
            raise BadInput(f"The default of a column of the type {column.kind} can only be {word!r}.")
        return text
    value = write_value(column, text)
    return (
        str(value) if column.kind == "selection-check" else json.dumps(value) if column.type == "selection" else value
    )


def _default_among(options: list[Option], default: str | None) -> str:
    """Return a default without what can no longer be chosen."""
    chosen = json.loads(default or "null")
    known = {option.id for option in options}
    if isinstance(chosen, list):
        return json.dumps([one for one in cast("list[Any]", chosen) if one in known])
    return json.dumps(chosen if chosen in known else None)


def _check_fit(name: str, column: Column) -> None:
    kinds = _FITS.get(name, (column.kind,))
    if column.kind not in kinds:
        raise BadInput(
            f"A column of the type {column.kind} has no {name}, or none that can be set here.",
            next_step=f"It is for {', '.join(kinds)}.",
        )
