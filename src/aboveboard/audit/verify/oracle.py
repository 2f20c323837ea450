"""Asks for the state, and puts it back: the backend's own dump, the upstream read again, or the read tools."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

import anyio
import httpx2

from aboveboard.audit.probe import Unreadable
from aboveboard.audit.probe.certificates import tls_context
from aboveboard.audit.verify.oracles import KINDS, Store
from aboveboard.audit.verify.plan import (
    Combined,
    Fetch,
    ForeignRequest,
    Rereads,
    Restore,
    Shell,
    State,
    Step,
    Stored,
    ToolReads,
)
from aboveboard.audit.verify.processes import output_of
from aboveboard.audit.verify.state import Snapshot, canonical_bytes
from aboveboard.audit.verify.values import fill_values, text, texts

Ask = Callable[[Step], Awaitable[Any]]
"""Calls a read tool and returns what it answered."""
SAID: Final = 200
"""How much is told of an answer that says no."""
_MISSING: Final = (404, 410)


MOMENTS: Final = (0.1, 0.3, 1.0)
"""Seconds after which a state is read again that was no JSON: a file may have been half written."""


class Torn(Unreadable):
    """The state is no JSON, or was not at this moment."""


@dataclass(frozen=True)
class StepAnswer:
    """What a step before a call came to."""

    name: str
    content: Any = None
    problem: str = ""
    """Why it failed; empty where it did not."""


class Oracle:
    """Knows the state of one backend."""

    def __init__(
        self,
        base: str,
        values: Mapping[str, Any],
        patience: float,
        headers: Mapping[str, str] | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        self._base, self._values, self._patience = base, values, patience
        self._headers = fill_values(dict(headers or {}), values)
        way = transport or httpx2.AsyncHTTPTransport(verify=tls_context(by_environment=False), trust_env=False)
        self._http = httpx2.AsyncClient(timeout=patience, trust_env=False, transport=way)
        self._stores: dict[Stored, Store] = {}
        self._taken: list[Store] = []

    async def open(self, stores: Sequence[Stored], *, take: bool) -> None:
        """Find the stores of a state; if they are to be put back, remember what is in them now."""
        here, scratch = Path(self._values["here"]), Path(self._values["scratch"])
        for number, one in enumerate(stores):
            copies = scratch / f"snapshot-{number}"
            copies.mkdir()
            self._stores[one] = KINDS[one.kind](text(one.place, self._values), here, copies, self._patience)
            if take:
                await self._stores[one].take()
                self._taken.append(self._stores[one])

    async def aclose(self) -> None:
        """Put back what was taken, however the run ended, and let go of the connections."""
        for store in self._taken:
            with suppress(Unreadable):  # what kept it may be gone by now, and the run has said so
                await store.restore()
        await self._http.aclose()

    async def reset(self, how: Fetch | Shell | Restore) -> None:
        """Bring back the first state."""
        if isinstance(how, Restore):
            for store in self._stores.values():
                await store.restore()
            return
        if isinstance(how, Shell):
            command = [text(part, self._values) for part in how.argv]
            await output_of(command, {}, "The reset", self._patience)
            return
        answer = await self._send(how, self._headers, "The reset")
        if not answer.is_success:
            raise Unreadable(f"The reset ({how.method} {how.target}) answered with HTTP status {answer.status_code}.")

    async def send(self, what: ForeignRequest, values: Mapping[str, Any]) -> StepAnswer:
        """Make a request to the backend, as another program would."""
        name = f"{what.send.method} {what.send.target}"
        headers = httpx2.Headers(self._headers)
        headers.update(texts(what.headers, values))
        goal = Fetch(what.send.method, text(what.send.target, values))
        body = {"json": fill_values(what.json, values), "content": fill_values(what.content, values)}
        try:
            answer = await self._send(goal, headers, "The backend", body)
        except Unreadable as problem:
            return StepAnswer(name, problem=str(problem))
        if not answer.is_success:
            said = " ".join(answer.text.split())[:SAID]
            return StepAnswer(name, problem=f"the backend answered with HTTP status {answer.status_code}: {said}")
        try:
            return StepAnswer(name, json.loads(answer.content))
        except ValueError:
            return StepAnswer(name, answer.text)

    async def look(self, state: State, ask: Ask, last: Snapshot | None) -> Snapshot:
        """Read the state; one that is bit for bit the last one is that one."""
        for moment in MOMENTS:
            with suppress(Torn):
                return await self._look(state, ask, last)
            await anyio.sleep(moment)
        return await self._look(state, ask, last)

    async def marks(self) -> dict[str, str]:
        """Return what is another after every write to a store, even of what was there already."""
        return {path: mark for store in self._stores.values() for path, mark in (await store.marks()).items()}

    async def _look(self, state: State, ask: Ask, last: Snapshot | None) -> Snapshot:
        if not isinstance(state, Combined):
            return _taken(await self._told(state, ask), last)
        # Side by side with others each needs a name: two dumps that both have `notes` must not hide one another.
        told = [(name or _source(part), body) for part in state.parts for name, body in await self._told(part, ask)]
        return _taken(_apart(told), last)

    async def _told(self, state: State, ask: Ask) -> list[tuple[str, bytes]]:
        """Ask one oracle: what it said, by name; the only oracle of a plan needs none."""
        if isinstance(state, Fetch):
            return [("", (await self._read(state, self._headers)).content)]
        if isinstance(state, Shell):
            command = [text(part, self._values) for part in state.argv]
            return [("", await output_of(command, {}, "The state's command", self._patience))]
        if isinstance(state, Rereads):
            return [await self._reread(one, state.headers) for one in state.reads]
        if isinstance(state, Stored):
            store = self._stores[state]
            return [(store.name, canonical_bytes(await store.dump()))]
        steps = state.steps if isinstance(state, ToolReads) else ()
        return _apart([(step.call, canonical_bytes(await ask(step))) for step in steps])

    async def _reread(self, one: Fetch, headers: Mapping[str, str]) -> tuple[str, bytes]:
        known = fill_values(dict(headers), self._values)
        answer = await self._read(one, known, missing=True)
        name = text(one.target, self._values)
        name = urlsplit(name).path.strip("/") or "root"
        return name, b"null" if answer.status_code in _MISSING else answer.content

    async def _read(self, what: Fetch, headers: Mapping[str, str], *, missing: bool = False) -> httpx2.Response:
        answer = await self._send(what, headers, "The state")
        if answer.is_success or (missing and answer.status_code in _MISSING):
            return answer
        raise Unreadable(f"The state ({what.method} {what.target}) answered with HTTP status {answer.status_code}.")

    async def _send(
        self, what: Fetch, headers: Mapping[str, str], name: str, body: Mapping[str, Any] | None = None
    ) -> httpx2.Response:
        url = urljoin(f"{self._base.rstrip('/')}/", text(what.target, self._values))
        if what.target.startswith("/"):
            url = self._base.rstrip("/") + text(what.target, self._values)
        try:
            return await self._http.request(what.method, url, headers=dict(headers), **(body or {}))
        except httpx2.HTTPError as error:
            problem = str(error) or type(error).__name__
            raise Unreadable(f"{name} ({what.method} {what.target}) cannot be had: {problem}.") from None


def _source(part: State) -> str:
    """Name an oracle that has no name of its own by where it is asked."""
    return part.target.partition("?")[0].strip("/") if isinstance(part, Fetch) else "command"


def _apart(answers: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """Number the answers of a tool that is asked more than once."""
    seen: dict[str, int] = {}
    told: list[tuple[str, bytes]] = []
    for name, body in answers:
        seen[name] = count = seen.get(name, 0) + 1
        told.append((name if count == 1 else f"{name}-{count}", body))
    return told


def _taken(parts: list[tuple[str, bytes]], last: Snapshot | None) -> Snapshot:
    if last is not None and last.was_told(parts):
        return last
    return Snapshot([(name, _parsed(body, name)) for name, body in parts], parts)


def _parsed(body: bytes, name: str) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        if name:
            return body.decode("utf-8", "replace")  # an upstream that answers with text has that text for a fact
        raise Torn("The state is not JSON.", next_step="The command or URL must answer with one JSON value.") from None
