"""A service and what it publishes: full names, definitions, and what the operator's policy leaves of them."""

import re
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Generic, TypeVar

import mcp_types as mcp
from pydantic import BaseModel

from aboveboard import __version__
from aboveboard.errors import BadInput
from aboveboard.kit.policy import Policy
from aboveboard.kit.schema import result_schema
from aboveboard.kit.toolset import Tool, Toolset

C = TypeVar("C")


@dataclass(frozen=True, kw_only=True)
class Service(Generic[C]):
    """Everything about one MCP server that does not depend on who runs it."""

    name: str
    title: str
    prefix: str = ""
    """Set here once; tools are declared by their short names. A toolset may bring its own."""
    open_world: bool
    instructions: str = ""
    version: str = __version__
    toolsets: Sequence[Toolset[C]]
    has_app: Callable[[C, str], Awaitable[bool]] | None = None
    """Asks an instance whether it has the app that a toolset needs; without it, everything is always there."""

    @property
    def tools(self) -> list[Tool[C]]:
        """All tools, in the order they are declared."""
        return [tool for toolset in self.toolsets for tool in toolset.tools]


BUG: Final = "The server failed to do this because of a defect of its own. The operator's log has the details."


class WouldSend(BaseModel):
    """What a dry run answers in place of a result; no method where the call came to its end without a write."""

    dry_run: bool
    method: str | None = None
    path: str | None = None
    body: Any = None


class Catalogue(Generic[C]):
    """The tools of a service under their full names, and which of them the policy leaves callable."""

    def __init__(self, service: Service[C], policy: Policy, prefix: str | None = None) -> None:
        self.service, self.policy = service, policy
        if prefix is not None and any(toolset.prefix is not None for toolset in service.toolsets):
            raise BadInput(f"--prefix cannot be used here: {service.title}'s tools have a prefix for each area.")
        if prefix is not None and not re.fullmatch(r"[A-Za-z0-9_.-]{0,64}", prefix):
            raise BadInput(
                f"--prefix {prefix!r} cannot start a tool's name: use up to 64 letters, digits, _, - and dots."
            )
        self._prefix = service.prefix if prefix is None else prefix
        self.tools = {self.full_name(tool): tool for tool in service.tools}
        if len(self.tools) < len(service.tools):
            names = [self.full_name(tool) for tool in service.tools]
            raise TypeError(f"Two tools share a name: {', '.join({name for name in names if names.count(name) > 1})}.")
        policy.check(service.toolsets, [*self.tools, *(tool.name for tool in service.tools)])
        served = [toolset for toolset in service.toolsets if policy.serves(toolset)]
        self.resources = [(resource, toolset) for toolset in served for resource in toolset.resources]
        self.prompts = {prompt.name: prompt for toolset in served for prompt in toolset.prompts}
        self.refusals = {name: why for name, tool in self.tools.items() if (why := policy.refusal(tool, name))}

    def full_name(self, tool: Tool[C]) -> str:
        """Return the name clients see."""
        own = tool.toolset.prefix
        return f"{self._prefix if own is None else own}{tool.name}"

    def definitions(self, *, without: Collection[str] = ()) -> list[mcp.Tool]:
        """Return what `tools/list` answers where these apps are not installed."""
        return [definition for definition, app in self._published if app not in without]

    @cached_property
    def _published(self) -> list[tuple[mcp.Tool, str | None]]:
        listed = [tool for name, tool in self.tools.items() if name not in self.refusals]
        return [(self.definition(tool), tool.toolset.app) for tool in listed]

    def definition(self, tool: Tool[C]) -> mcp.Tool:
        """Publish one tool: every hint stated, whatever its value."""
        effect = tool.effect
        return mcp.Tool(
            name=self.full_name(tool),
            title=tool.title,
            description=tool.description,
            input_schema=tool.input_schema,
            output_schema=result_schema(WouldSend) if tool.result and self.rehearses(tool) else tool.output_schema,
            annotations=mcp.ToolAnnotations(
                title=tool.title,
                read_only_hint=effect.read_only,
                destructive_hint=effect.destructive,
                idempotent_hint=effect.idempotent,
                open_world_hint=self.service.open_world if effect.open_world is None else effect.open_world,
            ),
            icons=None if tool.toolset.icon is None else [tool.toolset.icon],
        )

    def rehearses(self, tool: Tool[C]) -> bool:
        """Tell whether this tool only says what it would send."""
        return self.policy.dry_run and not tool.effect.read_only
