"""The plan that comes with the server, run against the sandbox: what every tool says of itself, it was seen to do."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from tests.answers import faults_in_answers
from tests.nextcloud.sessions import TOOLS
from tests.plans import gaps, plan_of, proof_of, unseen_in

from aboveboard.audit.evidence import HINTS
from aboveboard.audit.judge import judge
from aboveboard.audit.verdict import Ruling
from aboveboard.audit.verify import Plan, Proof, verify
from aboveboard.cli.embedding import embed_plan

SMOKE: Final = ("nc_webdav_list_directory", "nc_webdav_delete_from_trash", "nc_notes_set_favorite")


@pytest.fixture(scope="module")
def plan() -> Plan:
    return plan_of("nextcloud")


@pytest.fixture(scope="module")
def proof() -> Proof:
    """Run the whole plan once, for all that is to be said of it."""
    return proof_of("nextcloud")


def test_every_hint_of_every_tool_is_seen_to_hold_or_is_explained(plan: Plan, proof: Proof) -> None:
    assert [(one.tool, one.hint) for one in proof.verdicts] == [(tool, hint) for tool in TOOLS for hint in HINTS]
    assert [f"{one.tool} {one.hint} {one.verdict}: {one.cause}" for one in proof.verdicts if not one.settled] == []
    assert {(one.tool, one.hint) for one in proof.verdicts if one.verdict is not Ruling.HOLDS} == unseen_in(plan, proof)
    assert proof.noise == []
    trials = [trial for behaviour in proof.behaviours for trial in behaviour.trials]
    refused = [trial for behaviour in proof.behaviours for trial in behaviour.refusals]
    assert [f"{one.tool.name}, {one.problem}" for one in proof.behaviours if one.problem] == []
    assert len(trials) + len(refused) == proof.walks == len(plan.cases)
    vain = [one for one in trials if one.vacuous or not one.succeeded]
    assert [f"{one.tool.name}, {one.case}: {one.vanity or 'it failed'}" for one in vain] == []
    found = [one for one in judge(proof.evidence) if one.rule.startswith(("BEH", "PRO", "SCH"))]
    assert [f"{one.tool} {one.message} ({one.rule})" for one in found] == []


def test_every_tool_that_updates_says_all_that_a_call_of_it_changes(plan: Plan) -> None:
    """What deletes is called so that all of it goes."""
    updating = {name for name, tool in TOOLS.items() if tool.effect.name not in ("READ", "DELETE")}
    assert updating - {case.tool for case in plan.cases if case.changes is not None} == set(), "say what it `changes`"


def test_every_tool_answers_what_its_output_schema_says_the_same_as_text_and_of_the_thing_it_was_given(
    proof: Proof,
) -> None:
    assert faults_in_answers(proof, TOOLS) == []


def test_processes_say_the_same_as_this_process(plan: Plan) -> None:
    """A few tools, as `aboveboard verify nextcloud` runs them: a server and a sandbox that are started."""
    seen = verify(plan, repeats=1, only=SMOKE)
    assert len(seen.verdicts) == len(HINTS) * len(SMOKE)
    assert seen.verdicts == verify(plan, repeats=1, only=SMOKE, setup=embed_plan(plan)).verdicts


def test_every_tool_has_a_case_that_succeeds_and_one_that_is_refused_and_every_case_a_tool() -> None:
    assert gaps("nextcloud", TOOLS) == []


def test_the_plan_tries_every_value_that_chooses_what_a_tool_does(plan: Plan) -> None:
    choices = [(tool, *choice) for tool in TOOLS for choice in _choices(tool)]
    assert len(choices) > 20
    assert [
        (tool, name, value)
        for tool, name, value, default in choices
        if not any(case.arguments.get(name, default) == value for case in plan.of(tool) if not case.refused)
    ] == []


def _choices(tool: str) -> Iterator[tuple[str, Any, Any]]:
    """Go through the flags and enumerations of a tool: each value, and the default of its parameter."""
    schema: dict[str, Any] = TOOLS[tool].input_schema
    for name, node in schema.get("properties", {}).items():
        values: list[Any] = [True, False] if node.get("type") == "boolean" else node.get("enum", [])
        yield from ((name, value, node.get("default")) for value in values)
