"""What is judged from: states as facts, noise and what only moves along, routes, and the branches that were tried."""

from datetime import UTC, datetime
from typing import Any

from aboveboard.audit.evidence import example
from aboveboard.audit.facts import changes
from aboveboard.audit.verify.branches import coverage, untried_values
from aboveboard.audit.verify.bystanders import moved_along, with_containers
from aboveboard.audit.verify.noise import Known, noise_patterns, noisy_paths
from aboveboard.audit.verify.plan import RequestKind
from aboveboard.audit.verify.routes import request, template
from aboveboard.audit.verify.seen import SeenRequest
from aboveboard.audit.verify.state import Snapshot, facts, is_covered, without_ids


def test_a_record_put_before_others_overwrites_none_of_them() -> None:
    before = facts({"notes": [{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]})
    after = facts({"notes": [{"id": 3, "text": "c"}, {"id": 1, "text": "a"}, {"id": 2, "text": "b"}]})
    assert [str(one) for one in changes(before, after)] == [
        "notes/3 appeared",
        "notes/3/id appeared",
        "notes/3/text appeared",
    ]


def test_lists_without_ids_and_plain_values_are_facts_themselves() -> None:
    assert facts({"a": [{"x": 1}, {"x": 2}], "b": [3, 4], "c": {}}) == {
        "a": [{"x": 1}, {"x": 2}],
        "b": [3, 4],
        "c": {},
    }
    assert facts([{"name": "n", "v": None}]) == {"n": {}, "n/name": "n", "n/v": None}
    assert facts({"notes/1": "x"}) == {"notes/1": "x"}
    assert facts(7) == {"state": 7}


def test_filling_an_empty_object_loses_nothing_and_emptying_it_does() -> None:
    empty, full = facts({"a": {"b": {}}}), facts({"a": {"b": {"c": 1}}})
    assert not any(one.loses for one in changes(empty, full))
    assert any(one.loses for one in changes(full, empty))


def test_the_mask_holds_for_other_records_and_not_for_what_lies_below() -> None:
    patterns = noise_patterns(["notes/1/age", "feed/6f1c2a9e-0000-4000-8000-00000000000a"])
    assert patterns == ["feed/*", "notes/*/age"]
    assert noisy_paths(["notes/2/age", "notes/2/text", "feed/9/text"], patterns) == ["notes/2/age"]
    assert without_ids("files/report/2") == "files/report/*"


def test_globs_mean_a_name_or_any_depth() -> None:
    assert is_covered("notes/1/views", ["*/*/views"])
    assert is_covered("log/a/b", ["log/**"])
    assert is_covered("log", ["log"])
    assert is_covered("log/a", ["log"])
    assert is_covered("a/b/updated_at", ["**/updated_at"])
    assert not is_covered("notes/1/views", ["*/views"])
    assert not is_covered("logs", ["log"])


def test_a_route_is_a_path_without_its_values() -> None:
    assert template("/notes/17/view?full=1") == "/notes/{id}/view"
    assert template("/p/6f1c2a9e-0000-4000-8000-00000000000a/charts") == "/p/{id}/charts"
    reviewed = {
        "POST /notes/{id}/search": RequestKind.SAFE,
        "GET /files/**": RequestKind.DELETING,
        "GET /cache/*": RequestKind.REPLACING,
    }
    searched = request(SeenRequest("POST", "h", "/notes/7/search", 200), reviewed)
    assert (searched.writes, searched.kind) == (False, RequestKind.SAFE)
    assert request(SeenRequest("GET", "h", "/files/a/b/c", 200), reviewed).writes
    assert request(SeenRequest("GET", "h", "/cache/refresh", 200), reviewed).known == "replacing"
    unknown = request(SeenRequest("PUT", "h", "/notes/7", 200), reviewed)
    assert (unknown.writes, unknown.kind) == (False, RequestKind.REPLACING)


def test_every_value_that_a_definition_offers_must_be_tried() -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            "action": {"enum": ["get", "delete"]},
            "overwrite": {"anyOf": [{"type": "boolean"}, {"type": "null"}], "default": False},
            "filter": {"$ref": "#/$defs/Filter"},
            "rows": {"type": "array", "items": {"properties": {"state": {"oneOf": [{"const": "on"}, {"const": 1}]}}}},
            "text": {"type": "string"},
        },
        "$defs": {"Filter": {"properties": {"deep": {"type": "boolean"}, "of": {"$ref": "#/$defs/Filter"}}}},
    }
    tool = example("manage_note", inputSchema=schema)
    assert untried_values(tool, [{"action": "get"}])[:3] == ["action=delete", "overwrite=true", "filter.deep=false"]
    first: dict[str, Any] = {"action": "get", "filter": {"deep": True}, "rows": [{"state": "on"}]}
    second: dict[str, Any] = {"action": "delete", "overwrite": True, "filter": {"deep": False}}
    left = [one for one in untried_values(tool, [first, second]) if not one.startswith("filter.of")]
    assert left == ["rows[].state=1"]  # where True is not 1
    assert "1 of 2 values of rows[].state" in coverage(tool, [first, {"rows": [{"state": True}]}])


