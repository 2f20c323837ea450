"""Every writing tool on a bad day: none says that it is done when it is not, and each says what is not known."""

from typing import Final

import httpx2
import mcp_types as mcp
import pytest
from tests.faults import Fault, Faulty, says_doubt
from tests.nextcloud.calls import arranged
from tests.nextcloud.sessions import TOOLS, connected, facts, text_of

from aboveboard.http import retry
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

WRITING: Final = [name for name, tool in TOOLS.items() if not tool.effect.read_only]


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "pause", lambda attempt, retry_after: 0.0)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]


@pytest.mark.parametrize("fault", Fault)
async def test_a_write_whose_answer_is_spoilt_is_no_success_and_says_that_it_may_have_been_done(
    sandbox: Sandbox, fault: Fault
) -> None:
    wrong: dict[str, str] = {}
    service = Faulty(httpx2.ASGITransport(sandbox.app))
    async with connected(service) as session:
        for tool in WRITING:
            arguments = await arranged(session, tool)
            before = facts(sandbox)
            service.begin(fault)
            result = await session.call(tool, **arguments)
            if not result.is_error or not says_doubt(text_of(result)):
                wrong[tool] = text_of(result)
            if not service.end():
                wrong[tool] = "wrote nothing"
            if fault is Fault.PAGE and facts(sandbox) != before:
                wrong[tool] = "changed something, though its requests did not arrive"
            sandbox.reset()
    assert wrong == {}


async def test_after_one_lost_answer_all_is_as_after_a_good_day_or_the_reader_is_told_to_look(sandbox: Sandbox) -> None:
    wrong: dict[str, str] = {}
    service = Faulty(httpx2.ASGITransport(sandbox.app))
    async with connected(service) as session:
        for tool in WRITING:
            states: list[dict[str, object]] = []
            results: list[mcp.CallToolResult] = []
            for times in (0, 1):
                arguments = await arranged(session, tool)
                service.begin(Fault.LOST, times)
                results.append(await session.call(tool, **arguments))
                if len(service.end()) != times:
                    wrong[tool] = "wrote nothing"
                states.append(facts(sandbox))
                sandbox.reset()
            if results[0].is_error or (results[1].is_error and not says_doubt(text_of(results[1]))):
                wrong[tool] = text_of(results[1])
            if not results[1].is_error and states[0] != states[1]:
                wrong[tool] = "said that it was done, and more was done"
    assert wrong == {}
