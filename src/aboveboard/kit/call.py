"""The call in progress, for the few tools that need to know of it: progress, and who asks."""

from collections.abc import Callable, Collection
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp_types import ClientCapabilities

from aboveboard.kit.caller import Caller


class Call:
    """One request of a client; a tool gets it by having a parameter of this type, which is not published."""

    def __init__(
        self,
        context: ServerRequestContext[Any, Any],
        params: Any,
        caller: Caller,
        may_call: Callable[[str], bool] = lambda tool: True,
        excluded: Collection[str] = (),
    ) -> None:
        self.context = context
        self.params = params
        self.caller = caller
        self.may_call = may_call
        """Tells whether the caller may call another tool, by its short name: what is off, no other does."""
        self.excluded = excluded
        """The areas and tools that the operator excluded: no tool shows what is theirs."""

    @property
    def capabilities(self) -> ClientCapabilities | None:
        """What the client says that it can do; None where it said nothing."""
        return self.context.session.client_capabilities

    async def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Tell the client how far the call is, if it asked to be told."""
        await self.context.session.report_progress(done, total, message)
