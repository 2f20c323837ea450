"""The plan of the Lightdash tools: what every tool is seen to do, in this process, and a few as `verify` runs them."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

import httpx2
import pytest
from tests.lightdash.sessions import TOOLS
from tests.plans import plan_of, proof_of

from aboveboard.audit.evidence import HINTS, Conduct, Tool
from aboveboard.audit.judge import judge
from aboveboard.audit.report import Ruling, Verdict
from aboveboard.audit.verify import Plan, Proof, verify
from aboveboard.audit.verify.plan import Effect
from aboveboard.audit.verify.routes import effect
from aboveboard.audit.verify.verdicts import CLAIMS_LITTLE, verdicts
from aboveboard.cli.embedding import embedded
from aboveboard.lightdash.sandbox import Sandbox

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


# One of each kind: a read, a write with something arranged, and what only the plan can explain.
SMOKE: Final = ("get_chart", "delete_comment", "refresh_project")


@pytest.fixture(scope="module")
def plan() -> Plan:
    return plan_of("lightdash")


def test_every_hint_of_every_tool_holds_or_the_plan_says_why_it_cannot_be_seen(plan: Plan) -> None:
    proof = proof_of("lightdash")
    assert [_line(verdict) for verdict in proof.verdicts if not verdict.settled] == []
    assert {(one.tool, one.hint) for one in proof.verdicts} == {(name, hint) for name in TOOLS for hint in HINTS}
    assert {(one.tool, one.hint) for one in proof.verdicts if one.verdict is not Ruling.HOLDS} == NOT_OBSERVED
    assert {one.verdict for one in proof.verdicts} == {Ruling.HOLDS, Ruling.NOT_OBSERVED}
    assert (proof.noise, proof.mistakes) == ([], [])
    _every_case_was_good_for_something(plan, proof)
    _readers_only_ask(proof)
    _no_rule_is_broken(proof)
    _a_lie_would_be_found(proof)


def test_processes_say_the_same_as_this_process(plan: Plan) -> None:
    """A few tools, as `aboveboard verify lightdash` runs them: a server and a sandbox that are started."""
    seen = verify(plan, repeats=1, only=SMOKE)
    assert len(seen.verdicts) == len(HINTS) * len(SMOKE)
    assert seen.verdicts == verify(plan, repeats=1, only=SMOKE, setup=embedded(plan)).verdicts


def _line(verdict: Verdict) -> str:
    return f"{verdict.tool} {verdict.hint} {verdict.verdict}: {verdict.cause}"


def _every_case_was_good_for_something(plan: Plan, proof: Proof) -> None:
    """Each case was walked, and its calls came to something and reached Lightdash, or were refused as the plan says."""
    for conduct in proof.conducts:
        cases = plan.of(conduct.tool.name)
        walked = Counter(trial.case for trial in (*conduct.trials, *conduct.refusals))
        assert walked == Counter(case.name for case in cases), conduct.tool.name
        assert all(trial.succeeded for trial in conduct.trials), f"{conduct.tool.name}: {conduct.problem}"
        assert not [trial.case for trial in conduct.trials if trial.vacuous], conduct.tool.name


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
            tried = [case.arguments for case in plan.of(name) if not case.refused]
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
