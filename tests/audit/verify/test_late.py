"""Work after the answer is the work of that call: found, led back to it, and never taken for noise."""

from contextlib import chdir
from dataclasses import replace

import pytest
from tests.audit.corpus import ROOT
from tests.patience import patience

from aboveboard.audit.report import Report
from aboveboard.audit.settings import Settings
from aboveboard.audit.verdict import Ruling
from aboveboard.audit.verify import ConnectOptions, Plan, Progress, Proof, parse_plan, verify
from aboveboard.audit.verify.patch import patch
from aboveboard.audit.verify.reporting import report_of

PLAN = """
server:
  command: ["${python}", -m, tests.audit.verify.late_notes]
  env: {NOTES_FILE: "${scratch}/notes.json", LATER: "0.35"}
  restart: %s
backend:
  reset: {command: [cp, "${here}/notes.json", "${scratch}/notes.json"]}
  state: {command: [cat, "${scratch}/notes.json"]}
tools:
  list_notes: [{arguments: {id: a}}]
  get_note: [{arguments: {id: "1"}}]
  set_views: [{arguments: {id: "1"}}]
"""
TORN = {"NOTES_FILE": "${scratch}/notes.json", "LATER": "0.2"}


def _plan(restart: str) -> Plan:
    return parse_plan(PLAN % restart, here=ROOT / "tests" / "audit" / "liars" / "watched")


def _watch(plan: Plan, *, late: float = 1.5, repeats: int = 1) -> Proof:
    with chdir(ROOT):
        return verify(plan, repeats=repeats, late=late, options=ConnectOptions(timeout=patience(15)))


@pytest.mark.parametrize("restart", ["never", "case", "trial"])
def test_late_work_is_led_back_to_its_tool_and_hides_nothing(restart: str) -> None:
    proof = _watch(_plan(restart))
    told = {(one.tool, one.hint): one for one in proof.verdicts}
    guilty = told["get_note", "readOnlyHint"]
    assert guilty.verdict is Ruling.VIOLATED
    assert guilty.cause.startswith("the call overwrote views/1, up to ")
    assert told["set_views", "destructiveHint"].verdict is Ruling.VIOLATED
    assert told["list_notes", "readOnlyHint"].verdict is Ruling.HOLDS
    assert proof.noise == []
    assert "readOnlyHint" not in patch(_report(proof)).get("set_views", {}).get("annotations", {})


def test_who_does_not_wait_says_so() -> None:
    proof = _watch(_plan("trial"), late=0)
    assert "Nothing was waited for that comes after an answer." in proof.remarks


def test_a_run_tells_how_far_it_is_until_late_work_of_every_case_was_looked_for() -> None:
    told: list[Progress] = []
    with chdir(ROOT):
        verify(_plan("case"), repeats=1, late=1.5, progress=told.append, options=ConnectOptions(timeout=patience(15)))
    walking, looking = [one for one in told if not one.looking], [one for one in told if one.looking]
    assert [one.done for one in walking] == [1, 2]
    assert all(one.late >= 1.5 for one in walking), "the wait is foreseen while the cases are walked"
    looked = [one.looked for one in looking]
    assert (looked[0], looked[-1]) == (0, 3)
    assert looked == sorted(looked)
    assert (looking[0].left or 0.0) >= 1.5
    assert looking[-1].left == 0
    assert "get_note" in {one.tool for one in looking if one.looked == 3}, "what is walked again is told as well"


def test_what_moves_by_itself_is_not_held_against_the_calls_before_it() -> None:
    """A clock that is slower than the first idle watch is noticed late, and found in the second."""
    ticking = [
        "${python}", "-c",
        "import json,sys,time; print(json.dumps({**json.load(open(sys.argv[1])), 'hour': int(time.time() / 0.7)}))",
        "${scratch}/notes.json",
    ]  # fmt: skip
    plan = _plan("never")
    cases = [case for case in plan.cases if case.tool == "list_notes"]
    backend = replace(plan.backend, state=replace(plan.backend.state, argv=tuple(ticking)))  # pyright: ignore[reportCallIssue, reportArgumentType]
    proof = _watch(replace(plan, cases=cases, backend=backend))
    assert proof.noise == ["hour"]
    told = {one.verdict for one in proof.verdicts if one.tool == "list_notes" and one.hint != "openWorldHint"}
    assert told == {Ruling.HOLDS}


def _report(proof: Proof) -> Report:
    return report_of(proof, Settings())


def test_a_call_that_ends_the_server_does_not_hide_what_others_left_it_to_do() -> None:
    plan = _plan("case")
    (late,) = [case for case in plan.cases if case.tool == "get_note"]
    crash = replace(late, name="a crash", arguments={})
    proof = _watch(replace(plan, cases=[late, crash]))
    (told,) = [one for one in proof.verdicts if (one.tool, one.hint) == ("get_note", "readOnlyHint")]
    assert told.verdict is Ruling.VIOLATED, told.cause


def test_a_server_that_is_ended_while_it_writes_does_not_end_the_run() -> None:
    """It answers, is looked at, and empties its file; the next that looks finds no JSON, however long it waits."""
    plan = _plan("trial")
    command = [*plan.server.command[:-1], "tests.audit.verify.tearing_notes"]
    torn = replace(plan, server=replace(plan.server, command=command, environment=TORN))
    proof = _watch(replace(torn, cases=[replace(plan.cases[0], tool="add_note", arguments={"id": "Travel"})]))
    assert proof.ended == ""
    told = {one.hint: (one.verdict, one.cause) for one in proof.verdicts if one.hint != "openWorldHint"}
    assert {verdict for verdict, _ in told.values()} == {Ruling.HOLDS}, told


def test_what_one_read_leaves_to_another_is_no_proof_for_either_though_a_third_is_found_guilty() -> None:
    text = (PLAN % "case").replace("late_notes", "leaving_notes").partition("tools:")[0]
    asked = {"count_notes": "a", "get_note": "1", "find_note": "1", "list_notes": "a"}
    text += "tools:\n" + "\n".join(f'  {tool}: [{{arguments: {{id: "{one}"}}}}]' for tool, one in asked.items())
    proof = _watch(parse_plan(text, here=ROOT / "tests" / "audit" / "liars" / "watched"))
    told = {one.tool: one for one in proof.verdicts if one.hint == "readOnlyHint"}
    assert told["find_note"].verdict is Ruling.VIOLATED
    for tool in ("get_note", "list_notes"):
        assert told[tool].verdict is Ruling.UNVERIFIABLE, told[tool]
        assert "seen (by get_note, then list_notes) moved" in told[tool].cause
    assert told["count_notes"].verdict is Ruling.HOLDS, told["count_notes"]


def test_a_case_that_an_earlier_one_leaves_nothing_to_do_is_watched_by_itself() -> None:
    text = (PLAN % "case").replace("late_notes", "spoiling_notes").replace("0.35", "1").partition("tools:")[0]
    text += 'tools:\n  delete_note: [{arguments: {id: "1"}}]\n  log_note: [{arguments: {id: "1"}}]\n'
    proof = _watch(parse_plan(text, here=ROOT / "tests" / "audit" / "liars" / "watched"))
    (told,) = [one for one in proof.verdicts if (one.tool, one.hint) == ("log_note", "destructiveHint")]
    assert told.verdict is Ruling.VIOLATED, told.cause
