"""The plan of the Lightdash tools, run as `aboveboard verify lightdash` runs it: what every tool is seen to do."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

import httpx2
import pytest
from tests.lightdash.sessions import TOOLS

from aboveboard.audit.evidence import HINTS, Conduct, Tool
from aboveboard.audit.judge import judge
from aboveboard.audit.report import Ruling, Verdict
from aboveboard.audit.verify import Plan, Proof, load_plan, verify
from aboveboard.audit.verify.plan import Effect
from aboveboard.audit.verify.routes import effect
from aboveboard.audit.verify.verdicts import CLAIMS_LITTLE, verdicts
from aboveboard.cli.services import plan_folder
from aboveboard.lightdash.sandbox import Sandbox

# The tools are dealt out, so that workers share the time.
PARTS: Final = 2
# What the sandbox cannot show; the plan gives the reason for each.
NOT_OBSERVED: Final = {
    ("refresh_project", "readOnlyHint"),
    ("refresh_project", "destructiveHint"),
    ("refresh_project", "openWorldHint"),
    ("cancel_query", "readOnlyHint"),
    ("cancel_query", "destructiveHint"),
    ("create_scheduler", "openWorldHint"),
    ("update_scheduler", "openWorldHint"),
    ("set_scheduler_enabled", "openWorldHint"),
    ("send_scheduler_now", "readOnlyHint"),
    ("send_scheduler_now", "idempotentHint"),
    ("send_scheduler_now", "openWorldHint"),
    ("generate_agent_message", "destructiveHint"),
    ("generate_agent_message", "openWorldHint"),
    ("continue_agent_thread", "destructiveHint"),
    ("continue_agent_thread", "openWorldHint"),
    ("run_agent_evaluation", "destructiveHint"),
    ("run_agent_evaluation", "openWorldHint"),
}


@pytest.fixture(scope="module")
def plan() -> Plan:
    return load_plan(plan_folder("lightdash"))


@pytest.mark.parametrize("part", range(PARTS))
def test_every_hint_of_every_tool_holds_or_the_plan_says_why_it_cannot_be_seen(plan: Plan, part: int) -> None:
    names = sorted(TOOLS)[part::PARTS]
    proof = verify(plan, only=names)
    unseen = {one for one in NOT_OBSERVED if one[0] in names}
    kinds = Counter(verdict.verdict for verdict in proof.verdicts)
    assert kinds == +Counter({Ruling.HOLDS: 4 * len(names) - len(unseen), Ruling.NOT_OBSERVED: len(unseen)}), [
        _line(verdict) for verdict in proof.verdicts if not verdict.settled
    ]
    assert {(one.tool, one.hint) for one in proof.verdicts} == {(name, hint) for name in names for hint in HINTS}
    assert {(one.tool, one.hint) for one in proof.verdicts if one.verdict is Ruling.NOT_OBSERVED} == unseen
    assert all(verdict.settled for verdict in proof.verdicts)
    assert (proof.noise, proof.mistakes) == ([], [])
    _every_case_was_good_for_something(plan, proof)
    _readers_only_ask(proof)
    _no_rule_is_broken(proof)
    _a_lie_would_be_found(proof)


def _line(verdict: Verdict) -> str:
    return f"{verdict.tool} {verdict.hint} {verdict.verdict}: {verdict.cause}"


def _every_case_was_good_for_something(plan: Plan, proof: Proof) -> None:
    """Each case was walked three times, and its calls came to something and reached Lightdash."""
    for conduct in proof.conducts:
        cases = plan.of(conduct.tool.name)
        assert Counter(trial.case for trial in conduct.trials) == {case.name: 3 for case in cases}, conduct.tool.name
        assert all(trial.succeeded for trial in conduct.trials), f"{conduct.tool.name}: {conduct.problem}"
        # What the server still knows from a call before, it need not ask again.
        assert {trial.case for trial in conduct.trials if not trial.vacuous} == {case.name for case in cases}


def _readers_only_ask(proof: Proof) -> None:
    for conduct in proof.conducts:
        if conduct.tool.declared("readOnlyHint"):
            sent = {request for trial in conduct.trials for request in trial.requests}
            assert not [str(request) for request in sent if effect(request) is not Effect.SAFE], conduct.tool.name


def _no_rule_is_broken(proof: Proof) -> None:
    assert [finding for finding in judge(proof.evidence) if finding.rule.startswith(("BEH", "PRO", "SCH"))] == []


def _a_lie_would_be_found(proof: Proof) -> None:
    """The same evidence beside the opposite hints: what was seen violates them, what was not seen is not observed."""
    for conduct in proof.conducts:
        for truth, lie in zip(verdicts(conduct), verdicts(_flipped(conduct)), strict=True):
            assert (lie.hint, lie.declared) == (truth.hint, not truth.declared)
            warned = truth.declared is not CLAIMS_LITTLE[truth.hint]
            if truth.verdict is Ruling.HOLDS:
                assert lie.verdict is (Ruling.VIOLATED if warned else Ruling.NOT_OBSERVED), _line(lie)


def _flipped(conduct: Conduct) -> Conduct:
    said = conduct.tool.annotations
    annotations = {**said, **{hint: not said[hint] for hint in HINTS}}
    return replace(conduct, tool=Tool({**conduct.tool.definition, "annotations": annotations}))


def test_every_tool_has_a_plan_and_one_without_is_unverifiable(plan: Plan) -> None:
    assert {case.tool for case in plan.cases} == TOOLS.keys()
    assert [one.verdict for one in verdicts(Conduct(Tool({"name": "new_tool"}), []))] == [Ruling.UNVERIFIABLE] * 4


def test_every_kind_and_every_switch_of_a_writing_tool_is_tried(plan: Plan) -> None:
    for name, tool in TOOLS.items():
        if not tool.effect.read_only:
            tried = [case.arguments for case in plan.of(name)]
            for parameter, value, default in _choices(tool.input_schema):
                assert any(one.get(parameter, default) == value for one in tried), f"{name}: {parameter}={value}"


def _choices(schema: Any) -> Iterator[tuple[str, object, object]]:
    for parameter, node in schema["properties"].items():
        values = node.get("enum") or ((True, False) if node.get("type") == "boolean" else ())
        if parameter != "format":  # of a file to be sent, whichever it is
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
