"""Which tools an operator lets a client see and call, and whether writing is only a dry run."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from aboveboard.errors import BadInput, explain_unknown
from aboveboard.kit.client_limits import room_of
from aboveboard.kit.definitions import PromptDefinition, ResourceDefinition, Section, ToolDefinition
from aboveboard.kit.mode import Mode

ALLOWED: Final = {Mode.READ_ONLY: "only tools that read", Mode.ADDITIVE: "no tool that can lose data"}
"""What a mode allows, in words that follow that word."""


@dataclass(frozen=True, kw_only=True)
class Policy:
    """The operator's choice; the default lets everything through."""

    mode: Mode = Mode.FULL
    toolsets: Sequence[str] = ("auto",)
    """Areas, or `all`, or `core`, or `auto`: all, and to a client that takes few tools the most used ones first."""
    exclude: Sequence[str] = ()
    dry_run: bool = False

    def check(self, toolsets: Sequence[Section], names: Sequence[str]) -> None:
        """Refuse a toolset or a tool that does not exist: a typing mistake must not switch something on or off."""
        areas = [toolset.area for toolset in toolsets]
        _all_known("toolset", self.toolsets, ["auto", "all", "core", *areas])
        _all_known("tool or toolset", self.exclude, [*areas, *names])

    def refusal(self, tool: ToolDefinition[Any], full_name: str) -> str | None:
        """Name the setting that forbids a tool, or None."""
        area = tool.toolset.area
        if not self.mode.allows(tool.effect):
            setting = f"the safety mode {self.mode} (--safety-mode, ABOVEBOARD_SAFETY_MODE)"
            return f"{setting} allows {ALLOWED[self.mode]}"
        if not self._selected(tool):
            core = "it is not one of the core tools, and " if "core" in self.toolsets else ""
            return f"{core}the toolset {area} is not among those switched on (--toolsets, ABOVEBOARD_TOOLSETS)"
        if not self.excludes(tool, full_name):
            return None
        what = f"its area {area} is excluded" if area in self.exclude else "it is excluded by name"
        return f"{what} (--exclude, ABOVEBOARD_EXCLUDE)"

    def excludes(self, tool: ToolDefinition[Any], full_name: str) -> bool:
        """Tell whether a tool is excluded; who did so by a name that it had before, still means it."""
        prefix = full_name.removesuffix(tool.name)
        names = (tool.toolset.area, tool.name, full_name, *tool.aliases, *(prefix + old for old in tool.aliases))
        return not set(self.exclude).isdisjoint(names)

    def serves(self, one: ResourceDefinition[Any] | PromptDefinition) -> bool:
        """Tell whether a resource or prompt is there: it only reads, so every mode has it."""
        toolset = one.toolset
        chosen = {"auto", "all", "core", toolset.area} if toolset.default else {toolset.area}
        return not chosen.isdisjoint(self.toolsets) and {toolset.area, one.area}.isdisjoint(self.exclude)

    @property
    def differs_by_client(self) -> bool:
        """Tell whether a client that takes few tools is shown fewer."""
        return "auto" in self.toolsets and "all" not in self.toolsets

    def room_for(self, client: str | None) -> int | None:
        """Return how many tools a client of this name is shown at most; None shows it all that it may call."""
        return room_of(client) if self.differs_by_client else None

    def _selected(self, tool: ToolDefinition[Any]) -> bool:
        chosen = self.toolsets
        if tool.toolset.area in chosen:
            return True
        return tool.toolset.default and (not {"auto", "all"}.isdisjoint(chosen) or ("core" in chosen and tool.core))


def _all_known(noun: str, given: Sequence[str], known: Sequence[str]) -> None:
    for name in given:
        if name not in known:
            raise BadInput(explain_unknown(noun, name, known, of="This server"))
