"""Effects for servers that are built on another framework: hints and guard from one word."""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from mcp_types import ToolAnnotations

from aboveboard.effects import Effect, annotations, holding

F = TypeVar("F", bound=Callable[..., Any])


class Declare(Protocol):
    """Declares a tool with its title and effect; what else the framework takes is handed on."""

    def __call__(self, title: str, effect: Effect, /, **more: Any) -> Callable[[F], F]:
        """Return the decorator."""
        ...


def declaring(tool: Callable[..., Any], *, open_world: bool = True) -> Declare:
    """Make a decorator of a framework's own (`server.tool` of MCPServer or FastMCP) that takes a title and an effect.

    The tool publishes the effect's hints, and runs with the effect in force: requests of a client with a `guarded`
    transport that exceed it are not sent.
    """

    def declare(title: str, effect: Effect, /, **more: Any) -> Callable[[F], F]:
        hints = ToolAnnotations.model_validate(annotations(effect, title=title, open_world=open_world))

        def decorate(function: F) -> F:
            held = holding(effect)(function)
            tool(title=title, annotations=hints, **more)(held)
            return held

        return decorate

    return declare
