"""Every tool that deletes says what is gone and how it comes back, and what it promises is true."""

import json
import re
from collections.abc import AsyncGenerator, Mapping
from typing import Any, Final

import pytest
from tests.plans import Served, good_cases, served
from tests.sessions import text_of

from aboveboard.audit.verify.plan import Case
from aboveboard.cli.services import NAMES, server_module
from aboveboard.kit.policy import Policy
from aboveboard.kit.service import Catalogue

pytestmark = pytest.mark.anyio

NAMED: Final = re.compile(r"([a-z]+(?:_+[a-z]+)+) with ")
GIVEN: Final = re.compile(r"\{[^{}]*\}")
ID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|\d+")
# What the answer says is not among what comes back: who read and starred what, whom others took for invited.
SAID_TO_BE_LOST: Final = ("is lost", "not told again")


@pytest.mark.parametrize("service", NAMES)
async def test_every_deletion_tells_what_is_gone_and_brings_back_what_it_promises(service: str) -> None:
    tools = Catalogue[Any](server_module(service).SERVICE, Policy()).service.tools
    deleting = [tool.name for tool in tools if tool.effect.name == "DELETE"]
    cases = [case for case in good_cases(service) if case.tool.endswith(tuple(deleting))]
    wrong: list[str] = []
    async with served(service) as backend:
        for case in cases:
            wrong += [f"{case.tool} ({case.name}) {fault}" async for fault in _faults(backend, case)]
            await backend.reset()
    assert wrong == []


async def _faults(backend: Served, case: Case) -> AsyncGenerator[str]:
    arguments = await backend.arrange(case)
    before = await backend.state()
    answer = await backend.session.call(case.tool, **arguments)
    told: dict[str, Any] = answer.structured_content or {}
    gone, sentence = told.get("gone", ""), told.get("to_get_back", "")
    if not re.search(r"[^\W\d]", gone) or not sentence.endswith("."):
        yield f"does not say what is gone and how it comes back: {text_of(answer)}"
    elif named := NAMED.match(sentence):
        lost = _lost(before, await backend.state())
        for given in _given(told):
            result = await backend.session.call(named[1], **given)
            if result.is_error:
                yield f"promises {sentence!r}, which fails: {text_of(result)}"
        missing = lost - {_nameless(*fact) for fact in (await backend.state()).items()}
        if missing and not any(words in sentence for words in SAID_TO_BE_LOST):
            yield f"promises {sentence!r}, and this does not come back: {sorted(missing)}"


def _given(told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what the tool that an answer names is to be called with, once for each."""
    found = [json.loads(one) for one in GIVEN.findall(told["to_get_back"])]
    return found or [{"id": one["trash_id"]} for one in told["items"]]


def _lost(before: Mapping[str, Any], after: Mapping[str, Any]) -> set[str]:
    return {_nameless(path, value) for path, value in before.items() if after.get(path) != value}


def _nameless(path: str, value: object) -> str:
    """Write a fact without ids: what is made anew gets another one."""
    return ID.sub("#", f"{path} = {value}")