def test_what_may_be_left_out_and_never_was_is_told() -> None:
    schema = {
        "type": "object",
        "properties": {"id": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["id"],
    }
    tool = example("list_notes", inputSchema=schema)
    assert coverage(tool, [{"id": "1", "limit": 2}, {"id": "1", "limit": 3}]) == ["always with limit"]
    assert coverage(tool, [{"id": "1", "limit": 2}, {"id": "1"}]) == []
    assert coverage(tool, []) == []


def test_a_date_that_is_set_to_now_by_a_call_that_does_nothing_else_is_lost() -> None:
    at = datetime(2026, 11, 16, 12, 0, tzinfo=UTC).timestamp()
    before = {"n/1/due": "2026-01-01T00:00:00Z", "n/1/updatedAt": "2026-01-01T00:00:00Z", "n/1/text": "Milk"}
    due, touched = {"n/1/due": "2026-11-16T12:00:00Z"}, {"n/1/updatedAt": "2026-11-16T12:00:00Z"}
    assert moved_along((before, {**before, **due}), {}, at) == []
    assert moved_along((before, {**before, **touched}), {}, at) == ["n/1/updatedAt"], "its name says what it is"
    written = {**before, **due, "n/1/text": "Milk and bread"}
    assert moved_along((before, written, {**written, "n/1/due": "2026-11-16T12:00:01Z"}), {}, at) == ["n/1/due"]
    elsewhere = {**written, "n/1/due": "2027-01-01T00:00:00Z"}
    assert moved_along((before, written, elsewhere), {}, at) == [], "the second call set it to something else"


def test_what_points_to_the_newest_record_moves_along_with_it() -> None:
    made, other = "6f1c2a9e-0000-4000-8000-00000000000a", "6f1c2a9e-0000-4000-8000-00000000000b"
    before: dict[str, Any] = {"events/e1": 1, "lastEvent": "e1"}
    after = {**before, f"events/{made}": 2}
    assert moved_along((before, {**after, "lastEvent": made}), {}, 0) == ["lastEvent"]
    assert moved_along((before, {**after, "lastEvent": other}), {}, 0) == [], "it points elsewhere"
    named = {**before, "events/work": 2, "lastEvent": "work"}
    assert moved_along((before, named), {}, 0) == [], "a name is a choice, not a number"


def test_a_record_that_stood_still_is_not_hidden_by_others_of_its_kind_that_move() -> None:
    known = Known()
    known.first.append(Snapshot([("notes", {"1": {"text": "a"}, "2": {"text": "b"}})]))
    assert known.standing == set()
    known.add(["notes/2/text", "notes/9/text"], [])
    assert known.standing == {"notes/1/text"}


def test_a_container_that_comes_with_nothing_but_bookkeeping_is_bookkeeping() -> None:
    bare: dict[str, object] = {"n": {}}
    states: tuple[dict[str, object], ...] = (
        bare,
        {**bare, "n/meta": {}, "n/meta/views": 1},
        {**bare, "n/meta": {}, "n/meta/views": 2},
    )
    assert with_containers(["n/meta/views"], states) == ["n/meta", "n/meta/views"]
    more: dict[str, object] = {**states[1], "n/meta/text": "new"}
    assert with_containers(["n/meta/views"], (states[0], more)) == ["n/meta/views"]
