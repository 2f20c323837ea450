"""The contract that requests and answers are held to in every test is the real server's own."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import httpx2
import pytest
from tests.lightdash import contract, places
from tests.lightdash.contract import OPENAPI, route_of, wrong_answer, wrong_request
from tests.lightdash.sessions import connected, ok, serving
from tests.shared import SHARED, absence

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

TEXT_AS_SOMETHING_ELSE: Final = "Lightdash reads a text as the number, or as the list of one, that is wanted."
# Recorded requests that were taken although the document forbids them.
TAKEN: Final = {
    "validation run/start-wrong-type": TEXT_AS_SOMETHING_ELSE,
    "metric-queries errors/wrong-type-dimensions": TEXT_AS_SOMETHING_ELSE,
    "metric-queries limits/string": TEXT_AS_SOMETHING_ELSE,
}
# Recorded answers that the document does not describe, on routes that no tool of ours uses.
UNLIKE: Final = {
    "metric-queries totals/deprecated": "Totals are text.",
    "charts other/calculate-total-deprecated": "Totals are text.",
    **dict.fromkeys(
        (f"sql-charts code/upsert-{which}" for which in ("new", "again", "changed")),
        "A SQL chart comes back as one, and is described as a chart over an explore.",
    ),
    "metric-queries errors/filter-without-id": "It gives back a filter without an id, as it was sent.",
}


IN_THE_PATH: Final = "What is wrong stands in the path, which is checked where paths are made."
# Recorded requests that were called invalid for something else than the body.
NOT_THE_BODY: Final = {
    "roles org-assignments/assign-malformed-user": IN_THE_PATH,
    "roles project-assignments/assign-malformed-user": IN_THE_PATH,
    "metrics-catalog explorer/total-missing-query": "A parameter of the query is missing; no tool calls it.",
    "dashboards-more tiles/heading-with-title": "A title there must be undefined, which the document cannot say.",
}


def recorded() -> Iterator[tuple[str, dict[str, Any]]]:
    """Read the recorded exchanges of documented routes."""
    if not OPENAPI.is_file():
        pytest.skip(absence(OPENAPI))
    for file in sorted(Path(SHARED / "recordings").glob("lightdash*/*.json")):
        for step in json.loads(file.read_text()) if file.stem != "oauth" else ():
            if route_of(step["request"]["method"], step["request"]["path"].partition("?")[0]):
                yield f"{file.stem} {step['scenario']}/{step['step']}", step


def body_of(step: dict[str, Any]) -> bytes:
    return json.dumps(step["request"]["body"]).encode()


def test_what_the_real_server_took_keeps_the_contract_and_what_it_called_invalid_breaks_it() -> None:
    taken: set[str] = set()
    unseen: set[str] = set()
    refused = 0
    for name, step in recorded():
        asked, status = step["request"], step["response"]["status"]
        if asked.get("body") is None or "__trimmed__" in json.dumps(asked["body"]):
            continue
        wrong = list(wrong_request(asked["method"], asked["path"], body_of(step)))
        if status < 300 and wrong:
            taken.add(name)
        if status == 422 and '"ValidateError"' in json.dumps(step["response"]["body"]):
            refused += 1
            if not wrong:
                unseen.add(name)
    assert taken == TAKEN.keys()
    assert unseen == NOT_THE_BODY.keys()
    assert refused > 50


def test_what_the_real_server_answered_keeps_the_contract() -> None:
    unlike: set[str] = set()
    judged = 0
    for name, step in recorded():
        answer = step["response"]
        content = json.dumps(answer["body"])
        if answer["status"] < 300 and "__trimmed__" not in content:
            judged += 1
            if list(wrong_answer(step["request"]["method"], step["request"]["path"], content.encode())):
                unlike.add(name)
    assert unlike == UNLIKE.keys()
    assert judged > 1000


async def test_a_request_that_the_real_server_would_refuse_fails_the_test_that_sent_it(sandbox: Sandbox) -> None:
    if not OPENAPI.is_file():
        pytest.skip(absence(OPENAPI))
    client = httpx2.AsyncClient(transport=contract.held(serving(sandbox)), base_url="http://lightdash")
    headers = {"Authorization": f"ApiKey {Sandbox.token}"}
    async with client:
        body: dict[str, Any] = {"name": "B", "description": None, "tiles": [], "tabs": []}
        board = await client.post(f"/api/v1/projects/{places.MAIN}/dashboards", json=body, headers=headers)
        await client.get("/api/v1/org/groups?serach=x", headers=headers)
    with pytest.raises(AssertionError) as failed:
        contract.check()
    said = str(failed.value)
    assert ("description" in said) == (board.status_code < 300)  # the sandbox may refuse it by itself
    assert "the query has serach, which Lightdash does not know" in said


async def test_an_answer_that_the_real_server_would_not_give_fails_the_test_that_got_it() -> None:
    if not OPENAPI.is_file():
        pytest.skip(absence(OPENAPI))

    def sandbox(request: httpx2.Request) -> httpx2.Response:
        answer = ok([{"projectUuid": places.MAIN, "name": "Main", "type": "STRANGE"}])
        answer.headers["lightdash-version"] = "1.237.0"
        return answer

    async with connected(sandbox) as session:
        await session.call("list_projects")
    with pytest.raises(AssertionError, match=r"GET /api/v1/org/projects: answer\.results\[\]"):
        contract.check()
