"""Speaking MCP in its plainest form: both eras, and every page of the tools."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from enum import StrEnum
from typing import Any, Final, cast

import anyio

from aboveboard import __version__
from aboveboard.audit import raw
from aboveboard.audit.evidence import CallResult, Server, ServerSession, Tool
from aboveboard.audit.probe.stdio import NO_SUCH_METHOD, start
from aboveboard.audit.probe.web import StatusError, Web
from aboveboard.audit.probe.wire import Gone, Unreadable, Wire
from aboveboard.audit.target import Address, Command

MODERN: Final = "2026-07-28"
LEGACY: Final = "2025-11-25"
KNOWN: Final = ("2024-11-05", "2025-03-26", "2025-06-18", LEGACY, MODERN)
MOST_PAGES: Final = 200
MOST_TOOLS: Final = 10_000
_ME = {"name": "aboveboard", "version": __version__}
_META = "io.modelcontextprotocol/"


class Era(StrEnum):
    """How a session begins: by asking what there is, or by a handshake."""

    AUTO = "auto"
    MODERN = "modern"
    LEGACY = "legacy"


class Conversation:
    """One session with a server."""

    def __init__(self, wire: Wire, name: str = "") -> None:
        self.wire, self.name = wire, name
        self.protocol = ""
        self._greeting: Mapping[str, Any] = {}
        self._last_id = 0

    async def begin(self, era: Era, patience: float) -> None:
        """Find out which era the server speaks; a modern one is asked first, as the specification says."""
        if era is Era.LEGACY:
            await self._handshake()
            return
        if await self._modern(patience, only=era is Era.MODERN):
            return
        try:
            await self._handshake()
        except Unreadable:
            # One that takes long to start may answer the first question only now, and know no handshake.
            if not await self._modern(patience, only=False):
                raise

    async def _modern(self, patience: float, *, only: bool) -> bool:
        answer: Mapping[str, Any] | None = None
        self.protocol = MODERN
        with anyio.move_on_after(None if only else patience):
            try:
                answer = await self.request("server/discover")
            except StatusError as error:
                if only or error.status in (401, 403):
                    raise
        result = (answer or {}).get("result")
        if isinstance(result, Mapping) and MODERN in (cast("Any", result).get("supportedVersions") or ()):
            self._greeting = cast("Mapping[str, Any]", result)
            return True
        if only:
            raise Unreadable(f"The server does not speak MCP {MODERN}.", next_step="Try --era legacy.")
        self.protocol = ""
        self.wire.headers.clear()
        return False

    async def _handshake(self) -> None:
        hello = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": _ME}
        result = _result(await self.request("initialize", hello), "initialize")
        version = result.get("protocolVersion")
        if version not in KNOWN:
            raise Unreadable(f"The server speaks MCP {version!r}, which is not known here.")
        self._greeting, self.protocol = result, cast("str", version)
        self.wire.headers["MCP-Protocol-Version"] = self.protocol
        await self.wire.notify({"jsonrpc": "2.0", "method": "notifications/initialized"})

    async def request(self, method: str, params: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
        """Send a request in the words of the era, and return the whole raw answer."""
        self._last_id += 1
        body: dict[str, Any] = {"jsonrpc": "2.0", "id": self._last_id, "method": method}
        given = dict(params or {})
        if self.protocol == MODERN:
            given["_meta"] = {
                f"{_META}protocolVersion": MODERN,
                f"{_META}clientInfo": _ME,
                f"{_META}clientCapabilities": {},
            }
            self.wire.headers |= {"MCP-Protocol-Version": MODERN, "Mcp-Method": method}
            self.wire.headers.pop("Mcp-Name", None)
            if method == "tools/call":
                self.wire.headers["Mcp-Name"] = str(given.get("name", ""))
        if given:
            body["params"] = given
        return await self.wire.exchange(body)

    async def call(self, tool: Tool, arguments: Mapping[str, Any]) -> CallResult:
        """Call a tool, and return what it answered."""
        answer = await self.request("tools/call", {"name": tool.name, "arguments": arguments})
        return CallResult(tool, result=_mapping(answer.get("result")), arguments=arguments, error=answer.get("error"))

    async def survey(self, *, listings: int = 1) -> Server:
        """Read all that the server says of itself; more than one listing shows whether it says the same again."""
        info = self._greeting.get("serverInfo") or _mapping(self._greeting.get("_meta")).get(f"{_META}serverInfo")
        name = self.name or str(_mapping(info).get("name") or "server")
        found = [await self._tools(name) for _ in range(listings)]
        instructions = self._greeting.get("instructions")
        return Server(
            name=name,
            tools=found[0],
            protocol=self.protocol,
            instructions=instructions if isinstance(instructions, str) else "",
            info=_mapping(info),
            session=ServerSession(name, tuple(self.wire.stray), tuple(found)),
        )

    async def _tools(self, server: str) -> list[Tool]:
        tools: list[Tool] = []
        cursor: dict[str, Any] = {}
        for _ in range(MOST_PAGES):
            answer = await self.request("tools/list", cursor)
            if _mapping(answer.get("error")).get("code") == NO_SUCH_METHOD and not tools:
                return []
            result = _result(answer, "tools/list")
            page = result.get("tools")
            if not isinstance(page, list):
                raise Unreadable("The server answered tools/list without a list of tools.")
            tools += [Tool(_mapping(one), server) for one in cast("list[Any]", page)]
            following = result.get("nextCursor")
            if following is None:
                return tools
            if len(tools) > MOST_TOOLS:
                raise Unreadable(f"The server lists more than {MOST_TOOLS:,} tools.")
            cursor = {"cursor": following}
        raise Unreadable(f"The server's list of tools did not end after {MOST_PAGES} pages.")


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else raw.Object()


def _result(answer: Mapping[str, Any], method: str) -> Mapping[str, Any]:
    result = answer.get("result")
    if isinstance(result, Mapping):
        return cast("Mapping[str, Any]", result)
    code = _mapping(answer.get("error")).get("code", "none")
    raise Unreadable(f"The server refused {method} (error {code}).")


async def _open(target: Command | Address, timeout: float) -> Wire:  # noqa: ASYNC109 (for each read of the client)
    return await start(target) if isinstance(target, Command) else Web(target, timeout)


@asynccontextmanager
async def converse(
    target: Command | Address,
    *,
    era: Era = Era.AUTO,
    timeout: float = 30,  # noqa: ASYNC109 (also bounds single reads)
    heard: list[str] | None = None,
) -> AsyncGenerator[Conversation]:
    """Hold a session with a server; when it ends, nothing that was started for it is left but what was heard of it."""
    wire = await _open(target, timeout)
    try:
        talk = Conversation(wire, target.name)
        try:
            await talk.begin(era, patience=timeout / 3)
        except Gone:
            if era is not Era.AUTO or not isinstance(target, Command):
                raise
            # Some older servers end when they are asked what they do not know: a fresh one is greeted their way.
            await wire.aclose()
            wire = await _open(target, timeout)
            talk = Conversation(wire, target.name)
            await talk.begin(Era.LEGACY, patience=timeout)
        yield talk
    finally:
        if heard is not None:
            heard += wire.last_words()
        with anyio.CancelScope(shield=True):
            await wire.aclose()
