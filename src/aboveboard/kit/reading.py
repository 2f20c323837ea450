"""Answers `resources/*`, `prompts/*` and `completion/complete` for a service that has resources or prompts."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import mcp_types as mcp
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from aboveboard import effects
from aboveboard.effects import READ
from aboveboard.errors import BadInput, Failure, NotFound, unknown
from aboveboard.kit.arguments import Arguments
from aboveboard.kit.call import Call
from aboveboard.kit.library import Completer, Resource
from aboveboard.kit.provider import Closable, Provider
from aboveboard.kit.service import BUG, Catalogue

logger = logging.getLogger("aboveboard")

C = TypeVar("C", bound=Closable)
T = TypeVar("T")
Context = ServerRequestContext[None]
# The catalogue is the same for every caller and does not change while the server runs; what is read does.
LISTS: Final[Mapping[CacheableMethod, CacheHint]] = dict.fromkeys(
    ("tools/list", "prompts/list", "resources/list", "resources/templates/list"),
    CacheHint(ttl_ms=300_000, scope="public"),
)
MOST_COMPLETIONS: Final = 100
"""The protocol's own limit."""


def add_reading(server: Server[None], catalogue: Catalogue[C], provider: Provider[C]) -> None:
    """Let a server answer for the catalogue's resources and prompts; without any, it does not claim to have them."""
    reading = _Reading(catalogue, provider)
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

    async def list_resources(self, _: Context, __: mcp.PaginatedRequestParams) -> mcp.ListResourcesResult:
        fixed = [one for one in self.catalogue.resources if not one.is_template]
        return mcp.ListResourcesResult(
            resources=[
                mcp.Resource(
                    uri=one.uri, name=one.name, title=one.title, description=one.description, mime_type=one.mime_type
                )
                for one in fixed
            ]
        )

    async def list_templates(self, _: Context, __: mcp.PaginatedRequestParams) -> mcp.ListResourceTemplatesResult:
        templates = [one for one in self.catalogue.resources if one.is_template]
        return mcp.ListResourceTemplatesResult(
            resource_templates=[
                mcp.ResourceTemplate(
                    uri_template=one.uri,
                    name=one.name,
                    title=one.title,
                    description=one.description,
                    mime_type=one.mime_type,
                )
                for one in templates
            ]
        )

    async def read(self, context: Context, params: mcp.ReadResourceRequestParams) -> mcp.ReadResourceResult:
        uri = str(params.uri)
        for resource in self.catalogue.resources:
            if (parts := resource.match(uri)) is not None:
                return await _told(lambda: self._read(resource, uri, parts, Call(context, params)))  # noqa: B023
        raise MCPError(code=mcp.INVALID_PARAMS, message="There is no such resource here.", data={"uri": uri})

    async def _read(self, resource: Resource[C], uri: str, parts: dict[str, str], call: Call) -> mcp.ReadResourceResult:
        client = await self.provider.client(call)
        with effects.under(READ):
            read = await resource.function(client, **parts)
        return mcp.ReadResourceResult(contents=[resource.contents(uri, read)])

    async def complete(self, context: Context, params: mcp.CompleteRequestParams) -> mcp.CompleteResult:
        completer = None
        if isinstance(params.ref, mcp.ResourceTemplateReference):
            wanted = params.ref.uri
            resource = next((one for one in self.catalogue.resources if one.uri == wanted), None)
            completer = None if resource is None else resource.completers.get(params.argument.name)
        if completer is None:
            return mcp.CompleteResult(completion=mcp.Completion(values=[]))
        values = await _told(lambda: self._completed(completer, params.argument.value, Call(context, params)))
        more = len(values) > MOST_COMPLETIONS
        return mcp.CompleteResult(
            completion=mcp.Completion(values=values[:MOST_COMPLETIONS], total=len(values), has_more=more)
        )

    async def _completed(self, completer: Completer[C], typed: str, call: Call) -> list[str]:
        client = await self.provider.client(call)
        with effects.under(READ):
            return list(await completer(client, typed))

    async def list_prompts(self, _: Context, __: mcp.PaginatedRequestParams) -> mcp.ListPromptsResult:
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


async def _told(read: Callable[[], Awaitable[T]]) -> T:
    """Run it, and turn what goes wrong into the protocol's error, without a word that is not meant for outsiders."""
    try:
        return await read()
    except (NotFound, BadInput) as failure:
        raise MCPError(code=mcp.INVALID_PARAMS, message=str(failure)) from None
    except Failure as failure:
        raise MCPError(code=mcp.INTERNAL_ERROR, message=str(failure)) from None
    except Exception:
        logger.exception("A defect in reading a resource")
        raise MCPError(code=mcp.INTERNAL_ERROR, message=BUG) from None
