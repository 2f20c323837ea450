"""Answers `resources/*`, `prompts/*` and `completion/complete` for a service that has resources or prompts."""

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any, Final, Generic, TypeVar

import mcp_types as mcp
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from aboveboard import effects
from aboveboard.effects import READ
from aboveboard.errors import BadInput, Failure, NotFound, explain_unknown
from aboveboard.kit.call import Call
from aboveboard.kit.cause import cause
from aboveboard.kit.definitions import PromptDefinition, ResourceDefinition
from aboveboard.kit.desk import Desk, one_page
from aboveboard.kit.library import Content, Read
from aboveboard.kit.provider import Closable
from aboveboard.kit.service import BUG, out_of_scope
from aboveboard.kit.views import FRAMED, PAGE, shows_views
from aboveboard.kit.watch import Ending

logger = logging.getLogger("aboveboard")

C = TypeVar("C", bound=Closable)
Described = TypeVar("Described", ResourceDefinition[Any], PromptDefinition)
Context = ServerRequestContext[None]
Pages = mcp.PaginatedRequestParams | None
MOST_COMPLETIONS: Final = 100
"""The protocol's own limit."""


def add_library(server: Server[None], desk: Desk[C]) -> None:
    """Let a server answer for the catalogue's resources and prompts; without any, it does not claim to have them."""
    library = _Library(desk)
    if desk.catalogue.resources:
        server.add_request_handler("resources/list", mcp.PaginatedRequestParams, library.list_resources)
        server.add_request_handler("resources/templates/list", mcp.PaginatedRequestParams, library.list_templates)
        server.add_request_handler("resources/read", mcp.ReadResourceRequestParams, library.read)
    if desk.catalogue.prompts:
        server.add_request_handler("prompts/list", mcp.PaginatedRequestParams, library.list_prompts)
        server.add_request_handler("prompts/get", mcp.GetPromptRequestParams, library.get_prompt)
    if desk.catalogue.resources or desk.catalogue.prompts:
        server.add_request_handler("completion/complete", mcp.CompleteRequestParams, library.complete)


