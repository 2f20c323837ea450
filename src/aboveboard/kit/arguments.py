"""Arguments in, checked values out; what is wrong is said in our words, and nothing is ignored."""

import re
from collections.abc import Mapping
from typing import Any, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from aboveboard.errors import BadInput, explain_unknown
from aboveboard.kit.schema import arms

_KINDS = {
    "string": "text",
    "str": "text",
    "Literal": "one of the values it names",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "list": "a list",
    "dict": "an object",
    "model": "an object",
    "date": "a date such as 2026-01-31",
    "datetime": "a date and time such as 2026-01-31T09:00:00Z",
}

_SENTENCES = {
    "missing": "is required",
    "greater_than_equal": "must be at least {ge}",
    "greater_than": "must be more than {gt}",
    "less_than_equal": "must be at most {le}",
    "less_than": "must be less than {lt}",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "too_short": "must have at least {min_length} items",
    "too_long": "must have at most {max_length} items",
    "literal_error": "must be one of {expected}",
    "string_pattern_mismatch": "must match {pattern}",
    "multiple_of": "must be a multiple of {multiple_of}",
    "finite_number": "must be a finite number",
}

_ONE = re.compile(r" 1 (character|item)s")

_STRICT = ConfigDict(extra="forbid", allow_inf_nan=False)  # JSON has no word for infinity


class Arguments:
    """The parameters of one tool, built into a validator when the tool is first called."""

    def __init__(self, tool: str, fields: Mapping[str, FieldInfo]) -> None:
        self._tool, self.fields = tool, fields
        self._model: type[BaseModel] | None = None

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values to call the tool with, or say what is wrong with each argument."""
        if self._model is None:
            fields: dict[str, Any] = {name: (field.annotation, field) for name, field in self.fields.items()}
            self._model = create_model(self._tool, __config__=_STRICT, **fields)
        try:
            checked = self._model.model_validate(given)
        except ValidationError as error:
            problems = [self._sentence(detail) for detail in error.errors(include_url=False, include_input=False)]
            raise BadInput(" ".join(dict.fromkeys(problems))) from None
        return {name: getattr(checked, name) for name in self.fields}

    def _sentence(self, detail: ErrorDetails) -> str:
        name = ".".join(str(part) for part in detail["loc"])
        if detail["type"] == "extra_forbidden":
            return explain_unknown("parameter", name, list(self.fields), of=self._tool)
        parameter = str(detail["loc"][0])
        if several := _kinds(self.fields[parameter].annotation):
            return f"{parameter} must be {' or '.join(several)}."
        template = _SENTENCES.get(detail["type"])
        if template is not None:
            words = template.format(**detail.get("ctx", {}))
            return f"{name} {_ONE.sub(_singular, words)}."
        kind = _KINDS.get(detail["type"].split("_")[0])
        return f"{name} must be {kind}." if kind else f"{name} is not valid."


def _kinds(annotation: Any) -> list[str]:
    """Name the kinds of a union, of which pydantic would tell one by one that none fits."""
    several = [get_origin(arm) or arm for arm in arms(annotation) if arm is not type(None)]
    return [_KINDS.get(arm.__name__, "an object") for arm in several] if len(several) > 1 else []


def _singular(found: re.Match[str]) -> str:
    return f" 1 {found[1]}"
