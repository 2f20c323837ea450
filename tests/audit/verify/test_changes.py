"""A case that says all that its call changes, on a thing that another program made."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as mcp
import pytest
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp
from tests.audit.liars.stage import DELETES, parameters, tool

from aboveboard.audit.judge import judge
from aboveboard.audit.verify import Proof, parse_plan, verify
from aboveboard.audit.verify.in_process import InProcess
from aboveboard.audit.verify.plan import Fetch, ForeignRequest
from aboveboard.audit.verify.redaction import redact_proof
from aboveboard.audit.verify.saving import evidence_text, read_evidence
from aboveboard.errors import BadInput

KEY = "of-another-program"
PLAN = """
server: {command: [notes], env: {NOTES_URL: "${upstream}"}, restart: never}
backend:
  command: [backend]
  url: "http://127.0.0.1:${port}"
  headers: {X-Key: of-another-program}
  reset: POST /reset
  state: GET /state
bookkeeping: ["notes/*/written"]
arrange:
  an odd note:
    - {send: PUT /notes/seven, json: {title: "${word}", mood: odd}, keep: {title: title}}
values: {word: Milk}
tools:
  rename_note:
    - {name: odd, after: an odd note, arguments: {id: seven, title: Bread}, changes: ["notes/seven/title"]}
    - {name: plain, arguments: {id: one, title: Bread}, changes: "notes/one/title"}
    - {name: as it is, arguments: {id: one, title: First}, changes: []}
    - {name: silent, arguments: {id: one, title: Other}}
    - {name: misspelt, arguments: {id: one, title: Bread}, changes: ["note/one/title"]}
    - {name: too much said, arguments: {id: one, title: Bread}, changes: ["notes/one/title", "notes/one/mood"]}
  patch_note:
    - {name: odd, after: an odd note, arguments: {id: seven, title: "new ${title}"}, changes: ["notes/seven/title"]}