@dataclass(frozen=True)
class _Library(Generic[C]):
    desk: Desk[C]

    async def list_resources(self, context: Context, params: Pages) -> mcp.ListResourcesResult:
        there = await self._there(context, params)
        return mcp.ListResourcesResult(resources=[_resource(one) for one in there if not one.is_template])

    async def list_templates(self, context: Context, params: Pages) -> mcp.ListResourceTemplatesResult:
        there = await self._there(context, params)
        return mcp.ListResourceTemplatesResult(resource_templates=[_template(one) for one in there if one.is_template])

    async def _there(self, context: Context, params: Pages) -> list[ResourceDefinition[C]]:
        """Return the resources that the caller may read, whose app is installed, and that the client has a use for."""
        one_page(params)
        call = self.desk.call(context, params)
        missing = await self.desk.apps.missing(call)
        hidden = set[str]() if shows_views(call.capabilities) else self.desk.catalogue.views
        every = [one for one in self.desk.catalogue.resources if call.caller.holds(one.scope)]
        return [self._in_full(one) for one in every if one.toolset.app not in missing and one.uri not in hidden]

    def _in_full(self, one: Described) -> Described:
        """Return a resource or a prompt whose description names tools as clients see them."""
        return replace(one, description=self.desk.catalogue.wire.said(one.description, one.area))

    async def read(self, context: Context, params: mcp.ReadResourceRequestParams) -> mcp.ReadResourceResult:
        uri, call = str(params.uri), self.desk.call(context, params)
        for resource in self.desk.catalogue.resources:
            if (parts := resource.match(uri)) is not None:
                return await self._read(resource, uri, parts, call)
        self.desk.watch.unknown("resource", call.caller)
        raise MCPError(code=mcp.INVALID_PARAMS, message="There is no such resource here.", data={"uri": uri})

    async def _read(
        self, resource: ResourceDefinition[C], uri: str, parts: dict[str, str], call: Call
    ) -> mcp.ReadResourceResult:
        watch = self.desk.watch.over("resource", resource.uri, resource.scope, call.caller, arguments=parts)
        with watch as ending:
            async with self._told(resource, call, ending), self.desk.provider.lease(call) as client:
                with effects.under(READ):
                    ids = await self.desk.with_ids(client, resource.uri, parts)
                    read = await resource.load().function(client, **ids)
        return mcp.ReadResourceResult(contents=[_contents(uri, resource.mime_type, read)])

    async def complete(self, context: Context, params: mcp.CompleteRequestParams) -> mcp.CompleteResult:
        about, call = self._meant(params.ref), self.desk.call(context, params)
        if about is None:
            self.desk.watch.unknown("completion", call.caller)
        values = [] if about is None else await self._completed(about, params, call)
        more = len(values) > MOST_COMPLETIONS
        return mcp.CompleteResult(
            completion=mcp.Completion(values=values[:MOST_COMPLETIONS], total=len(values), has_more=more)
        )

    def _meant(
        self, reference: mcp.ResourceTemplateReference | mcp.PromptReference
    ) -> ResourceDefinition[C] | PromptDefinition | None:
        if isinstance(reference, mcp.PromptReference):
            return self.desk.catalogue.prompts.get(reference.name)
        return next((one for one in self.desk.catalogue.resources if one.uri == reference.uri), None)

    async def _completed(
        self, about: ResourceDefinition[C] | PromptDefinition, params: mcp.CompleteRequestParams, call: Call
    ) -> list[str]:
        argument, chosen = params.argument, (params.context and params.context.arguments) or {}
        watch = self.desk.watch.over("completion", _name(about), about.scope, call.caller, arguments=[argument.name])
        with watch as ending:
            async with self._told(about, call, ending):
                completer = about.load().completers.get(argument.name)
                if completer is None:
                    return []
                used = {name: chosen[name] for name in signature(completer).parameters if name in chosen}
                async with self.desk.provider.lease(call) as client:
                    with effects.under(READ):
                        ids = await self.desk.with_ids(client, _name(about), used)
                        return list(await completer(client, argument.value, **ids))

    async def list_prompts(self, context: Context, params: Pages) -> mcp.ListPromptsResult:
        one_page(params)
        caller, prompts = self.desk.call(context, params).caller, self.desk.catalogue.prompts
        held = [self._in_full(one) for one in prompts.values() if caller.holds(one.scope)]
        return mcp.ListPromptsResult(prompts=[_prompt(one) for one in held])

    async def get_prompt(self, context: Context, params: mcp.GetPromptRequestParams) -> mcp.GetPromptResult:
        prompts, call = self.desk.catalogue.prompts, self.desk.call(context, params)
        if params.name not in prompts:
            self.desk.watch.unknown("prompt", call.caller)
            message = explain_unknown("prompt", params.name, list(prompts), of="This server")
            raise MCPError(code=mcp.INVALID_PARAMS, message=message)
        prompt, given = prompts[params.name], params.arguments or {}
        with self.desk.watch.over("prompt", prompt.name, prompt.scope, call.caller, arguments=given) as ending:
            async with self._told(prompt, call, ending):
                loaded = prompt.load()
                text = loaded.function(**loaded.arguments.check(given))
        text = self.desk.catalogue.wire.said(text, prompt.area)
        message = mcp.PromptMessage(role="user", content=mcp.TextContent(text=text))
        return mcp.GetPromptResult(description=prompt.description, messages=[message])

    @asynccontextmanager
    async def _told(
        self, one: ResourceDefinition[C] | PromptDefinition, call: Call, ending: Ending
    ) -> AsyncGenerator[None]:
        """Turn what goes wrong into the protocol's error, without a word that is not for outsiders."""
        if refusal := out_of_scope(_name(one), one.scope, call.caller):
            ending.outcome = "refused"
            raise MCPError(code=mcp.INVALID_PARAMS, message=refusal)
        try:
            yield
            ending.outcome = "ok"
        except (Exception, BaseExceptionGroup) as error:  # noqa: BLE001 (the boundary: nothing may leak)
            ended = cause(error)
            if isinstance(ended, MCPError) or not isinstance(ended, Exception):
                raise ended from None
            ending.outcome, told = await self._explained(one, ended, call)
            raise told from None

    async def _explained(
        self, one: ResourceDefinition[C] | PromptDefinition, error: Exception, call: Call
    ) -> tuple[str, MCPError]:
        if not isinstance(error, Failure):
            logger.error("A defect in reading a resource or a prompt", exc_info=error)
            return "bug", MCPError(code=mcp.INTERNAL_ERROR, message=BUG)
        said = self.desk.catalogue.wire.said(str(error), one.area)
        why = await self.desk.apps.explains(error, one.toolset, call) or said
        asked = isinstance(error, NotFound | BadInput)
        outcome = "bad-input" if isinstance(error, BadInput) else f"failed: {type(error).__name__}"
        return outcome, MCPError(code=mcp.INVALID_PARAMS if asked else mcp.INTERNAL_ERROR, message=why)


def _name(one: ResourceDefinition[C] | PromptDefinition) -> str:
    return one.uri if isinstance(one, ResourceDefinition) else one.name


def _resource(one: ResourceDefinition[C]) -> mcp.Resource:
    return mcp.Resource(
        uri=one.uri, name=one.name, title=one.title, description=one.description, mime_type=one.mime_type
    )


def _template(one: ResourceDefinition[C]) -> mcp.ResourceTemplate:
    return mcp.ResourceTemplate(
        uri_template=one.uri, name=one.name, title=one.title, description=one.description, mime_type=one.mime_type
    )


def _prompt(one: PromptDefinition) -> mcp.Prompt:
    arguments = [
        mcp.PromptArgument(name=name, description=description, required=required)
        for name, description, required in one.arguments
    ]
    return mcp.Prompt(name=one.name, title=one.title, description=one.description, arguments=arguments)


def _contents(uri: str, usual: str, read: Read) -> mcp.TextResourceContents | mcp.BlobResourceContents:
    """Wrap what was read for the wire."""
    data, mime_type = (read.data, read.mime_type) if isinstance(read, Content) else (read, usual)
    if isinstance(data, bytes):
        from base64 import b64encode

        return mcp.BlobResourceContents(uri=uri, mime_type=mime_type, blob=b64encode(data).decode())
    text = data if isinstance(data, str) else data.model_dump_json(exclude_none=True)
    about = FRAMED if mime_type == PAGE else None
    return mcp.TextResourceContents(uri=uri, mime_type=mime_type, text=text, _meta=about)
