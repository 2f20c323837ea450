"""Which tools an operator lets a client see and call, and whether writes are only rehearsed."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from aboveboard.errors import BadInput, unknown
from aboveboard.kit.toolset import Tool, Toolset


class Mode(StrEnum):
    """How much a client may change."""

    READ_ONLY = "read-only"
    ADDITIVE = "additive"
    FULL = "full"


@dataclass(frozen=True, kw_only=True)
class Policy:
    """The operator's choice; the default lets everything through."""

    mode: Mode = Mode.FULL
    toolsets: Sequence[str] = ("all",)
    exclude: Sequence[str] = ()
    dry_run: bool = False

    def check(self, toolsets: Sequence[Toolset[Any]], names: Sequence[str]) -> None:
        """Refuse a toolset or a tool that does not exist: a typing mistake must not switch something on or off."""
        areas = [toolset.area for toolset in toolsets]
        _all_known("toolset", self.toolsets, ["all", "core", *areas])
        _all_known("tool or toolset", self.exclude, [*areas, *names])

    def refusal(self, tool: Tool[Any], full_name: str) -> str | None:
        """Name the setting that forbids a tool, or None."""
        effect, area = tool.effect, tool.toolset.area
        if self.mode is Mode.READ_ONLY and not effect.read_only:
            return "the safety mode read-only (--safety-mode, ABOVEBOARD_SAFETY_MODE) allows only tools that read"
        if self.mode is Mode.ADDITIVE and effect.destructive:
            return "the safety mode additive (--safety-mode, ABOVEBOARD_SAFETY_MODE) allows no tool that can lose data"
        if not self._selected(tool):
            return f"the toolset {area} is not among those switched on (--toolsets, ABOVEBOARD_TOOLSETS)"
        if {area, tool.name, full_name} & set(self.exclude):
            return "it is excluded by name (--exclude, ABOVEBOARD_EXCLUDE)"
        return None

    def serves(self, toolset: Toolset[Any]) -> bool:
        """Tell whether an area's resources and prompts are there: they only read, so every mode has them."""
        chosen = {"all", "core", toolset.area} if toolset.default else {toolset.area}
        return not chosen.isdisjoint(self.toolsets) and toolset.area not in self.exclude

    def _selected(self, tool: Tool[Any]) -> bool:
        chosen = self.toolsets
        if tool.toolset.area in chosen:
            return True
        return tool.toolset.default and ("all" in chosen or ("core" in chosen and tool.core))


def _all_known(noun: str, given: Sequence[str], known: Sequence[str]) -> None:
    for name in given:
        if name not in known:
            raise BadInput(unknown(noun, name, known, of="This server"))
