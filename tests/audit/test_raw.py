"""JSON as it stood on the wire."""

from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aboveboard.audit import raw

values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.lists(st.tuples(st.text(max_size=3), inner), max_size=4).map(raw.Object)
    ),
    max_leaves=12,
)


def pairs_of(value: Any) -> Any:
    if isinstance(value, raw.Object):
        return [(key, pairs_of(one)) for key, one in value.pairs]
    return [pairs_of(one) for one in cast("list[Any]", value)] if isinstance(value, list) else value


@given(values)
def test_what_is_written_is_read_back_with_every_key_in_its_place(value: Any) -> None:
    assert pairs_of(raw.parse(raw.dump(value))) == pairs_of(value)
    assert pairs_of(raw.parse(raw.dump(value, indent=2))) == pairs_of(value)


def test_a_key_written_twice_keeps_both_values_and_reads_as_the_last() -> None:
    value = raw.parse('{"a": 1, "b": 2, "a": null}')
    assert value["a"] is None
    assert raw.repeated(value) == {"a": [1, None]}
    assert raw.repeated({"a": 1}) == {}


@pytest.mark.parametrize("text", ["NaN", '{"a": Infinity}', "{'a': 1}", "", "[" * 100_000])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        raw.parse(text)
