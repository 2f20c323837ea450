"""Every writing tool on a bad day: none says that it is done when it is not, and each says what is not known."""

from typing import Final

import httpx2
import pytest
from tests.faults import Fault, Faulty, says_doubt
from tests.nextcloud.samples import GOOD
from tests.nextcloud.sessions import TOOLS, connected, facts, text_of

from aboveboard.http import retry
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

WRITING: Final = [name for name, tool in TOOLS.items() if not tool.effect.read_only]


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "pause", lambda attempt, retry_after: 0.0)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]


@pytest.mark.parametrize("fault", Fault)
@pytest.mark.parametrize("tool", WRITING)
async def test_a_write_whose_answer_is_spoilt_is_no_success_and_says_that_it_may_have_been_done(
    sandbox: Sandbox, tool: str, fault: Fault
) -> None:
    service = Faulty(httpx2.ASGITransport(sandbox.app))
    async with connected(service) as session:
        arguments = await GOOD[tool](session)
        before = facts(sandbox)
        service.begin(fault)
        text = await session.refusal(tool, **arguments)
    assert service.spoilt
    assert says_doubt(text), text
    if fault is Fault.PAGE:
        assert facts(sandbox) == before


@pytest.mark.parametrize("tool", WRITING)
async def test_after_one_lost_answer_all_is_as_after_a_good_day_or_the_reader_is_told_to_look(
    sandbox: Sandbox, tool: str
) -> None:
    states: list[dict[str, object]] = []
    for times in (0, 1):
        sandbox.reset()
        service = Faulty(httpx2.ASGITransport(sandbox.app))
        async with connected(service) as session:
            arguments = await GOOD[tool](session)
            service.begin(Fault.LOST, times)
            result = await session.call(tool, **arguments)
        states.append(facts(sandbox))
    assert service.spoilt
    if result.is_error:
        assert says_doubt(text_of(result)), text_of(result)
    else:
        assert states[0] == states[1]
