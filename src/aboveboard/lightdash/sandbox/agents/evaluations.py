"""Evaluations of an agent: prompts with the answer that is hoped for, and runs of them all."""

import json
from sqlite3 import Row
from typing import Any

from aboveboard.lightdash.sandbox import access, contracts
from aboveboard.lightdash.sandbox.agents import agent_threads, agents
from aboveboard.lightdash.sandbox.checks import Checks
from aboveboard.lightdash.sandbox.contracts import TEXT, List, Maybe, Object, Union
from aboveboard.lightdash.sandbox.paging import list_body, read_page, wanted_page
from aboveboard.lightdash.sandbox.routes import DONE, Call, Created, Routes, as_uuid, storable
from aboveboard.lightdash.sandbox.store import TIMES
from aboveboard.lightdash.sandbox.wire import forbidden, missing
from aboveboard.sandbox.table import Table

EVALUATIONS_TABLE = Table(
    "evaluations",
    "uuid TEXT PRIMARY KEY, agent TEXT REFERENCES agents ON DELETE CASCADE, title TEXT, description TEXT, prompts"
    " TEXT, created_at TEXT, updated_at TEXT",
    derived=TIMES,
    json={"prompts"},
)

EVALUATION_RUNS_TABLE = Table(
    "evaluation_runs",
    "uuid TEXT PRIMARY KEY, evaluation TEXT REFERENCES evaluations ON DELETE CASCADE, results TEXT, created_at TEXT",
    derived=TIMES | {"results"},
    json={"results"},
)

routes = Routes()

_EVALUATIONS = f"{agents.AGENTS}/{{agent}}/evaluations"
_EVALUATION = f"{_EVALUATIONS}/{{evaluation}}"
_PROMPT = Union(
    Object(expectedResponse=Maybe(TEXT), prompt=TEXT),
    Object(expectedResponse=Maybe(TEXT), threadUuid=TEXT, promptUuid=TEXT),
)
_NEW = Object(prompts=List(_PROMPT), description=Maybe(TEXT), title=TEXT)
_CHANGED = Object(prompts=Maybe(List(_PROMPT)), description=Maybe(TEXT), title=Maybe(TEXT))


@routes.post(_EVALUATIONS)
def create(call: Call) -> object:
    """A new evaluation."""
    body = contracts.read(call.body, _NEW)
    agent = _managed(call)
    uuid, now = call.store.new_uuid(), call.store.now()
    content = {"title": storable(body["title"]), "description": body.get("description")}
    prompts = _prompts(call, body["prompts"])
    times = {"created_at": now, "updated_at": now}
    call.store.insert("evaluations", uuid=uuid, agent=agent, **content, prompts=prompts, **times)
    return Created({"evalUuid": uuid})


@routes.get(_EVALUATIONS)
def list_all(call: Call) -> object:
    """The evaluations of an agent, without their prompts."""
    agent = _managed(call)
    rows = call.store.all("SELECT * FROM evaluations WHERE agent = ? ORDER BY rowid", agent)
    return [_head(row) for row in rows]


@routes.get(_EVALUATION)
def get(call: Call) -> object:
    """One evaluation with its prompts."""
    return _full(_find(call))


@routes.patch(_EVALUATION)
def update(call: Call) -> object:
    """Change what is sent; prompts are replaced as a whole."""
    body = contracts.read(call.body, _CHANGED)
    row = _find(call)
    changes: dict[str, object] = {key: body[key] for key in ("title", "description") if key in body}
    if body.get("prompts") is not None:
        changes["prompts"] = _prompts(call, body["prompts"])
    call.store.update("evaluations", row["uuid"], **changes, updated_at=call.store.now())
    return _full(_find(call))


@routes.post(f"{_EVALUATION}/append")
def append(call: Call) -> object:
    """More prompts behind those that are there."""
    body = contracts.read(call.body, Object(prompts=List(_PROMPT)))
    row = _find(call)
    prompts = [*json.loads(row["prompts"]), *_prompts(call, body["prompts"])]
    call.store.update("evaluations", row["uuid"], prompts=prompts, updated_at=call.store.now())
    return _full(_find(call))


@routes.delete(_EVALUATION)
def delete(call: Call) -> object:
    """Remove an evaluation with its runs."""
    call.store.run("DELETE FROM evaluations WHERE uuid = ?", _find(call)["uuid"])
    return DONE


@routes.post(f"{_EVALUATION}/run")
def run(call: Call) -> object:
    """Put every prompt to the agent, each in a thread of its own; the answers are there when the run is looked at."""
    row = _find(call)
    agent = agents.shown(call, agents.by_uuid(call))
    results = [_result(call, row["agent"], agent, one) for one in json.loads(row["prompts"])]
    uuid, now = call.store.new_uuid(), call.store.now()
    call.store.insert("evaluation_runs", uuid=uuid, evaluation=row["uuid"], results=results, created_at=now)
    answer = _run(call.store.all("SELECT * FROM evaluation_runs WHERE uuid = ?", uuid)[0])
    return answer | {"status": "pending", "completedAt": None, "passedAssessments": 0, "failedAssessments": 0}


