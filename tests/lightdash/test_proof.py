"""The plan of the Lightdash tools: what every tool is seen to do, in this process, and a few as `verify` runs them."""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

import httpx2
import pytest
from tests.answers import faults_in_answers
from tests.forked import PYTHON
from tests.lightdash.sessions import TOOLS
from tests.plans import gaps, plan_of, proof_of, unseen_in

from aboveboard.audit.evidence import HINTS, Behaviour, Tool, Trial
from aboveboard.audit.facts import ABSENT
from aboveboard.audit.judge import judge
from aboveboard.audit.rules.change_beyond_the_plan import ChangeBeyondThePlan
from aboveboard.audit.verdict import Ruling, Verdict
from aboveboard.audit.verify import Plan, Proof, verify
from aboveboard.audit.verify.case_names import case_names
from aboveboard.audit.verify.plan import RequestKind
from aboveboard.audit.verify.state import is_covered
from aboveboard.audit.verify.verdicts import CLAIMS_LITTLE, verdicts
from aboveboard.cli.embedding import embed_plan
from aboveboard.lightdash.sandbox import Sandbox

# One of each kind: a read, a write with something arranged, and what only the plan can explain.
SMOKE: Final = ("get_chart", "delete_comment", "refresh_project")


@pytest.fixture(scope="module")
def plan() -> Plan:
    return plan_of("lightdash")


@pytest.fixture(scope="module")
def proof() -> Proof:
    """Run the whole plan once, for all that is to be said of it."""
    return proof_of("lightdash")


def test_every_hint_of_every_tool_holds_or_the_plan_says_why_it_cannot_be_seen(plan: Plan, proof: Proof) -> None:
    assert [_line(verdict) for verdict in proof.verdicts if not verdict.settled] == []
    assert {(one.tool, one.hint) for one in proof.verdicts} == {(name, hint) for name in TOOLS for hint in HINTS}
    assert {(one.tool, one.hint) for one in proof.verdicts if one.verdict is not Ruling.HOLDS} == unseen_in(plan, proof)
    assert {one.verdict for one in proof.verdicts} == {Ruling.HOLDS, Ruling.NOT_OBSERVED, Ruling.UNTRIED}
    assert proof.noise == []
    _every_case_was_good_for_something(plan, proof)
    _readers_only_ask(proof)
    _no_rule_is_broken(proof)
    _a_lie_would_be_found(proof)


def test_a_call_changes_what_its_case_names_and_nothing_else(proof: Proof) -> None:
    assert [finding.message for finding in judge(proof.evidence, rules=[ChangeBeyondThePlan])] == []
    for trial in _trials(proof):
        # A star stands for the id of what the call makes: what was there before it is named.
        named = [glob for glob in trial.asked or () if "*" not in glob]
        old = [one for one in trial.changes() if trial.asked and one.before is not ABSENT]
        unnamed = [str(one) for one in old if not is_covered(one.path, named)]
        assert unnamed == [], f"{trial.tool.name}, {trial.case}"


def test_every_tool_that_updates_says_all_that_a_call_of_it_changes(plan: Plan, proof: Proof) -> None:
    """That is each that does more than read or delete, and each that deletes by an update of the whole."""
    updating = {name for name, tool in TOOLS.items() if tool.effect.name not in ("READ", "DELETE")}
    for trial in _trials(proof):
        if any(one.method in ("PATCH", "PUT") or one.route.endswith("/version") for one in trial.requests):
            updating.add(trial.tool.name)
    assert updating - {case.tool for case in plan.cases if case.changes is not None} == set(), "say what it `changes`"


def test_every_tool_answers_what_its_output_schema_says_the_same_as_text_and_of_the_thing_it_was_given(
    proof: Proof,
) -> None:
    assert faults_in_answers(proof, TOOLS) == []


