"""Answers `resources/*`, `prompts/*` and `completion/complete` for a service that has resources or prompts."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import mcp_types as mcp
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from aboveboard import effects
from aboveboard.effects import READ
from aboveboard.errors import BadInput, Failure, NotFound, unknown
from aboveboard.kit.apps import Apps
from aboveboard.kit.arguments import Arguments
from aboveboard.kit.call import Call
from aboveboard.kit.cause import cause
from aboveboard.kit.library import Resource
from aboveboard.kit.provider import Closable, Provider
from aboveboard.kit.service import BUG, Catalogue
from aboveboard.kit.toolset import Toolset

logger = logging.getLogger("aboveboard")

C = TypeVar("C", bound=Closable)
T = TypeVar("T")
Context = ServerRequestContext[None]
MOST_COMPLETIONS: Final = 100
"""The protocol's own limit."""


def cache_hints(catalogue: Catalogue[Any]) -> Mapping[CacheableMethod, CacheHint]:
    """Let clients keep the lists, which do not change while the server runs; where apps decide, they are the user's."""
    own = any(toolset.app is not None for toolset in catalogue.service.toolsets)
    lists = ("tools/list", "prompts/list", "resources/list", "resources/templates/list")
    return dict.fromkeys(lists, CacheHint(ttl_ms=300_000, scope="private" if own else "public"))


def one_page(params: mcp.PaginatedRequestParams | None) -> None:
    """Refuse a cursor: lists here have one page."""
    if params is not None and params.cursor is not None:
        raise MCPError(code=mcp.INVALID_PARAMS, message="This list has one page, and no cursor was given out.")


def add_reading(server: Server[None], catalogue: Catalogue[C], provider: Provider[C], apps: Apps[C]) -> None:
    """Let a server answer for the catalogue's resources and prompts; without any, it does not claim to have them."""
    reading = _Reading(catalogue, provider, apps)
    if catalogue.resources:
        server.add_request_handler("resources/list", mcp.PaginatedRequestParams, reading.list_resources)
        server.add_request_handler("resources/templates/list", mcp.PaginatedRequestParams, reading.list_templates)
        server.add_request_handler("resources/read", mcp.ReadResourceRequestParams, reading.read)
        server.add_request_handler("completion/complete", mcp.CompleteRequestParams, reading.complete)
    if catalogue.prompts:
        server.add_request_handler("prompts/list", mcp.PaginatedRequestParams, reading.list_prompts)
        server.add_request_handler("prompts/get", mcp.GetPromptRequestParams, reading.get_prompt)


@dataclass(frozen=True)
class _Reading(Generic[C]):
    catalogue: Catalogue[C]
    provider: Provider[C]
    apps: Apps[C]

    async def list_resources(
        self, context: Context, params: mcp.PaginatedRequestParams | None
    ) -> mcp.ListResourcesResult:
        return mcp.ListResourcesResult(
            resources=[
                mcp.Resource(
                    uri=one.uri, name=one.name, title=one.title, description=one.description, mime_type=one.mime_type
                )
                for one in await self._there(context, params)
                if not one.is_template
            ]
        )

    async def list_templates(
        self, context: Context, params: mcp.PaginatedRequestParams | None
    ) -> mcp.ListResourceTemplatesResult:
        return mcp.ListResourceTemplatesResult(
            resource_templates=[
                mcp.ResourceTemplate(
                    uri_template=one.uri,
                    name=one.name,
                    title=one.title,
                    description=one.description,
                    mime_type=one.mime_type,
                )
                for one in await self._there(context, params)
                if one.is_template
            ]
        )

    async def _there(self, context: Context, params: mcp.PaginatedRequestParams | None) -> list[Resource[C]]:
        """Return the resources whose app is installed."""
        one_page(params)
        missing = await self.apps.missing(Call(context, params))
        return [resource for resource, toolset in self.catalogue.resources if toolset.app not in missing]

    async def read(self, context: Context, params: mcp.ReadResourceRequestParams) -> mcp.ReadResourceResult:
        uri, call = str(params.uri), Call(context, params)
        for resource, toolset in self.catalogue.resources:
            if (parts := resource.match(uri)) is not None:
                return await self._told(toolset, call, lambda: self._read(resource, uri, parts, call))  # noqa: B023
        raise MCPError(code=mcp.INVALID_PARAMS, message="There is no such resource here.", data={"uri": uri})

    async def _read(self, resource: Resource[C], uri: str, parts: dict[str, str], call: Call) -> mcp.ReadResourceResult:
        client = await self.provider.client(call)
        with effects.under(READ):
            read = await resource.function(client, **parts)
        return mcp.ReadResourceResult(contents=[resource.contents(uri, read)])

    async def complete(self, context: Context, params: mcp.CompleteRequestParams) -> mcp.CompleteResult:
        values: list[str] = []
        for resource, toolset in self.catalogue.resources:
            if isinstance(params.ref, mcp.ResourceTemplateReference) and params.ref.uri == resource.uri:
                call = Call(context, params)
                values = await self._told(toolset, call, lambda: self._completed(resource, params.argument, call))  # noqa: B023
        more = len(values) > MOST_COMPLETIONS
        return mcp.CompleteResult(
            completion=mcp.Completion(values=values[:MOST_COMPLETIONS], total=len(values), has_more=more)
        )

    async def _completed(self, resource: Resource[C], argument: mcp.CompletionArgument, call: Call) -> list[str]:
        completer = resource.completers.get(argument.name)
        if completer is None:
            return []
        client = await self.provider.client(call)
        with effects.under(READ):
            return list(await completer(client, argument.value))

    async def list_prompts(self, _: Context, params: mcp.PaginatedRequestParams | None) -> mcp.ListPromptsResult:
        one_page(params)
        return mcp.ListPromptsResult(prompts=[prompt.definition for prompt in self.catalogue.prompts.values()])

    async def get_prompt(self, _: Context, params: mcp.GetPromptRequestParams) -> mcp.GetPromptResult:
        prompts = self.catalogue.prompts
        if params.name not in prompts:
            message = unknown("prompt", params.name, list(prompts), of="This server")
            raise MCPError(code=mcp.INVALID_PARAMS, message=message)
        prompt = prompts[params.name]
        try:
            text = prompt.function(**Arguments(prompt.name, prompt.fields).check(params.arguments or {}))
        except BadInput as problem:
            raise MCPError(code=mcp.INVALID_PARAMS, message=str(problem)) from None
        message = mcp.PromptMessage(role="user", content=mcp.TextContent(text=text))
        return mcp.GetPromptResult(description=prompt.description, messages=[message])

    async def _told(self, toolset: Toolset[C], call: Call, read: Callable[[], Awaitable[T]]) -> T:
        """Run it, and turn what goes wrong into the protocol's error, without a word that is not for outsiders."""
        try:
            return await read()
        except (Exception, BaseExceptionGroup) as error:
            ended = cause(error)
            if isinstance(ended, MCPError) or not isinstance(ended, Exception):
                raise ended from None
            if not isinstance(ended, Failure):
                logger.exception("A defect in reading a resource", exc_info=ended)
                raise MCPError(code=mcp.INTERNAL_ERROR, message=BUG) from None
            why = await self.apps.explains(ended, toolset, call) or str(ended)
            asked = isinstance(ended, NotFound | BadInput)
            raise MCPError(code=mcp.INVALID_PARAMS if asked else mcp.INTERNAL_ERROR, message=why) from None
