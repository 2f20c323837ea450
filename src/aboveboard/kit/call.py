"""The call in progress, for the few tools that need to know of it: progress, and who asks."""

from collections.abc import Callable
from typing import Any

from mcp.server.context import ServerRequestContext

from aboveboard.kit.caller import Caller


class Call:
    """One request of a client; a tool gets it by having a parameter of this type, which is not published."""

    def __init__(
        self,
        context: ServerRequestContext[Any, Any],
        params: Any,
        caller: Caller,
        may_call: Callable[[str], bool] = lambda tool: True,
    ) -> None:
        self.context = context
        self.params = params
        self.caller = caller
        self.may_call = may_call
        """Tells whether the caller may call another tool, by its short name: what is off, no other does."""

    async def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Tell the client how far the call is, if it asked to be told."""
        await self.context.session.report_progress(done, total, message)
