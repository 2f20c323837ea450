"""What a draft tries of a tool, and what it leaves out."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import pytest

from aboveboard.audit.evidence import Tool
from aboveboard.audit.verify.budget import DraftCase, Pace, affordable, seconds_of
from aboveboard.audit.verify.exploring import combinations_for
from aboveboard.audit.verify.mentioning import mentioned_values
from aboveboard.audit.verify.records import Records

FLAG = {"type": "boolean"}
LEVEL = {"enum": ["low", "middle", "high"]}


def _tried(name: str, properties: Mapping[str, Any], required: Sequence[str] = ()) -> dict[str, Any]:
    tool = Tool({"name": name, "inputSchema": {"type": "object", "properties": properties, "required": [*required]}})
    return {one.name: dict(one.arguments) for one in combinations_for(tool, Records([tool]))}


def test_every_value_of_an_enum_and_of_a_flag_is_tried() -> None:
    assert _tried("set_alarm", {"level": LEVEL, "loud": FLAG}, ["level"]) == {
        "": {"level": "low"},
        "level=middle": {"level": "middle"},
        "level=high": {"level": "high"},
        "loud=false": {"level": "low", "loud": False},
        "loud=true": {"level": "low", "loud": True},
        "level=middle, loud=false": {"level": "middle", "loud": False},
        "level=middle, loud=true": {"level": "middle", "loud": True},
        "level=high, loud=false": {"level": "high", "loud": False},
        "level=high, loud=true": {"level": "high", "loud": True},
    }


def test_where_all_combinations_are_too_many_every_two_values_meet() -> None:
    names = [f"p{number}" for number in range(8)]
    tried = [*_tried("set_alarm", dict.fromkeys(names, LEVEL), names).values()]
    assert len(tried) < 60 < 3**8
    for one, other in combinations(names, 2):
        met = {(arguments[one], arguments[other]) for arguments in tried}
        assert len(met) == 9, (one, other)


def test_lists_have_one_two_and_five_items() -> None:
    texts = {"type": "array", "items": {"type": "string"}}
    tried = _tried("set_alarm", {"labels": texts}, ["labels"])
    assert [len(one["labels"]) for one in tried.values()] == [1, 2, 5]
    assert len(set(tried["labels of five"]["labels"])) == 5
    few = _tried("set_alarm", {"labels": {**texts, "maxItems": 2}}, ["labels"])
    assert [len(one["labels"]) for one in few.values()] == [1, 2]


def test_ids_in_a_list_are_of_records_that_are_there_and_of_one_that_is_not() -> None:
    tried = _tried("file_notes", {"note_ids": {"type": "array", "items": {"type": "string"}}}, ["note_ids"])
    assert tried["note_ids of two"] == {"note_ids": ["${note_id}", "${another_note_id}"]}
    assert tried["note_ids with one that is not there"] == {"note_ids": ["${note_id}", "no-such-note"]}


def test_what_is_looked_for_matches_or_does_not_and_what_is_written_is_new_or_known() -> None:
    text = {"type": "string"}
    assert [*_tried("search_notes", {"query": text}, ["query"]).values()] == [
        {"query": "${known_query}"},
        {"query": "no such thing 4711"},
    ]
    assert [*_tried("ensure_note", {"title": text}, ["title"]).values()] == [
        {"title": "An example title"},
        {"title": "${known_title}"},
    ]


def test_fields_of_an_object_are_tried_one_by_one() -> None:
    inner = {"type": "object", "properties": {"loud": FLAG, "level": LEVEL}, "required": ["level"]}
    tried = _tried("set_alarm", {"how": inner}, ["how"])
    assert tried["how.level=high"] == {"how": {"level": "high"}}
    assert tried["how.loud=true"] == {"how": {"level": "low", "loud": True}}


@pytest.mark.parametrize(
    ("description", "values"),
    [
        ("How to sort, such as 'title' or 'date'.", ["title", "date"]),
        ("The folder, e.g. `inbox`.", ["inbox"]),
        ("One of asc, desc or none.", ["asc", "desc", "none"]),
        ("The folder (for example, archive). It must exist.", ["archive"]),
        ("Something such as the name of a project.", []),
        ("The folder.", []),
    ],
)
def test_a_description_names_values_in_words(description: str, values: list[str]) -> None:
    assert mentioned_values({"type": "string", "description": description}) == values


def test_what_a_description_names_is_tried_of_an_optional_text_and_of_items_too() -> None:
    told = "Where to, such as 'home' or 'work'."
    optional = {"anyOf": [{"type": "string"}, {"type": "null"}], "description": told}
    assert [*_tried("move_note", {"place": optional}).values()] == [{}, {"place": "home"}, {"place": "work"}]
    items = {"type": "array", "items": {"type": "string"}, "description": told}
    assert [*_tried("move_note", {"places": items}, ["places"]).values()][3:] == [
        {"places": ["home"]},
        {"places": ["work"]},
    ]


def test_every_literal_of_a_union_is_tried() -> None:
    for union in ([{"const": "get"}, {"const": "delete"}], [{"enum": ["get"]}, {"enum": ["delete"]}, {"type": "null"}]):
        tried = _tried("note", {"action": {"anyOf": union}}, ["action"])
        assert [*tried.values()] == [{"action": "get"}, {"action": "delete"}]


def test_a_number_in_a_description_is_a_number() -> None:
    assert mentioned_values({"type": "integer", "description": "Days, such as 7 or many."}) == [7]
    assert _tried("wait", {"days": {"type": "integer", "description": "Days, such as 7 or 30."}}, ["days"]) == {
        "": {"days": 7},
        "days=30": {"days": 30},
    }


def test_a_budget_takes_from_each_tool_in_turn() -> None:
    cases = [DraftCase(tool, {}, 0, rank) for tool in "ab" for rank in (0, 1, 1, 2)]
    cost = cases[0].seconds(Pace(1, 0))
    kept, left = affordable(cases, Pace(1, 0), 4.5 * cost)
    assert [(one.tool, one.rank) for one in kept] == [("a", 0), ("a", 1), ("b", 0), ("b", 1)]
    assert [(one.tool, one.rank) for one in left] == [("a", 1), ("a", 2), ("b", 1), ("b", 2)]
    assert [(one.tool, one.rank) for one in affordable(cases, Pace(1, 0), 0)[0]] == [("a", 0), ("b", 0)]


@pytest.mark.parametrize(("text", "seconds"), [("90", 90), ("90s", 90), ("5m", 300), ("1.5h", 5400)])
def test_a_time_is_read(text: str, seconds: float) -> None:
    assert seconds_of(text) == seconds