def test_processes_say_the_same_as_this_process(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few tools, as `aboveboard verify lightdash` runs them: a server and a sandbox that are started as users do."""
    monkeypatch.setattr(sys, "executable", PYTHON)
    seen = verify(plan, repeats=1, only=SMOKE)
    assert len(seen.verdicts) == len(HINTS) * len(SMOKE)
    assert seen.verdicts == verify(plan, repeats=1, only=SMOKE, setup=embed_plan(plan)).verdicts


def _trials(proof: Proof) -> list[Trial]:
    return [trial for behaviour in proof.behaviours for trial in behaviour.trials]


def _line(verdict: Verdict) -> str:
    return f"{verdict.tool} {verdict.hint} {verdict.verdict}: {verdict.cause}"


def _every_case_was_good_for_something(plan: Plan, proof: Proof) -> None:
    """Each case was walked, and its calls came to something and reached Lightdash, or were refused as the plan says."""
    for behaviour in proof.behaviours:
        cases = plan.of(behaviour.tool.name)
        walked = Counter(trial.case for trial in (*behaviour.trials, *behaviour.refusals))
        assert walked == Counter(case_names(cases)), behaviour.tool.name
        assert all(trial.succeeded for trial in behaviour.trials), f"{behaviour.tool.name}: {behaviour.problem}"
        assert [f"{one.tool.name}, {one.case}: {one.vanity}" for one in behaviour.trials if one.vacuous] == []


def _readers_only_ask(proof: Proof) -> None:
    for behaviour in proof.behaviours:
        if behaviour.tool.declared("readOnlyHint"):
            sent = {request for trial in behaviour.trials for request in trial.requests}
            assert not [str(request) for request in sent if request.kind is not RequestKind.SAFE], behaviour.tool.name


def _no_rule_is_broken(proof: Proof) -> None:
    assert [finding for finding in judge(proof.evidence) if finding.rule.startswith(("BEH", "PRO", "SCH"))] == []


def _a_lie_would_be_found(proof: Proof) -> None:
    """The same evidence beside the opposite hints: what was seen violates them, what was not seen is not observed."""
    for behaviour in proof.behaviours:
        for truth, lie in zip(verdicts(behaviour), verdicts(_flipped(behaviour)), strict=True):
            assert (lie.hint, lie.declared) == (truth.hint, not truth.declared)
            warned = truth.declared is not CLAIMS_LITTLE[truth.hint]
            if truth.verdict is Ruling.HOLDS:
                assert lie.verdict is (Ruling.VIOLATED if warned else Ruling.NOT_OBSERVED), _line(lie)


def _flipped(behaviour: Behaviour) -> Behaviour:
    said = behaviour.tool.annotations
    annotations = {**said, **{hint: not said[hint] for hint in HINTS}}
    return replace(behaviour, tool=Tool({**behaviour.tool.definition, "annotations": annotations}))


def test_every_tool_has_a_case_that_succeeds_and_one_that_is_refused_and_every_case_a_tool() -> None:
    assert gaps("lightdash", TOOLS) == []


def test_a_tool_without_a_case_is_unverifiable() -> None:
    assert [one.verdict for one in verdicts(Behaviour(Tool({"name": "new_tool"}), []))] == [Ruling.UNVERIFIABLE] * 4


def test_every_kind_and_every_switch_of_a_writing_tool_is_tried(plan: Plan) -> None:
    for name, tool in TOOLS.items():
        if not tool.effect.read_only:
            tried = [case.arguments for case in plan.of(name) if not case.refused]
            for parameter, value, default in _choices(tool.input_schema):
                assert any(one.get(parameter, default) == value for one in tried), f"{name}: {parameter}={value}"


def _choices(schema: Any) -> Iterator[tuple[str, object, object]]:
    for parameter, node in schema["properties"].items():
        values = node.get("enum") or ((True, False) if node.get("type") == "boolean" else ())
        yield from ((parameter, value, node.get("default")) for value in values)


@pytest.mark.anyio
async def test_the_state_that_the_sandbox_shows_is_its_dump_after_every_write() -> None:
    sandbox = Sandbox(soft_delete=True)
    headers = {"Authorization": f"ApiKey {sandbox.token}", "X-Sandbox-Token": sandbox.control}
    space = "/api/v1/projects/1a000000-0000-4000-8000-000000000001/spaces"
    writes = [
        ("POST", space, {"name": "New"}),
        ("PATCH", f"{space}/2a000000-0000-4000-8000-000000000001", {"name": "Sold"}),
        ("DELETE", f"{space}/2a000000-0000-4000-8000-000000000001", None),
        ("POST", "/_sandbox/reset", None),
    ]
    states: list[object] = []
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(sandbox.app), base_url="http://sandbox", headers=headers
    ) as client:
        for method, path, body in writes:
            answer = await client.request(method, path, json=body)
            assert answer.is_success, answer.text
            states.append((await client.get("/_sandbox/state")).json())
            assert states[-1] == json.loads(json.dumps(sandbox.dump()))
            assert (await client.get("/_sandbox/state")).json() == states[-1]
    assert all(one != other for one, other in pairwise(states))
    sandbox.close()
