"""Where the platforms contradict each other, each profile says its own."""

from dataclasses import replace
from typing import Any

import pytest

from aboveboard.audit.evidence import ADDS, READS, Fleet, Request, Server, Tool, Trial, example
from aboveboard.audit.judge import judge
from aboveboard.audit.rule import Profile, Severity

S, A, P, G, C, X = Profile


def weights(evidence: Any, rule: str) -> dict[Profile, Severity]:
    found = judge([evidence], list(Profile))
    return {finding.profile: finding.severity for finding in reversed(found) if finding.rule == rule}


def hints(tool: Tool, profile: Profile) -> list[str]:
    return sorted(str(one.hint) for one in judge([tool], [profile]) if one.rule == "ANN02")


def test_each_platform_wants_other_hints_stated() -> None:
    nothing = example("add_note", "Write down a note.", {"title": "Add Note"})
    assert hints(nothing, A) == ["destructiveHint"]
    assert hints(nothing, P) == ["destructiveHint", "openWorldHint", "readOnlyHint"]
    assert len(hints(nothing, S)) == len(hints(nothing, X)) == 4
    reader = example(hints={"readOnlyHint": True})
    assert (hints(reader, S), hints(reader, A)) == (["openWorldHint"], [])
    wanted = {A: Severity.ERROR, P: Severity.ERROR, X: Severity.ERROR}
    assert weights(nothing, "ANN02") == dict.fromkeys((S, G, C), Severity.INFO) | wanted


def test_an_additive_write_is_destructive_for_anthropic_alone() -> None:
    assert weights(example("add_note", "Write down a note.", ADDS), "ANN11") == {A: Severity.INFO}


def test_reading_the_open_world_is_no_open_world_for_openai_alone() -> None:
    reader = example("find_page", "Find a page of the web.", {**READS, "openWorldHint": True})
    assert weights(reader, "ANN11") == {P: Severity.INFO}
    trial = Trial(example(), requests=[Request("GET", "cdn.example.net", "/a")], domain={"notes.example.com"})
    assert weights(trial, "BEH04").keys() == {S, A, G, C, X}


def test_bookkeeping_is_a_write_for_openai_and_strict() -> None:
    trial = Trial(example(), before={"views": 1}, after={"views": 2}, derived={"views"})
    assert weights(trial, "BEH01").keys() == {P, X}


def test_alternatives_at_the_root_are_refused_by_the_platforms_and_allowed_by_the_specification() -> None:
    tool = example(inputSchema={"type": "object", "oneOf": [{"required": []}]})
    allowed = dict.fromkeys((S, C), Severity.INFO)
    assert weights(tool, "SCH02") == dict.fromkeys((A, P, G, X), Severity.ERROR) | allowed


def test_openai_wants_tools_called_search_and_fetch() -> None:
    assert weights(example("search", "Return the notes that hold a text."), "NAM05").keys() == {S, A, G, C, X}


@pytest.mark.parametrize(
    ("length", "expected"),
    [
        (201, {P: Severity.INFO}),
        (1025, {P: Severity.ERROR, X: Severity.WARNING}),
        (2049, {S: Severity.INFO, A: Severity.WARNING, P: Severity.ERROR, X: Severity.WARNING}),
    ],
)
def test_each_platform_has_its_own_cap_on_descriptions(length: int, expected: dict[Profile, Severity]) -> None:
    assert weights(example(description="x" * length), "DSC03") == expected


def test_gemini_refuses_what_json_schema_allows() -> None:
    def refused(schema: dict[str, Any]) -> set[str]:
        tool = example(inputSchema={"type": "object", "properties": {"due": {"description": "The day.", **schema}}})
        heavy = [one for one in judge([tool], [G]) if one.severity is Severity.ERROR]
        assert not any(one.rule in ("SCH09", "SCH10") for one in judge([tool], [A]))
        return {one.rule for one in heavy}

    assert refused({"type": ["string", "null"]}) == {"SCH10"}
    assert refused({"type": "integer", "enum": [1, 2]}) == {"SCH10"}
    assert refused({"type": "array"}) == {"SCH10"}
    assert refused({"type": "string", "format": "uuid"}) == {"SCH10"}
    assert refused({"type": "object", "properties": {"day": {"type": "string"}}, "required": ["year"]}) == {"SCH10"}
    assert refused({"oneOf": [{"type": "string"}]}) == {"SCH10"}
    assert refused({"type": "object", "additionalProperties": {"type": "string"}}) == {"SCH09"}
    assert refused({"type": "array", "items": {"type": "object"}}) == {"SCH09"}
    assert refused({"$ref": "#/$defs/Day"}) >= {"SCH03"}
    assert refused({"type": "string", "format": "date-time"}) == refused({"type": "string", "enum": ["a"]}) == set()


def test_cursor_takes_forty_tools_and_names_of_sixty_characters_with_the_server() -> None:
    forty = Fleet([Server("notes", [example(f"get_note_{n}") for n in range(40)])])
    assert "SIZ02" not in {one.rule for one in judge([forty], [C])}
    more = Fleet([Server("notes", [*forty.servers[0].tools, example("get_note_x")])])
    assert weights(more, "SIZ02")[C] is Severity.ERROR
    assert weights(more, "SIZ02")[S] is Severity.INFO
    name = "search_all_notes_in_every_notebook_of_this_workspace"
    assert C not in weights(replace(example(name), server="n" * (59 - len(name))), "NAM02")
    assert weights(replace(example(name), server="n" * (60 - len(name))), "NAM02")[C] is Severity.ERROR
