"""The call in progress, for the few tools that need to know of it: progress, and who asks."""

from typing import Any

from mcp.server.context import ServerRequestContext


class Call:
    """One `tools/call`; a tool gets it by having a parameter of this type, which is not published."""

    def __init__(self, context: ServerRequestContext[Any, Any], params: Any) -> None:
        self.context = context
        self.params = params

    async def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Tell the client how far the call is, if it asked to be told."""
        await self.context.session.report_progress(done, total, message)
