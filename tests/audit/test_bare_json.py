"""The servers of the corpus read and write JSON as the standard library's own module does."""

import json
from typing import Any

import pytest
from tests.audit.liars import bare_json

VALUES = [
    {},
    [],
    "",
    0,
    -1.5,
    1e300,
    None,
    True,
    {"a": [1, {"b": 'ü\n\u2028\\"/'}], "": None},
    ["\U0001f600", "\ud800"],
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
@pytest.mark.parametrize("ascii_only", [True, False])
def test_what_is_written_and_read_is_the_same(value: Any, *, ascii_only: bool) -> None:
    text = bare_json.dumps(value, ensure_ascii=ascii_only)
    assert text == json.dumps(value, ensure_ascii=ascii_only)
    assert bare_json.loads(f" {text}\n") == value


@pytest.mark.parametrize("text", ["", "nope", "{", "1 2", "[1,]"])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"JSON|Expecting|Illegal"):
        bare_json.loads(text)


def test_what_json_has_no_word_for_is_not_written() -> None:
    with pytest.raises(TypeError, match="set is no JSON"):
        bare_json.dumps({"a": {1}})
