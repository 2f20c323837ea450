"""Texts name tools as a client sees them.

Where a tool is declared or fails, it speaks of others by their short names; the prefix is chosen later, by the service
or the operator. Of two areas that have a tool of one name, the one that speaks means its own.
"""

import re
from collections.abc import Iterable
from typing import Any, Final, cast

from aboveboard.kit.schema import Schema

_WORD: Final = re.compile(r"(?<![\w./-])[a-z]+(?:_[a-z]+)+(?!\w)")
"""Two words at least: `create` and `get` are no names to anyone but their own area."""


class WireNames:
    """The full names of tools, by their short ones."""

    def __init__(self, tools: Iterable[tuple[str, str, str]]) -> None:
        """Take of each tool its short name, its area and its full name."""
        self._full: dict[str, dict[str, str]] = {}
        for short, area, full in tools:
            self._full.setdefault(short, {})[area] = full

    def said(self, text: str, area: str = "") -> str:
        """Return a text of an area with the full names of the tools that it speaks of."""
        return _WORD.sub(lambda found: self._named(found[0], area), text) if "_" in text else text

    def described(self, schema: Schema, area: str) -> Schema:
        """Return a schema whose descriptions name tools in full."""
        return cast("Schema", self._within(schema, area))

    def _named(self, word: str, area: str) -> str:
        known = self._full.get(word, {})
        return known.get(area) or (next(iter(known.values())) if len(known) == 1 else word)

    def _within(self, node: Any, area: str) -> Any:
        if not isinstance(node, dict):
            return node
        return {
            key: self.said(value, area)
            if key == "description" and isinstance(value, str)
            else self._within(value, area)
            for key, value in cast("Schema", node).items()
        }
