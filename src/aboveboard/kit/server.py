"""The MCP server of a service: lists what the policy allows, runs a call under its effect, says what went wrong."""

import json
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final, Generic, Protocol, TypeVar, cast, runtime_checkable

import mcp_types as mcp
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel

from aboveboard import effects
from aboveboard.effects import DryRunStopped
from aboveboard.errors import BadInput, Failure, explain_unknown
from aboveboard.kit.call import Call
from aboveboard.kit.cause import cause
from aboveboard.kit.definitions import ToolDefinition, ToolFunction
from aboveboard.kit.desk import Desk, cache_hints, one_page
from aboveboard.kit.gone import Gone
from aboveboard.kit.library_server import add_library
from aboveboard.kit.provider import Closable, Provider
from aboveboard.kit.service import BUG, Catalogue, WouldSend
from aboveboard.kit.toolset import Raw
from aboveboard.kit.upkeep import beside
from aboveboard.kit.views import DRAWN, EXTENSION, Viewed, shows_views
from aboveboard.observing import Observers

logger = logging.getLogger("aboveboard")

C = TypeVar("C", bound=Closable)

SECRET_WORDS: Final = ("password", "secret", "token", "key", "credential")


def build_server(
    catalogue: Catalogue[C],
    provider: Provider[C],
    observers: Observers = (),
    upkeep: Callable[[], Awaitable[None]] | None = None,
) -> Server[None]:
    """Make the server; when it ends, it closes the provider and the observers. `upkeep` runs while it serves."""
    desk = Desk(catalogue, provider, observers)
    server = Server(
        catalogue.service.name,
        version=catalogue.service.version,
        title=catalogue.service.title,
        instructions=catalogue.instructions,
        lifespan=partial(_lifespan, desk, upkeep),
        on_list_tools=partial(_list_tools, desk),
        on_call_tool=_Calls(desk).run,
        get_tool_input_schema=partial(_input_schema, catalogue),
        cache_hints=cache_hints(catalogue, provider),
    )
    add_library(server, desk)
    if catalogue.views:
        server.extensions[EXTENSION] = {}
    return server


async def _list_tools(
    desk: Desk[C], context: ServerRequestContext[None], params: mcp.PaginatedRequestParams | None
) -> mcp.ListToolsResult:
    one_page(params)
    call = desk.call(context, params)
    missing = await desk.apps.missing(call)
    return mcp.ListToolsResult(tools=desk.catalogue.definitions(call.caller, without=missing))


def _input_schema(catalogue: Catalogue[C], name: str) -> Mapping[str, Any] | None:
    tool = catalogue.tools.get(catalogue.aliases.get(name, name))
    return None if tool is None else tool.input_schema


@asynccontextmanager
async def _lifespan(
    desk: Desk[C], upkeep: Callable[[], Awaitable[None]] | None, _: Server[None]
) -> AsyncGenerator[None]:
    try:
        async with beside(None if upkeep is None else partial(_watched, desk, upkeep)):
            yield
    finally:
        await desk.provider.aclose()
        desk.watch.close()


async def _watched(desk: Desk[C], upkeep: Callable[[], Awaitable[None]]) -> None:
    with desk.watch.requests():
        await upkeep()


@dataclass(frozen=True)
class _Calls(Generic[C]):
    """Runs `tools/call`."""

    desk: Desk[C]

    async def run(self, context: ServerRequestContext[None], params: mcp.CallToolRequestParams) -> Raw:
        """Answer one call; whatever goes wrong inside the tool becomes a result the model can read."""
        tools, aliases = self.desk.catalogue.tools, self.desk.catalogue.aliases
        name = aliases.get(params.name, params.name)
        tool, call = tools.get(name), self.desk.call(context, params)
        if tool is None:
            self.desk.watch.unknown("tool", call.caller)
            raise MCPError(
                code=mcp.INVALID_PARAMS, message=explain_unknown("tool", name, list(tools), of="This server")
            )
        given = params.arguments or {}
        with self.desk.watch.over("tool", name, tool.scope, call.caller, effect=tool.effect, arguments=given) as ending:
            ending.outcome, result = await self._answer(tool, name, call)
        return result if name == params.name else _renamed(result, params.name, name)

    async def _answer(self, tool: ToolDefinition[C], name: str, call: Call) -> tuple[str, Raw]:
        if refusal := self.desk.catalogue.refusal(name, call.caller):
            return "refused", _error(refusal)
        written: list[str] = []  # filled as the tool writes, and read where it then fails: half is not nothing
        try:
            return await self._run(tool, tool.load(), call, written)
        except (Exception, DryRunStopped, BaseExceptionGroup) as error:  # noqa: BLE001 (the boundary: nothing may leak)
            ended = cause(error)
            if why := await self.desk.apps.explains(ended, tool.toolset, call):
                return "failed: no such app", _error(why)
            return _explained(name, ended, written, self._said(tool))

    async def _run(
        self, tool: ToolDefinition[C], loaded: ToolFunction[C], call: Call, written: list[str]
    ) -> tuple[str, Raw]:
        arguments = loaded.arguments.check(call.params.arguments or {})
        if loaded.call_parameter is not None:
            arguments[loaded.call_parameter] = call
        dry_run = self.desk.catalogue.is_dry_run(tool)
        # Lent before the effect is in force: a credential that is renewed for it is not written by the tool.
        async with self._first(loaded, call) as first:
            with effects.under(tool.effect, dry_run=dry_run, written=written):
                if loaded.takes_client:
                    arguments = await self.desk.with_ids(
                        cast("C", first), f"{tool.toolset.area}.{tool.name}", arguments
                    )
                result = await loaded.function(first, **arguments)
        # A write would have ended the dry run as DryRunStopped: who comes here had nothing to send.
        if dry_run and loaded.result is not None:
            return "dry-run", _dry_run(None)
        if isinstance(result, Gone):
            result = result.in_full(self._said(tool))
        return "ok", _success(result, viewed=tool.view is not None and shows_views(call.capabilities))

    def _said(self, tool: ToolDefinition[C]) -> Callable[[str], str]:
        """Return what puts full names of tools into a text of this one."""
        return partial(self.desk.catalogue.wire.said, area=tool.toolset.area)

    def _first(self, loaded: ToolFunction[C], call: Call) -> AbstractAsyncContextManager[C | Call]:
        """Return what a tool takes first: the caller's client, or the call alone."""
        return self.desk.provider.lease(call) if loaded.takes_client else nullcontext(call)


