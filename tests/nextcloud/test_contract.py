"""The contract that requests to Tables and its answers are held to in every test is the real app's own."""

import json
from collections.abc import Iterator
from typing import Final

import httpx2
import pytest
from tests.nextcloud.contract import CONTRACT, OPENAPI
from tests.nextcloud.sandbox.recordings import Step, load
from tests.nextcloud.sessions import connected, serving
from tests.shared import absence

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not OPENAPI.is_file(), reason=absence(OPENAPI)),
]

# Recorded requests that were taken although the document forbids them.
_NULL: Final = "null is taken, and means that nothing is given"
TAKEN: Final = {
    "objects/tables:table/10-put-description-null-before-empty-v2": _NULL,
    "objects/tables:table/12-put-description-null-v2": _NULL,
    "objects/tables:context-and-share/06-context-put-nodes-one": "an application of tables, which no tool of ours uses",
}
# Recorded answers that the document does not describe, on routes that no tool of ours uses.
UNLIKE: Final = {"tables:tables-crud/20-scheme-v1": "a scheme is described as a table, and has less"}


def recorded() -> Iterator[Step]:
    """Go through the recorded exchanges of documented routes that the app took."""
    for step in load():
        if step.status < 300 and step.person != "anonymous" and CONTRACT.route_of(step.method, step.path):
            yield step


def test_what_the_real_app_took_and_answered_keeps_the_contract() -> None:
    taken: set[str] = set()
    unlike: set[str] = set()
    judged = 0
    for step in recorded():
        judged += 1
        target = f"{step.path}?{step.query}" if step.query else step.path
        body = step.body if isinstance(step.body, bytes) else step.body.encode()
        if list(CONTRACT.wrong_request(step.method, target, body)):
            taken.add(step.id)
        answer = json.dumps(step.answer["json"]).encode()
        if list(CONTRACT.wrong_answer(step.method, target, answer)):
            unlike.add(step.id)
    assert taken == TAKEN.keys()
    assert unlike == UNLIKE.keys()
    assert judged > 200


async def test_a_request_that_the_real_app_would_not_understand_fails_the_test_that_sent_it(sandbox: Sandbox) -> None:
    auth = (sandbox.username, sandbox.token)
    async with httpx2.AsyncClient(transport=serving(sandbox), auth=auth, base_url="http://nextcloud") as client:
        table = (await client.get("/index.php/apps/tables/api/1/tables")).json()[0]["id"]
        await client.get(f"/index.php/apps/tables/api/1/tables/{table}/rows?limt=3")
        body = {"title": "x", "type": "number", "mandatory": False, "numberMin": "1"}
        await client.post(f"/index.php/apps/tables/api/1/tables/{table}/columns", json=body)
    with pytest.raises(AssertionError) as failed:
        CONTRACT.check()
    assert "the query has limt, which Tables does not know" in str(failed.value)
    assert "body.numberMin: '1'" in str(failed.value)


async def test_an_answer_that_the_real_app_would_not_give_fails_the_test_that_got_it() -> None:
    def app(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json=[{"id": 1, "tableId": 1, "title": "What", "type": "text"}])

    async with connected(CONTRACT.held(httpx2.MockTransport(app))) as session:
        await session.call("nc_tables_read_table", table_id=1)
    with pytest.raises(AssertionError, match=r"columns: answer\[\]: 'uuid' is a required property"):
        CONTRACT.check()