"""
ARGUMENTS = parameters(id="Which note.", title="Its new title.")
TOOLS = [
    tool(name, "Give a note another title.", DELETES, inputSchema=ARGUMENTS) for name in ("rename_note", "patch_note")
]


@contextmanager
def backend(environment: Mapping[str, str]) -> Generator[ASGIApp]:
    """Keep notes as they are written, whole."""
    del environment  # it needs nothing
    notes: dict[str, Any] = {}

    async def reset(request: Request) -> Response:
        assert request.headers["x-key"] == KEY
        notes.clear()
        notes["one"] = {"title": "First", "written": 0}
        return Response(status_code=204)

    async def show(request: Request) -> Response:
        return JSONResponse(notes[request.path_params["id"]])

    async def write(request: Request) -> Response:
        before = notes.get(request.path_params["id"], {"written": 0})
        note = {**await request.json(), "written": before["written"] + 1}
        notes[request.path_params["id"]] = note
        return JSONResponse(note)

    async def tell(_request: Request) -> Response:
        return JSONResponse({"notes": notes})

    yield Starlette(
        routes=[
            Route("/reset", reset, methods=["POST"]),
            Route("/state", tell),
            Route("/notes/{id}", show),
            Route("/notes/{id}", write, methods=["PUT"]),
        ]
    )


def server(environment: Mapping[str, str], app: ASGIApp) -> Server[Any]:
    http = httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=environment["NOTES_URL"])

    async def list_tools(_context: ServerRequestContext[Any, Any], _params: Any) -> mcp.ListToolsResult:
        return mcp.ListToolsResult(tools=[mcp.Tool.model_validate(one) for one in TOOLS])

    async def call_tool(
        _context: ServerRequestContext[Any, Any], params: mcp.CallToolRequestParams
    ) -> mcp.CallToolResult:
        given = params.arguments or {}
        known: dict[str, Any] = {}
        if params.name == "patch_note":
            known = (await http.get(f"/notes/{given['id']}")).json()
        answer = await http.put(f"/notes/{given['id']}", json={**known, "title": given["title"]})
        return mcp.CallToolResult(content=[mcp.TextContent(text=answer.text)])

    return Server("notes", version="1", on_list_tools=list_tools, on_call_tool=call_tool)


@pytest.fixture(scope="module")
def proof() -> Proof:
    return verify(parse_plan(PLAN), repeats=1, late=0, setup=InProcess(backend, server))


def _found(proof: Proof) -> dict[tuple[str | None, str], list[str]]:
    found: dict[tuple[str | None, str], list[str]] = {}
    for one in judge(proof.evidence):
        if one.rule == "BEH09":
            found.setdefault((one.tool, one.case), []).append(one.message)
    return found


def test_what_another_program_wrote_and_an_update_takes_away_is_named(proof: Proof) -> None:
    found = _found(proof)
    assert found.pop(("rename_note", "odd")) == [
        "changes in case 'odd' what the plan does not name: notes/seven/mood is gone (by PUT /notes/seven)"
    ]
    assert found.pop(("rename_note", "misspelt")) == [
        'changes in case \'misspelt\' what the plan does not name: notes/one/title: "First" became "Bread"'
        " (by PUT /notes/one); it does not change in case 'misspelt' what the plan names: note/one/title"
    ]
    assert found.pop(("rename_note", "too much said")) == [
        "does not change in case 'too much said' what the plan names: notes/one/mood"
    ]
    assert found == {}, "bookkeeping is nobody's change, and a case that says nothing is held to nothing"


def test_the_requests_of_another_program_are_not_the_servers(proof: Proof) -> None:
    (careful,) = [one for one in proof.behaviours if one.tool.name == "patch_note"]
    assert [trial.arguments["title"] for trial in careful.trials] == ["new Milk"], "what it was told can be kept"
    routes = [(one.method, one.route) for trial in careful.trials for one in trial.requests]
    assert routes == [("GET", "/notes/seven"), ("PUT", "/notes/seven")] * 2


def test_saved_evidence_says_the_same(proof: Proof, tmp_path: Path) -> None:
    (file := tmp_path / "evidence.json").write_text(evidence_text(proof), encoding="utf-8")
    assert _found(read_evidence(file)) == _found(proof)


def test_where_another_programs_request_fails_the_reason_is_told_and_that_the_case_shows_nothing(
    tmp_path: Path,
) -> None:
    """A mistyped step must not take away, in silence, what a case proves."""
    wrong = PLAN.replace("send: PUT /notes/seven", "send: GET /notes/none/at/all")
    seen = verify(parse_plan(wrong), repeats=1, late=0, setup=InProcess(backend, server))
    reason = "step 1 (GET /notes/none/at/all) failed: the backend answered with HTTP status 404: Not Found"
    assert [one.problem for one in seen.behaviours] == [f"case 'odd': {reason}"] * 2
    told = [f"could not be tried in case 'odd', so what it changes is not known: {reason}"]
    assert _found(seen)["rename_note", "odd"] == told
    (file := tmp_path / "evidence.json").write_text(evidence_text(seen), encoding="utf-8")
    assert _found(read_evidence(file))["patch_note", "odd"] == told
    assert "Not Found" not in evidence_text(redact_proof(seen, ["Not Found"])), "what a step was answered may be secret"


def test_a_call_that_fails_shows_nothing_of_what_it_changes_unless_the_plan_lets_it_fail() -> None:
    call = "arguments: {id: 5}, changes: []"
    cases = f"{{name: one, {call}}}, {{name: other, {call}, may_fail: why not}}"
    plan = f"{PLAN.partition('tools:')[0]}tools: {{patch_note: [{cases}]}}"
    seen = verify(parse_plan(plan), repeats=1, late=0, setup=InProcess(backend, server))
    ((_, told),) = _found(seen).items()
    assert [one.partition(": ")[0] for one in told] == [
        "could not be tried in case 'one', so what it changes is not known"
    ]


def test_all_that_moved_is_named_up_to_twenty_facts() -> None:
    fields = ", ".join(f"field{number}: 1" for number in range(5))
    plan = PLAN.replace("mood: odd}", f"mood: odd, {fields}}}")
    seen = verify(parse_plan(plan), repeats=1, late=0, only=["rename_note"], setup=InProcess(backend, server))
    (said,) = _found(seen)["rename_note", "odd"]
    assert all(f"notes/seven/field{number} is gone" in said for number in range(5))


def test_a_request_past_the_server_is_read_with_its_body() -> None:
    text = "tools: {a: [{arrange: [{send: PUT /a, headers: {A: b}, text: 'ü'}, {send: POST /b, base64: YWI=}]}]}"
    (case,) = parse_plan(text).cases
    first, second = case.arrange
    assert isinstance(first, ForeignRequest)
    assert isinstance(second, ForeignRequest)
    assert (first.send, first.content, dict(first.headers)) == (Fetch("PUT", "/a"), "ü", {"A": "b"})
    assert (second.send, second.content) == (Fetch("POST", "/b"), b"ab")
    assert "headers" not in repr(first), "what it takes along may be secret"


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ("{changes: [], refused: locked}", "changes has no meaning beside `refused`"),
        ("{changes: ['**']}", "changes cannot be '**', which is every fact: name what the call changes."),
        ("{changes: ['${nobody}']}", "changes: the plan has no value '${nobody}'"),
        ("{arrange: [{send: PUT http://a/b}]}", "send takes a method and a path of the backend"),
        ("{arrange: [{send: PUT}]}", "send takes a method and a path"),
        ("{arrange: [{send: PUT /a, json: {}, text: ''}]}", "text cannot stand beside `json`"),
        ("{arrange: [{send: PUT /a, base64: '?'}]}", "base64 is not base64"),
        ("{arrange: [{send: PUT /a, arguments: {}}]}", "arguments has no meaning beside `send`"),
        ("{arrange: [{call: a, text: ''}]}", "text has no meaning beside `call`"),
        ("{arrange: [{send: PUT /a, json: {b: '${nobody}'}}]}", "json: the plan has no value '${nobody}'"),
    ],
)
def test_what_makes_no_sense_is_refused(case: str, said: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_plan(f"tools: {{a: [{case}]}}")
    assert said in str(refused.value)


def test_a_request_needs_a_backend_to_go_to() -> None:
    plan = parse_plan("server: {command: [a]}\ntools: {a: [{arrange: [{send: PUT /a}]}]}")
    with pytest.raises(BadInput, match="line 2: `send` has no backend to go to"):
        verify(plan)