def _renamed(result: Raw, old: str, new: str) -> Raw:
    """Add the line that tells who used an old name the new one."""
    if not isinstance(result, mcp.CallToolResult):
        return result
    line = mcp.TextContent(text=f"{old} is now called {new}.")
    return result.model_copy(update={"content": [*result.content, line]})


def _success(result: Any, *, viewed: bool) -> Raw:
    if not isinstance(result, BaseModel) or isinstance(result, Raw):
        return cast("Raw", result)
    shown = cast("Illustrated", result).blocks() if _offers(type(result), Illustrated) else ()
    return mcp.CallToolResult(
        content=[*shown, mcp.TextContent(text=_words(result))],
        structured_content=result.model_dump(mode="json", exclude_none=True),
        _meta={DRAWN: dict(result.for_view())} if viewed and isinstance(result, Viewed) else None,
    )


@cache
def _offers(kind: type[BaseModel], protocol: type) -> bool:
    """Tell whether results of a kind have what a protocol names; to look each time would be a part of every call."""
    return issubclass(kind, protocol)


@runtime_checkable
class Illustrated(Protocol):
    """A result with more to show than words: a picture, a link to a file."""

    def blocks(self) -> Sequence[mcp.ContentBlock]:
        """Return what is shown before the words."""
        ...


@runtime_checkable
class Worded(Protocol):
    """A result that reads better in its own words than as JSON, such as a table."""

    def as_text(self) -> str:
        """Return what the model reads."""
        ...


def _words(result: BaseModel) -> str:
    worded = _offers(type(result), Worded)
    return cast("Worded", result).as_text() if worded else result.model_dump_json(exclude_none=True)


def _counted(lines: Sequence[str]) -> str:
    """List what was done, each line once."""
    counts = Counter(lines)
    return ", ".join(f"{line} ({count} times)" if count > 1 else line for line, count in counts.items())


def _explained(
    name: str, error: BaseException, written: Sequence[str], said: Callable[[str], str]
) -> tuple[str, mcp.CallToolResult]:
    """Tell the outcome for the audit log and the words for the model, who must not take half for nothing."""
    half = f" Before that, this was done: {_counted(written)}; look before trying again." if written else ""
    if isinstance(error, DryRunStopped):
        return "dry-run", _dry_run(error)
    if isinstance(error, BadInput):
        return "bad-input", _error(said(str(error)))
    if isinstance(error, Failure):
        return f"failed: {type(error).__name__}", _error(said(str(error)) + half)
    if isinstance(error, MCPError) or not isinstance(error, Exception):
        raise error  # the protocol's own error, meant for the client as it is, or the end of everything
    logger.error("A defect in %s", name, exc_info=error)
    return "bug", _error(BUG + half)


def _error(text: str) -> mcp.CallToolResult:
    return mcp.CallToolResult(content=[mcp.TextContent(text=text)], is_error=True)


def _dry_run(stopped: DryRunStopped | None) -> mcp.CallToolResult:
    if stopped is None:
        would, deed = WouldSend(dry_run=True), "send nothing that writes"
    else:
        would = WouldSend(dry_run=True, method=stopped.method, path=stopped.path, body=_masked(stopped.body))
        body = "" if would.body is None else f" with {json.dumps(would.body, ensure_ascii=False)}"
        deed = f"send {would.method} {would.path}{body}, its first write: a dry run goes no further"
    return mcp.CallToolResult(
        content=[mcp.TextContent(text=f"Dry run: nothing was sent. This call would {deed}.")],
        structured_content=would.model_dump(mode="json", exclude_none=True),
    )


def _masked(body: object) -> object:
    """Return the body without the values that are secrets by their name."""
    if isinstance(body, Mapping):
        items = cast("Mapping[object, object]", body).items()
        return {
            str(name): "[secret]" if any(word in str(name).lower() for word in SECRET_WORDS) else _masked(value)
            for name, value in items
        }
    if isinstance(body, list | tuple):
        return [_masked(one) for one in cast("Sequence[object]", body)]
    return body
