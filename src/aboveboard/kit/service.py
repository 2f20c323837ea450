"""A service and what it publishes: full names, definitions, and what operator and caller leave of them."""

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Generic, TypeVar

import mcp_types as mcp
from pydantic import BaseModel

from aboveboard import __version__
from aboveboard.errors import BadInput
from aboveboard.kit.caller import Caller
from aboveboard.kit.definitions import PromptDefinition, ResourceDefinition, ToolDefinition
from aboveboard.kit.mode import Mode
from aboveboard.kit.policy import ALLOWED, Policy
from aboveboard.kit.schema import result_schema
from aboveboard.kit.toolset import Toolset
from aboveboard.kit.upkeep import Upkeep
from aboveboard.kit.views import view_link
from aboveboard.kit.wire_names import WireNames

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
    with_ids: Callable[[C, str, Mapping[str, Any]], Awaitable[dict[str, Any]]] | None = None
    """Puts ids in place of the names that arguments hold, given the area and name of the tool that is called, such as
    `deck.restore_board`, or what else takes them; it may only read."""
    upkeep: Upkeep[C] | None = None
    """What is done for people beside their calls."""

    @property
    def tools(self) -> list[ToolDefinition[C]]:
        """All tools, in the order they are declared."""
        return [tool for toolset in self.toolsets for tool in toolset.tools]

    @property
    def has_apps(self) -> bool:
        """Tell whether what is there depends on the instance, and so on the caller."""
        return self.has_app is not None and any(toolset.app is not None for toolset in self.toolsets)


