"""The same on the official SDK's low-level server, for liars whose defect an SDK lets through."""

from collections.abc import Mapping, Sequence
from typing import Any

import anyio
import mcp_types as mcp
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server


def serve_with_sdk(tools: Sequence[Mapping[str, Any]]) -> None:
    """Serve tools on stdio."""
    listed = [mcp.Tool.model_validate(one) for one in tools]

    async def list_tools(_context: ServerRequestContext[Any, Any], _params: Any) -> mcp.ListToolsResult:
        return mcp.ListToolsResult(tools=listed)

    async def call_tool(_context: ServerRequestContext[Any, Any], _params: Any) -> mcp.CallToolResult:
        return mcp.CallToolResult(content=[mcp.TextContent(text="Nothing to see.")])

    async def run() -> None:
        server: Server[Any] = Server("notes", version="1", on_list_tools=list_tools, on_call_tool=call_tool)
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    anyio.run(run)
