"""Calls of tools as the server makes them, without the protocol around: cheap enough for thousands in a test."""

import asyncio
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from pydantic import BaseModel
from tests.lightdash.sessions import TOOLS, Watched, client_of

from aboveboard.effects import under
from aboveboard.errors import Failure
from aboveboard.kit.call import Call
from aboveboard.kit.cause import cause

T = TypeVar("T")


@dataclass(frozen=True)
class Answer:
    """What a model would read, and whether it is a refusal."""

    text: str
    refused: bool = False


def _yes(tool: str) -> bool:
    del tool
    return True


class Unheard(Call):
    """A call by someone who does not ask for progress."""

    def __init__(self) -> None:
        """Need neither a session nor parameters; every tool may be called."""
        self.may_call = _yes

    async def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Tell nobody."""


class Caller:
    """Calls tools over one service; what is no `Failure` is a defect, and leaves as it is."""

    def __init__(self, service: Watched, *, allowed: str) -> None:
        self.service = service
        # What is made up here, answers included, is as wrong as can be: it says nothing of what our client makes.
        self._client = client_of(service, allowed=[allowed], held=False)

    def call(self, name: str, arguments: Mapping[str, Any]) -> Answer:
        """Call a tool once; for many calls at a time, `run` what awaits `answer`."""
        return run(self.answer(name, arguments))

    async def answer(self, name: str, arguments: Mapping[str, Any]) -> Answer:
        """Call a tool; `service.arrived` holds afterwards what this call alone has sent."""
        self.service.arrived.clear()
        tool = TOOLS[name]
        try:
            loaded = tool.load()
            checked = loaded.arguments.check(arguments)
            if loaded.call_parameter is not None:
                checked[loaded.call_parameter] = Unheard()
            with under(tool.effect):
                found = await self._client.names.ids(f"{tool.toolset.area}.{name}", checked)
                result: BaseModel = await loaded.function(self._client, **found)
        except (Failure, BaseExceptionGroup) as error:
            ended = cause(error)
            if not isinstance(ended, Failure):
                raise
            return Answer(str(ended), refused=True)
        return Answer(result.model_dump_json(exclude_none=True))


def run(calls: Coroutine[Any, Any, T]) -> T:
    """Make calls; to begin and to end a run takes half as long as a call."""
    return _runner().run(calls)


@cache
def _runner() -> asyncio.Runner:
    """One loop for all calls: a new one for each would cost more than the call."""
    return asyncio.Runner()