BUG: Final = "The server failed to do this because of a defect of its own. The operator's log has the details."
ANYONE: Final = Caller()
"""One who may do all that the operator allows."""
FEWER: Final = "Some clients take few tools and are shown the most used ones; --toolsets on the server names others."
OFF: Final = "Areas that --toolsets or --exclude on the server switch off:"
VIEWS: Final = 256
"""So many lists are kept; who was granted what differs less than people do."""


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
        self.aliases = {old: full for full, tool in self.tools.items() for old in self._names(tool)[1:]}
        self._check_names()
        short = [name for tool in service.tools for name in (tool.name, *tool.aliases)]
        policy.check(service.toolsets, [*self.tools, *self.aliases, *short])
        self.refusals = {name: why for name, tool in self.tools.items() if (why := policy.refusal(tool, name))}
        self._views: dict[tuple[frozenset[str] | None, Mode, frozenset[str], int | None], list[mcp.Tool]] = {}

    def _check_names(self) -> None:
        names = [name for tool in self.service.tools for name in self._names(tool)]
        if len(names) > len(set(names)):
            twice = sorted({name for name in names if names.count(name) > 1})
            raise TypeError(f"Two tools share a name: {', '.join(twice)}.")

    def _names(self, tool: ToolDefinition[C]) -> list[str]:
        full = self.full_name(tool)
        return [full, *(full.removesuffix(tool.name) + old for old in tool.aliases)]

    @cached_property
    def resources(self) -> list[ResourceDefinition[C]]:
        """The resources that the policy leaves; the view of a tool is there where the tool is."""
        every = [one for toolset in self.service.toolsets for one in toolset.resources]
        without_tool = {tool.view for tool in self.service.tools} - self.views
        return [one for one in every if self.policy.serves(one) and one.uri not in without_tool]

    @cached_property
    def views(self) -> set[str]:
        """The addresses of the views that the tools have which the policy leaves."""
        left = (tool.view for name, tool in self.tools.items() if name not in self.refusals)
        return {view for view in left if view is not None}

    @cached_property
    def prompts(self) -> dict[str, PromptDefinition]:
        """The prompts that the policy leaves, by their names; none of them speaks of a tool that is excluded."""
        every = [one for toolset in self.service.toolsets for one in toolset.prompts]
        excluded = {tool.name for name, tool in self.tools.items() if self.policy.excludes(tool, name)}
        return {one.name: one for one in every if self.policy.serves(one) and excluded.isdisjoint(one.tools)}

    @property
    def instructions(self) -> str:
        """What a client is told of the server: that it may be shown a part of it only, and what is switched off."""
        told = self.wire.said(self.service.instructions)
        fewer = FEWER if self.policy.differs_by_client else ""
        off = f"{OFF} {', '.join(self.left_out)}." if self.left_out else ""
        return " ".join(filter(None, (told, fewer, off))) if told else ""

    @cached_property
    def left_out(self) -> dict[str, int]:
        """The areas of which the policy leaves nothing, and how many tools each has."""
        left = {tool.toolset.area for name, tool in self.tools.items() if name not in self.refusals}
        return dict(Counter(one.toolset.area for one in self.tools.values() if one.toolset.area not in left))

    def full_name(self, tool: ToolDefinition[C]) -> str:
        """Return the name clients see."""
        own = tool.toolset.prefix
        return f"{self._prefix if own is None else own}{tool.name}"

    @property
    def upkeep(self) -> Upkeep[C] | None:
        """What is done beside the calls, where the policy leaves a tool that lives on it; not in excluded areas."""
        wanted = self.service.upkeep
        left = (tool.toolset.area for name, tool in self.tools.items() if name not in self.refusals)
        if wanted is None or self.policy.dry_run or wanted.area not in left:
            return None
        open_to_all = {tool.toolset.area for tool in self.tools.values()} - set(self.policy.exclude)
        return wanted.within(frozenset(f"{area}.read" for area in open_to_all))

    def refusal(self, name: str, caller: Caller) -> str | None:
        """Say why this caller may not call a tool, or None; what the operator forbids, nobody can be granted."""
        if why := self.refusals.get(name):
            return f"{name} is switched off: {why}."
        tool = self.tools[name]
        if not caller.mode.allows(tool.effect):
            told = f"{name} is not allowed: your access is {caller.mode}, which allows {ALLOWED[caller.mode]}."
            return f"{told}{caller.way_out}"
        return out_of_scope(name, tool.scope, caller)

    def may_call(self, short_name: str, caller: Caller) -> bool:
        """Tell whether this caller may call a tool of this short name."""
        full = next(name for name, tool in self.tools.items() if tool.name == short_name)
        return self.refusal(full, caller) is None

    def definitions(self, caller: Caller = ANYONE, *, without: Collection[str] = ()) -> list[mcp.Tool]:
        """Return what `tools/list` answers this caller where these apps are not installed."""
        granted = None if caller.scopes is None else caller.scopes & self._scopes
        room = self.policy.room_for(caller.client)
        key = (granted, caller.mode, frozenset(without), room)
        if key not in self._views:
            if len(self._views) >= VIEWS:
                self._views.clear()
            self._views[key] = [self._published[name] for name in self._shown(caller, key[2], room)]
        return self._views[key]

    def _shown(self, caller: Caller, without: frozenset[str], room: int | None) -> list[str]:
        """Return the names that a caller is shown; where there is not room for all, the most used ones."""
        every = [
            name
            for name, tool in self.tools.items()
            if tool.toolset.app not in without and self.refusal(name, caller) is None
        ]
        kept = set(sorted(every, key=lambda name: not self.tools[name].core)[:room])
        return [name for name in every if name in kept]

    @cached_property
    def wire(self) -> WireNames:
        """What texts call the tools."""
        return WireNames((tool.name, tool.toolset.area, full) for full, tool in self.tools.items())

    @cached_property
    def _scopes(self) -> frozenset[str]:
        return frozenset(tool.scope for tool in self.tools.values())

    @cached_property
    def _published(self) -> dict[str, mcp.Tool]:
        return {name: self.definition(tool) for name, tool in self.tools.items() if name not in self.refusals}

    def definition(self, tool: ToolDefinition[C]) -> mcp.Tool:
        """Publish one tool: every hint stated, whatever its value."""
        effect, schema = tool.effect, tool.output_schema
        return mcp.Tool(
            name=self.full_name(tool),
            title=tool.title,
            description=self.wire.said(tool.description, tool.toolset.area),
            input_schema=self.wire.described(tool.input_schema, tool.toolset.area),
            output_schema=result_schema(WouldSend) if schema is not None and self.is_dry_run(tool) else schema,
            annotations=mcp.ToolAnnotations(
                title=tool.title,
                read_only_hint=effect.read_only,
                destructive_hint=effect.destructive,
                idempotent_hint=effect.idempotent,
                open_world_hint=self.service.open_world if effect.open_world is None else effect.open_world,
            ),
            icons=None if tool.toolset.icon is None else [tool.toolset.icon],
            _meta=view_link(tool.view),
        )

    def is_dry_run(self, tool: ToolDefinition[C]) -> bool:
        """Tell whether this tool only says what it would send."""
        return self.policy.dry_run and not tool.effect.read_only


def out_of_scope(name: str, scope: str, caller: Caller) -> str | None:
    """Name the scope that a caller lacks, or None."""
    told = f"{name} needs the scope {scope}, which you were not granted.{caller.way_out}"
    return None if caller.holds(scope) else told
