"""Schemas: small, true of the values that pass, and refused where there is no true one."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, NamedTuple, Optional, TypedDict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field
from pydantic.fields import FieldInfo
from tests.kit.schemas import accepted, is_valid

from aboveboard.errors import BadInput
from aboveboard.kit.arguments import Arguments
from aboveboard.kit.schema import object_schema, result_schema


class Colour(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str
    shade: int | None
    weight: int = 1


class Loose(BaseModel):
    name: str
    note: str | None = None


TEXT: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "integer"}
COLOUR = {
    "type": "object",
    "properties": {"name": TEXT, "shade": NUMBER, "weight": {**NUMBER, "default": 1}},
    "required": ["name", "shade"],
    "additionalProperties": False,
}
LOOSE = {"type": "object", "properties": {"name": TEXT, "note": TEXT}, "required": ["name"]}


class Row(NamedTuple):
    """One annotation, its schema as a parameter, and values that pass and do not, in both eyes."""

    annotation: Any
    schema: dict[str, Any]
    good: list[Any]
    bad: list[Any]


TABLE = [
    Row(str, TEXT, ["", "a"], [1, None, [], {}]),
    Row(int, NUMBER, [0, -5, 5.0], [1.5, "a", None, []]),
    Row(float, {"type": "number"}, [0, 1.5], ["a", None]),
    Row(bool, {"type": "boolean"}, [True, False], ["a", 2, None]),
    Row(date, {"type": "string", "format": "date"}, ["2026-01-31"], [[]]),
    Row(datetime, {"type": "string", "format": "date-time"}, ["2026-01-31T09:00:00Z"], [[]]),
    Row(Any, {}, [1, "a", None, [], {}], []),
    Row(Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}, ["a", "b"], ["c", "A", 1]),
    Row(Literal[1, 2], {"enum": [1, 2]}, [1, 2], [3, "a"]),
    Row(list[str], {"type": "array", "items": TEXT}, [[], ["a"]], ["a", [1], {"a": 1}]),
    Row(list[Any], {"type": "array"}, [[], ["a", 1]], ["a", {}]),
    Row(Sequence[int], {"type": "array", "items": NUMBER}, [[], [1]], [["a"], 1]),
    Row(list[str | None], {"type": "array", "items": {"type": ["string", "null"]}}, [["a", None]], [[1]]),
    Row(
        list[str | int | None],
        {"type": "array", "items": {"type": ["string", "integer", "null"]}},
        [["a", 1, None]],
        [[[]]],
    ),
    Row(dict[str, int], {"type": "object", "additionalProperties": NUMBER}, [{}, {"a": 1}], [{"a": "b"}, []]),
    Row(dict[str, Any], {"type": "object"}, [{}, {"a": [1]}], [[], "a"]),
    Row(Mapping[str, bool], {"type": "object", "additionalProperties": {"type": "boolean"}}, [{"a": True}], [{"a": 7}]),
    Row(
        dict[str, float | None],
        {"type": "object", "additionalProperties": {"type": ["number", "null"]}},
        [{"a": None, "b": 1.5}],
        [{"a": "b"}],
    ),
    Row(str | int, {"type": ["string", "integer"]}, ["a", 1], [None, [], 1.5]),
    Row(
        str | list[str], {"anyOf": [TEXT, {"type": "array", "items": TEXT}]}, ["a", ["a"]], [1, [1], None]
    ),
    Row(Colour, COLOUR, [{"name": "red", "shade": 1}], [{"name": "red"}, {"name": "red", "shade": 1, "x": 1}, "red"]),
    Row(Loose, LOOSE, [{"name": "a"}, {"name": "a", "x": 1}], [{}, {"name": 1}]),
    Row(list[Loose], {"type": "array", "items": LOOSE}, [[{"name": "a"}]], [[{}], {"name": "a"}]),
    Row(Annotated[int, Field(ge=1, le=9)], {**NUMBER, "minimum": 1, "maximum": 9}, [1, 9], [0, 10]),
    Row(
        Annotated[float, Field(gt=0, lt=1)],
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        [0.5],
        [0, 1],
    ),
    Row(Annotated[int, Field(multiple_of=5)], {**NUMBER, "multipleOf": 5}, [0, 10], [3]),
    Row(
        Annotated[str, Field(min_length=1, max_length=3)],
        {**TEXT, "minLength": 1, "maxLength": 3},
        ["a", "abc"],
        ["", "abcd"],
    ),
    Row(Annotated[str, Field(pattern="^a+$")], {**TEXT, "pattern": "^a+$"}, ["a", "aa"], ["", "b", "ab"]),
    Row(
        Annotated[list[str], Field(min_length=1, max_length=2)],
        {"type": "array", "items": TEXT, "minItems": 1, "maxItems": 2},
        [["a"]],
        [[], ["a", "b", "c"]],
    ),
    Row(
        Annotated[dict[str, str], Field(min_length=1, max_length=2)],
        {"type": "object", "additionalProperties": TEXT, "minProperties": 1, "maxProperties": 2},
        [{"a": "b"}],
        [{}, {"a": "", "b": "", "c": ""}],
    ),
    Row(
        list[Annotated[str, Field(min_length=2)]],
        {"type": "array", "items": {**TEXT, "minLength": 2}},
        [["ab"]],
        [["a"]],
    ),
]  # fmt: skip


def parameter(annotation: Any, default: Any = ...) -> FieldInfo:
    if default is ...:
        return FieldInfo.from_annotation(annotation)
    return FieldInfo.from_annotated_attribute(annotation, default)


def accepts(field: FieldInfo, given: dict[str, Any]) -> bool:
    try:
        Arguments("try_it", {"value": field}).check(given)
    except BadInput:
        return False
    return True


@pytest.mark.parametrize("row", TABLE, ids=lambda row: str(row.annotation))
def test_an_annotation_has_its_schema_and_both_judge_alike(row: Row) -> None:
    field = parameter(row.annotation)
    whole = object_schema({"value": field}, closed=True)
    assert whole["properties"]["value"] == row.schema
    assert whole["required"] == ["value"]
    for value in row.good:
        assert is_valid({"value": value}, whole), value
        assert accepts(field, {"value": value}), value
    for value in row.bad:
        assert not is_valid({"value": value}, whole), value
        assert not accepts(field, {"value": value}), value


@pytest.mark.parametrize("row", TABLE, ids=lambda row: str(row.annotation))
@settings(max_examples=25)
@given(data=st.data())
def test_what_the_published_schema_accepts_is_accepted(row: Row, data: st.DataObject) -> None:
    field = parameter(row.annotation)
    whole = object_schema({"value": field}, closed=True)
    arguments = data.draw(accepted(whole))
    assert accepts(field, arguments), arguments


@pytest.mark.parametrize("row", TABLE, ids=lambda row: str(row.annotation))
def test_an_optional_parameter_has_the_same_schema_and_is_not_required(row: Row) -> None:
    field = parameter(Optional[row.annotation], None)  # noqa: UP045 (the annotation is a value here)
    whole = object_schema({"value": field}, closed=True)
    assert whole["properties"]["value"] == row.schema
    assert "required" not in whole
    assert accepts(field, {})
    assert accepts(field, {"value": None})


def test_limits_hold_for_an_optional_parameter_too() -> None:
    field = parameter(Annotated[str | None, Field(min_length=2, description="A word.")], None)
    whole = object_schema({"value": field}, closed=True)
    assert whole["properties"]["value"] == {"type": "string", "minLength": 2, "description": "A word."}
    assert [accepts(field, {"value": value}) for value in ("ab", None, "a")] == [True, True, False]


@pytest.mark.parametrize("default", [0, False, "", "a", 5], ids=repr)
def test_a_default_is_published_even_where_it_is_nothing_much(default: Any) -> None:
    field = parameter(Annotated[type(default), Field(description="It.")], default)
    whole = object_schema({"value": field}, closed=True)
    assert whole["properties"]["value"]["default"] == default
    assert "required" not in whole


class Paint(Enum):
    RED = 1


class Bag(TypedDict):
    a: int


@pytest.mark.parametrize(
    "annotation",
    [bytes, Decimal, set[str], tuple[int, ...], Paint, Bag, dict[int, str], list, dict, complex, type[str], None],
    ids=str,
)
def test_an_annotation_without_a_schema_is_refused_with_what_to_use_instead(annotation: Any) -> None:
    with pytest.raises(TypeError, match="has no JSON Schema here: use text, numbers, literals, lists, dicts"):
        object_schema({"value": parameter(annotation)}, closed=True)
    with pytest.raises(TypeError, match="has no JSON Schema here"):
        object_schema({"value": parameter(list[annotation])}, closed=True)


class Inner(BaseModel):
    kept: int
    left_out: str | None


class Result(BaseModel):
    always: str
    defaulted: int = 3
    maybe: str | None
    anything: Any = None
    several: list[str | None]
    by_name: dict[str, float | None] = {}
    inner: Inner | None = None
    inners: list[Inner]
    kind: Literal["a", "b"] = "a"
    hidden: str = Field(default="h", exclude=True)


def test_a_result_requires_what_is_always_there_and_nothing_else() -> None:
    schema = result_schema(Result)
    assert schema["required"] == ["always", "defaulted", "several", "by_name", "inners", "kind"]
    assert "hidden" not in schema["properties"]
    assert schema["properties"]["inner"] == {
        "type": "object",
        "properties": {"kept": NUMBER, "left_out": TEXT},
        "required": ["kept"],
    }


@given(result=st.builds(Result, anything=st.none() | st.text()))
def test_every_result_is_valid_under_its_schema(result: Result) -> None:
    assert is_valid(result.model_dump(mode="json", exclude_none=True), result_schema(Result))


def test_a_result_with_something_missing_is_not_valid_under_its_schema() -> None:
    assert is_valid({"kept": 1}, result_schema(Inner))
    assert not is_valid({}, result_schema(Inner))
    assert not is_valid({"kept": 1, "left_out": None}, result_schema(Inner))
