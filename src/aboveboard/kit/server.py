"""The MCP server of a service: lists what the policy allows, runs a call under its effect, says what went wrong."""

import json
import logging
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar, cast, runtime_checkable

import mcp_types as mcp
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel

from aboveboard import effects
from aboveboard.effects import Rehearsed
from aboveboard.errors import BadInput, Failure, unknown
from aboveboard.kit.apps import Apps
from aboveboard.kit.audit_log import AuditLog
from aboveboard.kit.call import Call
from aboveboard.kit.cause import cause
from aboveboard.kit.provider import Closable, Provider
from aboveboard.kit.reading import add_reading, cache_hints, one_page
from aboveboard.kit.service import BUG, Catalogue, WouldSend
from aboveboard.kit.toolset import Raw, Tool

logger = logging.getLogger("aboveboard")

C = TypeVar("C", bound=Closable)

SECRET_WORDS: Final = ("password", "secret", "token", "key", "credential")


def build_server(catalogue: Catalogue[C], provider: Provider[C], audit: AuditLog | None = None) -> Server[None]:
    """Make the server; it closes the provider when it ends."""
    apps = Apps(catalogue.service, provider)
    calls = _Calls(catalogue, provider, apps, audit)

    async def list_tools(
        context: ServerRequestContext[None], params: mcp.PaginatedRequestParams | None
    ) -> mcp.ListToolsResult:
        one_page(params)
        return mcp.ListToolsResult(tools=catalogue.definitions(without=await apps.missing(Call(context, params))))

    def input_schema(name: str) -> Mapping[str, Any] | None:
        tool = catalogue.tools.get(name)
        return None if tool is None else tool.input_schema

    @asynccontextmanager
    async def lifespan(_: Server[None]) -> AsyncGenerator[None]:
        try:
            yield
        finally:
            await provider.aclose()
            if audit is not None:
                audit.close()

    server = Server(
        catalogue.service.name,
        version=catalogue.service.version,
        title=catalogue.service.title,
        instructions=catalogue.service.instructions,
        lifespan=lifespan,
        on_list_tools=list_tools,
        on_call_tool=calls.run,
        get_tool_input_schema=input_schema,
        cache_hints=cache_hints(catalogue),
    )
    add_reading(server, catalogue, provider, apps)
    return server


@dataclass(frozen=True)
class _Calls(Generic[C]):
    """Runs `tools/call`."""

    catalogue: Catalogue[C]
    provider: Provider[C]
    apps: Apps[C]
    audit: AuditLog | None

    async def run(self, context: ServerRequestContext[None], params: mcp.CallToolRequestParams) -> Raw:
        """Answer one call; whatever goes wrong inside the tool becomes a result the model can read."""
        name = params.name
        tool = self.catalogue.tools.get(name)
        if tool is None:
            known = list(self.catalogue.tools)
            raise MCPError(code=mcp.INVALID_PARAMS, message=unknown("tool", name, known, of="This server"))
        started = time.perf_counter()
        outcome = "cancelled"
        try:
            outcome, result = await self._answer(tool, name, Call(context, params))
        except MCPError:
            outcome = "failed: MCPError"
            raise
        finally:
            if self.audit is not None:
                self.audit.write(
                    tool=name,
                    effect=tool.effect.name,
                    scope=tool.scope,
                    arguments=params.arguments or (),
                    outcome=outcome,
                    seconds=time.perf_counter() - started,
                )
        return result

    async def _answer(self, tool: Tool[C], name: str, call: Call) -> tuple[str, Raw]:
        if refusal := self.catalogue.refusals.get(name):
            return "refused", _error(f"{name} is switched off: {refusal}.")
        try:
            arguments = tool.arguments.check(call.params.arguments or {})
            if tool.call_parameter is not None:
                arguments[tool.call_parameter] = call
            client = await self.provider.client(call)
            rehearses = self.catalogue.rehearses(tool)
            with effects.under(tool.effect, rehearsal=rehearses):
                result = await tool.function(client, **arguments)
            if rehearses and tool.result is not None:
                return "dry-run", _rehearsal(None)
            return "ok", _success(result)
        except (Exception, Rehearsed, BaseExceptionGroup) as error:  # noqa: BLE001 (the boundary: nothing may leak)
            ended = cause(error)
            if why := await self.apps.explains(ended, tool.toolset, call):
                return "failed: no such app", _error(why)
            return _explained(name, ended)


def _success(result: Any) -> Raw:
    if not isinstance(result, BaseModel) or isinstance(result, Raw):
        return cast("Raw", result)
    shown = result.blocks() if isinstance(result, Illustrated) else ()
    return mcp.CallToolResult(
        content=[*shown, mcp.TextContent(text=_words(result))],
        structured_content=result.model_dump(mode="json", exclude_none=True),
    )


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
    return result.as_text() if isinstance(result, Worded) else result.model_dump_json(exclude_none=True)


def _explained(name: str, error: BaseException) -> tuple[str, mcp.CallToolResult]:
    """Tell the outcome for the audit log and the words for the model."""
    if isinstance(error, Rehearsed):
        return "dry-run", _rehearsal(error)
    if isinstance(error, BadInput):
        return "bad-input", _error(str(error))
    if isinstance(error, Failure):
        return f"failed: {type(error).__name__}", _error(str(error))
    if isinstance(error, MCPError) or not isinstance(error, Exception):
        raise error  # the protocol's own error, meant for the client as it is, or the end of everything
    logger.error("A defect in %s", name, exc_info=error)
    return "bug", _error(BUG)


def _error(text: str) -> mcp.CallToolResult:
    return mcp.CallToolResult(content=[mcp.TextContent(text=text)], is_error=True)


def _rehearsal(stopped: Rehearsed | None) -> mcp.CallToolResult:
    if stopped is None:
        would, deed = WouldSend(dry_run=True), "change nothing"
    else:
        would = WouldSend(dry_run=True, method=stopped.method, path=stopped.path, body=_masked(stopped.body))
        body = "" if would.body is None else f" with {json.dumps(would.body, ensure_ascii=False)}"
        deed = f"send {would.method} {would.path}{body}"
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
