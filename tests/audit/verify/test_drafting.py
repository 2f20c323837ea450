"""What a draft tries of a tool, and what it leaves out."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import pytest

from aboveboard.audit.evidence import Server, Tool
from aboveboard.audit.verify import parse_plan
from aboveboard.audit.verify.budget import DraftCase, Pace, affordable, seconds_of
from aboveboard.audit.verify.draft import draft
from aboveboard.audit.verify.exploring import combinations_for
from aboveboard.audit.verify.mentioning import mentioned_values
from aboveboard.audit.verify.plan import Case, Launch, Plan, Record
from aboveboard.audit.verify.records import Records

FLAG = {"type": "boolean"}
LEVEL = {"enum": ["low", "middle", "high"]}


TEXT = {"type": "string"}


def _tool(name: str, properties: Mapping[str, Any], required: Sequence[str] = (), says: str = "") -> Tool:
    schema = {"type": "object", "properties": properties, "required": [*required]}
    return Tool({"name": name, "description": says, "inputSchema": schema})


def _cases(*tools: Tool) -> dict[tuple[str, str], Case]:
    """Draft a plan, and read it back, as whoever completes it has it."""
    return {(one.tool, one.name): one for one in parse_plan(draft(Server("x", tools), Plan())).cases}


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


def test_fields_of_an_object_are_tried_together_and_in_a_list_as_well() -> None:
    inner = {"type": "object", "properties": {"loud": FLAG, "level": LEVEL, "days": {"type": "integer"}}}
    tried = _tried("set_alarm", {"how": inner}, ["how"])
    assert tried["how with every field"] == {"how": {"loud": False, "level": "low", "days": 1}}
    listed = _tried("set_alarms", {"rows": {"type": "array", "items": inner}}, ["rows"])
    assert listed["rows[].level=high"] == {"rows": [{"level": "high"}]}
    assert listed["rows[].loud=true"] == {"rows": [{"loud": True}]}


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


def test_what_the_tools_own_description_names_is_tried_of_the_parameter_that_it_names() -> None:
    says = "Run a maintenance job, such as 'tidy' or 'purge', on a shelf."
    cases = _cases(_tool("run_job", {"job": TEXT, "shelf": TEXT}, ["job", "shelf"], says))
    assert cases["run_job", ""].arguments == {"job": "tidy", "shelf": "${known_shelf}"}
    assert cases["run_job", "job=purge"].arguments == {"job": "purge", "shelf": "${known_shelf}"}


def test_an_example_of_a_list_comes_before_what_is_made_up() -> None:
    rows = {"type": "array", "items": TEXT, "examples": [["a", "b"]]}
    assert _tried("set_alarm", {"rows": rows}, ["rows"])[""] == {"rows": ["a", "b"]}


def test_a_type_beside_null_is_the_type() -> None:
    optional = {"id": {"type": ["string", "null"]}, "loud": {"type": ["boolean", "null"]}}
    tried = _tried("get_alarm", optional)
    assert tried[""] == {"id": "${alarm_id}"}
    assert {"loud=true", "loud=false"} < tried.keys()


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


def test_a_number_that_has_a_default_and_a_most_is_tried_at_its_ends() -> None:
    limit = {"type": "integer", "default": 20, "minimum": 1, "maximum": 100}
    assert [*_tried("list_notes", {"limit": limit}).values()] == [{}, {"limit": 1}, {"limit": 100}]
    folder = {"type": "string", "default": "inbox"}
    assert [*_tried("file_note", {"folder": folder}).values()] == [{}, {"folder": "An example folder"}]


def test_a_tool_is_called_with_one_value_and_measured_with_another_on_the_same_record() -> None:
    set_owner = _tool("set_owner", {"note_id": TEXT, "reason": TEXT}, ["note_id", "reason"])
    pair = _cases(set_owner)["set_owner", "another reason after the first"]
    assert [(step.call, step.arguments["reason"]) for step in pair.steps] == [("set_owner", "An example reason")]
    assert pair.arguments == {"note_id": "${note_id}", "reason": "Another example reason"}
    assert pair.may_fail
    reads = _tool("get_note", {"note_id": TEXT, "reason": TEXT}, ["note_id", "reason"])
    assert not any(name.endswith("after the first") for _, name in _cases(reads))


def test_what_is_optional_within_objects_or_a_list_is_replaced_in_pairs_too() -> None:
    changes = {"type": "object", "properties": {"mood": TEXT}}
    given = {"id": TEXT, "mood": TEXT, "changes": changes, "tags": {"type": "array", "items": TEXT}}
    cases = _cases(_tool("update_note", given, ["id", "changes", "tags"]))
    pair = cases["update_note", "another changes.mood after the first"]
    assert [pair.steps[0].arguments["changes"], pair.arguments["changes"]] == [
        {"mood": "${known_mood}"},
        {"mood": "Another example mood"},
    ]
    assert cases["update_note", "another mood after the first"].steps[0].arguments["mood"] == "${known_mood}"
    more = cases["update_note", "more tags after the first"]
    first, then = more.steps[0].arguments["tags"], more.arguments["tags"]
    assert (len(first), len(then), {*first} & {*then}) == (1, 5, set())


def test_a_record_that_only_stands_beside_the_other_is_another_one_in_the_second_call() -> None:
    given = {"ticket_id": TEXT, "user_id": TEXT}
    pair = _cases(_tool("assign_ticket", given, [*given]))["assign_ticket", "another user_id after the first"]
    assert pair.steps[0].arguments == {"ticket_id": "${ticket_id}", "user_id": "${user_id}"}
    assert pair.arguments == {"ticket_id": "${ticket_id}", "user_id": "${another_user_id}"}
    assert ("assign_ticket", "another ticket_id after the first") not in _cases(_tool("assign_ticket", given, [*given]))
    given = {"sku": TEXT, "supplier_id": TEXT}
    assert ("supply", "another supplier_id after the first") in _cases(_tool("supply", given, [*given]))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("invoice_number", "${invoice_id}"),
        ("invoice", "${invoice_id}"),
        ("target_invoice", "${another_invoice_id}"),
        ("phone_number", "${known_phone_number}"),
    ],
)
def test_what_tools_show_is_known_by_its_name_and_number_as_well(name: str, value: str) -> None:
    cases = _cases(_tool("void_it", {name: TEXT}, [name]), _tool("list_invoices", {}))
    assert cases["void_it", ""].arguments == {name: value}


def test_one_key_is_the_same_record_for_all_tools_that_take_it() -> None:
    names = ("get_value", "set_default", "increment", "delete_key")
    cases = _cases(*(_tool(name, {"key": TEXT}, ["key"]) for name in names))
    assert {cases[name, ""].arguments["key"] for name in names} == {"${key_id}"}
    rename = _tool("rename_key", {"key": TEXT, "new_key": TEXT}, ["key", "new_key"])
    tried = _cases(rename)
    assert tried["rename_key", ""].arguments == {"key": "${key_id}", "new_key": "no-such-key"}
    taken = tried["rename_key", "new_key of one that is there"]
    assert taken.arguments == {"key": "${key_id}", "new_key": "${another_key_id}"}
    assert taken.may_fail


def test_a_tool_that_puts_a_record_somewhere_does_not_make_it_and_one_that_makes_it_fills_its_texts() -> None:
    add = _tool("add_track", {"playlist_id": TEXT, "track_id": TEXT}, ["playlist_id", "track_id"])
    create = _tool("create_playlist", {"name": TEXT, "description": TEXT}, ["name"])
    usual = _cases(add, create)["add_track", ""]
    assert [(one.call, one.arguments) for one in usual.steps] == [
        ("create_playlist", {"name": "An example name", "description": "An example description"})
    ]
    assert usual.arguments["track_id"] == "${track_id}", "which a person names"


def test_where_it_takes_one_to_make_one_a_person_names_the_first() -> None:
    create = _tool("create_folder", {"parent_id": TEXT, "name": TEXT}, ["parent_id", "name"])
    delete = _tool("delete_folder", {"folder_id": TEXT}, ["folder_id"])
    (step,) = _cases(create, delete)["delete_folder", ""].steps
    assert step.arguments == {"parent_id": "${first_folder_id}", "name": "An example name"}


def test_names_without_a_latin_letter_are_drafted_too() -> None:
    cases = _cases(
        _tool("名前", {"数": TEXT, "_": {"type": "integer"}}, ["数"]), _tool("create_名", {"数": TEXT}, ["数"])
    )
    assert {"名前", "create_名"} == {tool for tool, _ in cases}


def test_what_may_well_fail_is_said_to() -> None:
    cases = _cases(_tool("get_note", {"id": TEXT}), _tool("delete_note", {"id": TEXT}, ["id"]))
    assert cases["get_note", ""].may_fail == ""
    assert cases["get_note", "id of none that is there"].may_fail == "it names nothing that is there"
    assert cases["get_note", "id left out"].may_fail == "it may need one"
    assert cases["get_note", "after delete_note"].may_fail == "the call before it may leave nothing to do"
    assert cases["delete_note", "after get_note"].may_fail == ""


def test_what_the_schema_rules_out_must_be_refused_in_any_words() -> None:
    given = {"id": TEXT, "level": {"type": "string", **LEVEL}, "title": {**TEXT, "minLength": 1}}
    cases = _cases(_tool("set_alarm", given, ["level", "id"]))
    refused = {name: case.arguments for (_, name), case in cases.items() if case.refused}
    assert refused == {
        "without id, against the schema": {"level": "low"},
        "level of none of its values, against the schema": {"id": "${alarm_id}", "level": "no-such-level"},
        "title empty, against the schema": {"id": "${alarm_id}", "level": "low", "title": ""},
    }
    assert all(case.refused == ("",) for case in cases.values() if case.refused)
    assert not any(case.refused for case in _cases(_tool("list_alarms", given, ["level"])).values())


@pytest.mark.parametrize(
    ("name", "says", "asked"),
    [
        ("delete_folder", "Delete a folder; with notes in it, only if force says so.", True),
        ("delete_folder", "Delete a folder. Requires force.", True),
        ("delete_folder", "Delete a folder for good.", None),
        ("void_invoice", "Void an invoice. A paid one cannot be voided.", True),
        ("send_invoice", "Send an invoice, which cannot be changed any more.", None),
        ("edit_invoice", "Change an invoice. Only drafts can be edited.", True),
        ("pay_invoice", "Note a payment down. Fails if it is a draft.", True),
    ],
)
def test_what_a_description_says_is_refused_is_asked_for(name: str, says: str, *, asked: bool | None) -> None:
    text = draft(Server("x", [_tool(name, {"id": TEXT, "force": FLAG}, ["id"], says)]), Plan())
    assert (f"{name}_refuses: TODO  # which {name} refuses: " in text) is bool(asked)
    assert ("    refused: TODO  # words that the answer must contain" in text) is bool(asked)
    if asked and "force" in says:
        assert f"{{id: '${{{name}_refuses}}', force: false}}" in text


def test_a_name_that_is_taken_is_one_that_is_there() -> None:
    create = _tool("create_list", {"name": TEXT}, ["name"], "Create a list. Fails if the name is taken.")
    text = draft(Server("x", [create]), Plan())
    assert "  - name: what it must refuse\n    arguments: {name: '${known_name}'}\n    refused: TODO" in text


def test_a_server_that_fetches_nothing_has_its_requests_recorded() -> None:
    for command, record in (
        (("python", "server.py"), Record.PROXY),
        (("/usr/bin/npx", "-y", "server"), None),
        ((), None),
    ):
        plan = Plan(server=Launch(command=command, url="" if command else "http://127.0.0.1/mcp"))
        assert parse_plan(draft(Server("x", [_tool("get_note", {})]), plan)).backend.record is record


def test_a_step_that_deletes_is_told_that_it_may() -> None:
    delete = _tool("delete_note", {"id": TEXT, "confirm": FLAG}, ["id"])
    (step,) = _cases(_tool("get_note", {"id": TEXT}, ["id"]), delete)["get_note", "after delete_note"].steps
    assert step.arguments == {"id": "${note_id}", "confirm": True}