@routes.get(f"{_EVALUATION}/runs")
def list_runs(call: Call) -> object:
    """The runs of an evaluation, the newest first."""
    checks = Checks(call.query)
    page, size = read_page(checks)
    checks.done()
    uuid = _find(call)["uuid"]
    rows = call.store.all("SELECT * FROM evaluation_runs WHERE evaluation = ? ORDER BY rowid DESC", uuid)
    answer = list_body([_run(row) for row in rows], wanted_page(page, size))
    return answer | {"data": {"runs": answer["data"]}}


@routes.get(f"{_EVALUATION}/runs/{{run}}")
def get_run(call: Call) -> object:
    """One run with an answer and a judgement for each prompt."""
    query = "SELECT * FROM evaluation_runs WHERE uuid = ? AND evaluation = ?"
    row = call.store.one(query, call.uuid("run"), _find(call)["uuid"])
    if row is None:
        raise missing(f"Evaluation run not found for uuid: {call.params['run']}")
    return _run(row) | {"results": json.loads(row["results"])}


def _managed(call: Call) -> str:
    agent = agents.by_uuid(call)
    if not access.role_in(call.store, call.user, agent["project"]).may_make:
        raise forbidden("Insufficient permissions to manage evaluations")
    return agent["uuid"]


def _find(call: Call) -> Row:
    query = "SELECT * FROM evaluations WHERE uuid = ? AND agent = ?"
    row = call.store.one(query, call.uuid("evaluation"), _managed(call))
    if row is None:
        raise missing(f"Evaluation not found for uuid: {call.params['evaluation']}")
    return row


def _prompts(call: Call, prompts: list[dict[str, Any]]) -> list[dict[str, object]]:
    return [_prompt(call, one) for one in prompts]


def _prompt(call: Call, one: dict[str, Any]) -> dict[str, object]:
    head = {"evalPromptUuid": call.store.new_uuid(), "createdAt": call.store.now()}
    expected = {"expectedResponse": one.get("expectedResponse")}
    if "prompt" in one:
        return {**head, **expected, "type": "string", "prompt": one["prompt"]}
    place = {"threadUuid": as_uuid(one["threadUuid"]), "promptUuid": as_uuid(one["promptUuid"])}
    return {**head, **expected, "type": "thread", **place}


def _result(call: Call, agent_uuid: str, agent: dict[str, object], one: dict[str, Any]) -> dict[str, object]:
    prompt = one.get("prompt")
    if prompt is None:
        message = call.store.one("SELECT prompt FROM messages WHERE uuid = ?", one["promptUuid"])
        prompt = message["prompt"] if message else ""
    thread = agent_threads.add_thread(call, agent_uuid, prompt, "evals")
    response = agent_threads.answer_to(agent, prompt)
    call.store.run("UPDATE messages SET response = ? WHERE thread = ?", response, thread["uuid"])
    uuid, now = call.store.new_uuid(), call.store.now()
    expected = one["expectedResponse"]
    return {
        "resultUuid": uuid,
        "evalPromptUuid": one["evalPromptUuid"],
        "threadUuid": thread["uuid"],
        "status": "completed",
        "errorMessage": None,
        "completedAt": now,
        "createdAt": now,
        "prompt": prompt,
        "expectedResponse": expected,
        "assessment": _assessment(call, uuid, now, expected, response) if expected else None,
    }


def _assessment(call: Call, result: str, now: str, expected: str, response: str) -> dict[str, object]:
    """A judge who looks for the expected words in the answer."""
    passed = expected.lower() in response.lower()
    return {
        "assessmentUuid": call.store.new_uuid(),
        "runResultUuid": result,
        "assessmentType": "llm",
        "passed": passed,
        "reason": "The answer holds what was expected." if passed else "The answer does not hold what was expected.",
        "assessedByUserUuid": None,
        "llmJudgeProvider": "sandbox",
        "llmJudgeModel": "word-finder",
        "assessedAt": now,
        "createdAt": now,
    }


def _head(row: Row) -> dict[str, object]:
    return {
        "evalUuid": row["uuid"],
        "agentUuid": row["agent"],
        "title": row["title"],
        "description": row["description"],
        "createdAt": row["created_at"],
        "updatedAt": row["updated_at"],
    }


def _full(row: Row) -> dict[str, object]:
    return _head(row) | {"prompts": json.loads(row["prompts"])}


def _run(row: Row) -> dict[str, object]:
    judged = [one["assessment"]["passed"] for one in json.loads(row["results"]) if one["assessment"]]
    return {
        "runUuid": row["uuid"],
        "evalUuid": row["evaluation"],
        "status": "completed",
        "createdAt": row["created_at"],
        "completedAt": row["created_at"],
        "passedAssessments": judged.count(True),
        "failedAssessments": judged.count(False),
    }
