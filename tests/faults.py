"""A service on a bad day: what comes back to a writing request is not what the service said, or nothing comes back."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

import httpx2
import mcp_types as mcp
from tests.sessions import Session, text_of

from aboveboard.errors import DOUBT

READING: Final = frozenset({"GET", "HEAD", "OPTIONS", "PROPFIND", "REPORT", "SEARCH"})
PAGE: Final = "<!doctype html><html><title>Log in</title></html>"


class Fault(Enum):
    """What happens to a writing request, and to its answer."""

    PAGE = "a login page with status 200 answers in the service's place, which hears of nothing"
    GATEWAY = "the service does it, and a gateway that waited too short says 502"
    BROKEN = "the service does it, and fails afterwards with a 500"
    LOST = "the service does it, and the connection breaks before its answer arrives"
    CUT = "the service does it, and half of its answer arrives as if it were all"


class Faulty(httpx2.AsyncBaseTransport):
    """Stands before a service, and spoils the answers to writing requests: all of them, or some at first."""

    def __init__(self, service: httpx2.AsyncBaseTransport) -> None:
        self._service = service
        self._fault: Fault | None = None
        self._left: int | None = None
        self._unreadable = False
        self.spoilt: list[str] = []
        """The writing requests whose answers were spoilt."""

    def begin(self, fault: Fault, times: int | None = None) -> None:
        """Spoil from now on, or so many times."""
        self._fault, self._left = fault, times

    def go_blind(self) -> None:
        """Take what is written, and from then on let nothing be read."""
        self._unreadable = True

    def end(self) -> list[str]:
        """Spoil no more, and return the writing requests that were spoilt, or taken while nothing could be read."""
        spoilt, self.spoilt, self._fault, self._unreadable = self.spoilt, [], None, False
        return spoilt

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if self._unreadable:
            return await self._half_done(request)
        if self._fault is None or request.method in READING or self._left == 0:
            return await self._service.handle_async_request(request)
        self._left = None if self._left is None else self._left - 1
        self.spoilt.append(f"{request.method} {request.url.path}")
        if self._fault is Fault.PAGE:
            return httpx2.Response(200, html=PAGE)
        answer = await self._service.handle_async_request(request)
        return await _spoilt(answer, self._fault)

    async def _half_done(self, request: httpx2.Request) -> httpx2.Response:
        if self.spoilt and request.method in READING:
            return httpx2.Response(500, html="<html>Sorry</html>")
        answer = await self._service.handle_async_request(request)
        if request.method not in READING and answer.status_code < 400:
            self.spoilt.append(f"{request.method} {request.url.path}")
        return answer


async def _spoilt(answer: httpx2.Response, fault: Fault) -> httpx2.Response:
    whole = await answer.aread()
    if fault is Fault.LOST:
        raise httpx2.ReadError("lost")
    if fault is Fault.CUT:
        # What has no body cannot be cut; its status comes through as that of a page without text.
        return httpx2.Response(200, content=whole[: len(whole) // 2])
    status = {Fault.GATEWAY: 502, Fault.BROKEN: 500}[fault]
    return httpx2.Response(status, html="<html>Sorry</html>")


def says_doubt(text: str) -> bool:
    """Tell whether a reader learns that it may have been done, and that they should look."""
    return DOUBT in text or "look before trying again" in text


@dataclass(frozen=True)
class BadDay:
    """A session with a service whose answers can be spoilt, and how a tool is called and the state is seen there."""

    session: Session
    service: Faulty
    arranged: Callable[[Session, str], Awaitable[dict[str, Any]]]
    facts: Callable[[], dict[str, object]]
    reset: Callable[[], None]

    async def spoilt(self, tools: Sequence[str], fault: Fault) -> dict[str, str]:
        """Call each tool while its answers are spoilt, and return those that tell it wrongly, with what they said."""
        wrong: dict[str, str] = {}
        for tool in tools:
            arguments = await self.arranged(self.session, tool)
            before = self.facts() if fault is Fault.PAGE else None
            self.service.begin(fault)
            result = await self.session.call(tool, **arguments)
            # A tool that does many things at once answers for each of them.
            failed = result.is_error or '"outcome":"failed"' in text_of(result)
            if not failed or not says_doubt(text_of(result)):
                wrong[tool] = text_of(result)
            if not self.service.end():
                wrong[tool] = "wrote nothing"
            if before is not None and self.facts() != before:
                wrong[tool] = "changed something, though its requests did not arrive"
            self.reset()
        return wrong

    async def half_done(self, tools: Sequence[str]) -> dict[str, str]:
        """Call each tool while nothing can be read after a write, and return those that keep silent about the write."""
        wrong: dict[str, str] = {}
        for tool in tools:
            arguments = await self.arranged(self.session, tool)
            self.service.go_blind()
            result = await self.session.call(tool, **arguments)
            if not self.service.end():
                wrong[tool] = "wrote nothing"
            if result.is_error and not says_doubt(text_of(result)):
                wrong[tool] = text_of(result)
            self.reset()
        return wrong

    async def lost_once(self, tools: Sequence[str]) -> dict[str, str]:
        """Call each tool on a good day and with one answer lost, and return those that end otherwise in silence."""
        wrong: dict[str, str] = {}
        for tool in tools:
            (good, after_good), (bad, after_bad) = [await self._ended(tool, times, wrong) for times in (0, 1)]
            told = bad.is_error or '"outcome":"failed"' in text_of(bad)
            if good.is_error or (told and not says_doubt(text_of(bad))):
                wrong[tool] = text_of(bad)
            if not told and after_good != after_bad:
                wrong[tool] = "said that it was done, and more was done"
        return wrong

    async def _ended(
        self, tool: str, times: int, wrong: dict[str, str]
    ) -> tuple[mcp.CallToolResult, dict[str, object]]:
        arguments = await self.arranged(self.session, tool)
        self.service.begin(Fault.LOST, times)
        result = await self.session.call(tool, **arguments)
        if len(self.service.end()) != times:
            wrong[tool] = "wrote nothing"
        state = self.facts()
        self.reset()
        return result, state
