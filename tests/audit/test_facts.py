"""What it means that a fact changed."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aboveboard.audit.facts import changes

json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, {"a": 1}),
        ({"a": None}, {"a": "filled"}),
        ({"a": False}, {"a": True}),
        ({"a": ""}, {"a": "text"}),
        ({"a": [1]}, {"a": [1, 2]}),
        ({"a": [1, 2]}, {"a": [2, 3, 1]}),
        ({"a": "Milk"}, {"a": "Milk and bread"}),
        ({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}}),
    ],
)
def test_what_only_adds_loses_nothing(before: dict[str, Any], after: dict[str, Any]) -> None:
    (change,) = changes(before, after)
    assert not change.loses


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({"a": 1}, {}, "a is gone"),
        ({"a": None}, {}, "a is gone"),
        ({"a": 1}, {"a": 2}, "a: 1 became 2"),
        ({"a": True}, {"a": False}, "a: true became false"),
        ({"a": True}, {"a": 1}, "a: true became 1"),
        ({"a": [1, 1]}, {"a": [1]}, "a: [1, 1] became [1]"),
        ({"a": "Milk"}, {"a": "Bread"}, 'a: "Milk" became "Bread"'),
        ({"a": "active"}, {"a": "inactive"}, 'a: "active" became "inactive"'),
        ({"a": {"b": 1}}, {"a": {"b": 2, "c": 2}}, 'a: {"b": 1} became {"b": 2, "c": 2}'),
        ({"n/1/deleted": False}, {"n/1/deleted": True}, "n/1/deleted: false became true"),
        ({"n/1/deletedAt": None}, {"n/1/deletedAt": 1}, "n/1/deletedAt: null became 1"),
        ({}, {"n/1/is_trashed": True}, "n/1/is_trashed appeared"),
    ],
)
def test_what_is_replaced_cleared_or_removed_is_lost(before: dict[str, Any], after: dict[str, Any], told: str) -> None:
    (change,) = changes(before, after)
    assert change.loses
    assert str(change) == told


@given(st.dictionaries(st.text(max_size=3), json_values, max_size=4))
def test_a_state_is_not_changed_from_itself(state: dict[str, Any]) -> None:
    assert changes(state, dict(state)) == []
    assert not any(change.loses for change in changes({}, state))


def test_a_record_that_comes_with_a_mark_of_deletion_buries_nothing() -> None:
    assert not any(change.loses for change in changes({}, {"n/1": {}, "n/1/deleted": "no", "n/1/text": "a"}))
    assert not any(change.loses for change in changes({"n/1/deleted": None}, {"n/1/deleted": False}))
    assert not any(change.loses for change in changes({"n/1/undeleted": None}, {"n/1/undeleted": True}))


def test_what_does_not_count_is_left_out_with_all_below_it() -> None:
    before, after = {"log/1": 1, "login": 1, "views": 1}, {"log/1": 2, "login": 2, "views": 2}
    assert [change.path for change in changes(before, after, without={"log", "views"})] == ["login"]
