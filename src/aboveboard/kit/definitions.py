"""What is known of a tool, a resource or a prompt without its code: everything that is published, and then some.

The code behind each comes with `load()`: at once where it was declared in this process, by importing its module where
the definition was read from a file.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Concatenate, Final, Generic, TypeVar
from urllib.parse import quote, unquote

import mcp_types as mcp
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from aboveboard.effects import Effect
from aboveboard.kit.arguments import Arguments
from aboveboard.kit.schema import Schema

C = TypeVar("C")
Completer = Callable[Concatenate[C, str, ...], Awaitable[Sequence[str]]]
"""Given the client and what is typed so far, returns the values that could be meant.

What was chosen for others comes in parameters of their names: a stack is one of the chosen `board_id`. Each has a
default, for a client need not tell.
"""

EXAMPLE: Final = "\nExample response: "


class Section:
    """What tools of one kind have in common: their area, or a part of it that needs an app of its own."""

    def __init__(
        self,
        area: str,
        *,
        title: str,
        icon: str | None = None,
        prefix: str | None = None,
        app: str | None = None,
        default: bool = True,
    ) -> None:
        """Name the area (scopes are made of it), and give it an icon, if you like: an SVG path on 24 x 24.

        An area that needs an `app` of the service is not there where the app is not installed. An area that few can
        use is not a `default` one: it is there only where the operator names it.
        """
        self.area, self.title, self.prefix, self.app, self.default = area, title, prefix, app, default
        self.drawing = icon

    @cached_property
    def icon(self) -> mcp.Icon | None:
        """The icon as it is published."""
        if self.drawing is None:
            return None
        svg = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><path d='{self.drawing}'/></svg>"
        return mcp.Icon(src="data:image/svg+xml," + quote(svg, safe="/:='"), mime_type="image/svg+xml")


@dataclass(frozen=True, kw_only=True)
class ToolFunction(Generic[C]):
    """The function behind a tool, and the check that every call's arguments pass."""

    function: Callable[..., Awaitable[Any]]
    arguments: Arguments
    result: type[BaseModel] | None
    """What it answers; None for a tool that speaks in raw MCP content."""
    example: BaseModel | None
    call_parameter: str | None
    takes_client: bool
    """A tool that takes the call in its place needs none: signing in comes before there is a client."""

    @property
    def fields(self) -> Mapping[str, FieldInfo]:
        """The parameters as they are declared."""
        return self.arguments.fields


@dataclass(frozen=True, kw_only=True)
class ToolDefinition(Generic[C]):
    """One tool: what it says of itself."""

    name: str
    title: str
    effect: Effect
    toolset: Section
    description: str
    """What happens and what is lost, then an example on one line."""
    input_schema: Schema
    output_schema: Schema | None
    """None for a tool that speaks in raw MCP content."""
    core: bool = False
    aliases: Sequence[str] = ()
    """Names it had before: callable, never listed."""
    view: str | None = None
    """The address of the page that shows its answers, where a client shows such pages."""
    load: Callable[[], ToolFunction[C]] = field(repr=False, compare=False)

    @property
    def scope(self) -> str:
        """The right a caller needs: `charts.read` or `charts.write`."""
        return f"{self.toolset.area}.{'read' if self.effect.read_only else 'write'}"

    @property
    def summary(self) -> str:
        """The description without its example."""
        return self.description.partition(EXAMPLE)[0]


@dataclass(frozen=True, kw_only=True)
class ResourceFunction(Generic[C]):
    """The function that reads a resource, and what completes the parts of its address."""

    function: Callable[..., Awaitable[Any]]
    completers: Mapping[str, Completer[C]]


@dataclass(frozen=True, kw_only=True)
class ResourceDefinition(Generic[C]):
    """Something to read at an address; `{name}` in it is one part, `{+name}` may hold slashes."""

    uri: str
    title: str
    name: str
    description: str
    mime_type: str
    area: str
    """Whose data it shows: where that area is switched off, so is this."""
    toolset: Section
    load: Callable[[], ResourceFunction[C]] = field(repr=False, compare=False)

    @property
    def scope(self) -> str:
        """The right a caller needs."""
        return f"{self.area}.read"

    @property
    def is_template(self) -> bool:
        """Tell whether the address has parts to fill in."""
        return "{" in self.uri

    def match(self, uri: str) -> dict[str, str] | None:
        """Return the parts of an address of this kind, or None."""
        found = re.fullmatch(_pattern(self.uri), uri)
        return None if found is None else {name: unquote(part) for name, part in found.groupdict().items()}


@dataclass(frozen=True, kw_only=True)
class PromptFunction:
    """The function that writes a prompt, the check of its arguments, and what completes them."""

    function: Callable[..., str]
    arguments: Arguments
    completers: Mapping[str, Completer[Any]]


@dataclass(frozen=True, kw_only=True)
class PromptDefinition:
    """A way to start a conversation, offered to the person."""

    name: str
    title: str
    description: str
    arguments: Sequence[tuple[str, str, bool]]
    """Of each its name, its description, and whether it is required."""
    toolset: Section
    load: Callable[[], PromptFunction] = field(repr=False, compare=False)
    tools: Sequence[str] = ()
    """The tools that it speaks of: where one of them is excluded, so is the prompt."""

    @property
    def area(self) -> str:
        """The area it belongs to."""
        return self.toolset.area

    @property
    def scope(self) -> str:
        """The right a caller needs."""
        return f"{self.area}.read"


def _pattern(uri: str) -> str:
    pattern = ""
    for literal, plus, name in re.findall(r"([^{]*)(?:\{(\+?)(\w+)\})?", uri):
        pattern += re.escape(literal) + (f"(?P<{name}>{'.+' if plus else '[^/]+'})" if name else "")
    return pattern
