"""Every tool of the catalogue, called through MCP: what it answers is what it publishes, and errors help."""

from typing import Any, Final

import httpx2
import pytest
from tests.nextcloud.calls import VALUES, arranged
from tests.nextcloud.sessions import TOOLS, connected, facts, serving, text_of
from tests.plans import arrange, plain_cases

from aboveboard.kit.server import BUG
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

# The folder Projects is shared with bob, so that what is in it is his to move; what he shared is his to take back.
OF_BOTH: Final = (
    "nc_webdav_move_resource, a folder over another",
    "nc_share_delete, one that was made for me",
    "nc_calendar_delete_event, a meeting",  # who is invited declines, and the organizer hears of it
)
ODD_ANSWERS: Final = (
    httpx2.Response(200, html="<!doctype html><html></html>"),
    httpx2.Response(200, content=b"\xff\xfe"),
    httpx2.Response(200, json=["ok"]),
    httpx2.Response(207, content=b"<d:multistatus"),
    httpx2.Response(401, text="Unauthorized"),
    httpx2.Response(503, json={"message": "In maintenance"}, headers={"retry-after": "120"}),
    httpx2.Response(302, headers={"location": "https://login.example/"}),
)


Calls = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def calls() -> Calls:
    """Keep the arguments that fit each tool once its first good case was arranged, for whoever needs no more."""
    return {}


async def test_every_tool_keeps_to_its_own_user(sandbox: Sandbox, calls: Calls) -> None:
    """What works for one is not there for the other, or is the other's own."""
    reached: dict[str, str] = {}
    async with connected(serving(sandbox)) as admin, connected(serving(sandbox), user="bob") as bob:
        for case in plain_cases("nextcloud"):
            arguments = await arrange(admin, case, VALUES)
            calls.setdefault(case.tool, arguments)
            before = facts(sandbox)
            result = await bob.call(case.tool, **arguments)
            if BUG in text_of(result) or _differs(before, facts(sandbox), "admin"):
                reached[f"{case.tool}, {case.name}"] = text_of(result)
            sandbox.reset()
    assert {name: text for name, text in reached.items() if name not in OF_BOTH or BUG in text} == {}


async def test_no_answer_of_the_service_is_mistaken_for_a_defect_of_ours(sandbox: Sandbox, calls: Calls) -> None:
    async with connected(serving(sandbox)) as session:
        for tool in TOOLS.keys() - calls.keys():
            calls[tool] = await arranged(session, tool)
            sandbox.reset()
    mistaken: list[str] = []
    for answer in ODD_ANSWERS:
        async with connected(lambda request, answer=answer: answer) as session:
            said = {tool: text_of(await session.call(tool, **arguments)) for tool, arguments in calls.items()}
        mistaken += [f"{tool} at {answer}: {text}" for tool, text in said.items() if BUG in text]
    assert mistaken == []


def _differs(before: dict[str, object], after: dict[str, object], user: str) -> bool:
    return before != after and _of(before, user) != _of(after, user)


def _of(state: dict[str, object], user: str) -> dict[str, object]:
    return {key: value for key, value in state.items() if f"/{user}/" in f"/{key}/"}
