"""The floor: the least code that answers `list_projects` with the SDK, and so the least it can cost.

One tool, one pooled client that the first call opens (as ours does), no checks. Reads LIGHTDASH_URL and
LIGHTDASH_API_KEY; with a port as its argument it serves HTTP, without one stdio.
"""

import json
import os
import sys
from functools import cache
from typing import Any

import anyio
import httpx2
import mcp_types as mcp
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server

TOOL = mcp.Tool(
    name="list_projects",
    description="List the projects.",
    input_schema={"type": "object", "properties": {}},
)


@cache
def pool() -> httpx2.AsyncClient:
    """Return the one client."""
    headers = {"Authorization": f"ApiKey {os.environ['LIGHTDASH_API_KEY']}"}
    # The sandbox closes a connection after 5 idle seconds, and there is no retry here: let go of it first.
    limits = httpx2.Limits(keepalive_expiry=2)
    return httpx2.AsyncClient(base_url=os.environ["LIGHTDASH_URL"], headers=headers, limits=limits)


async def list_tools(
    context: ServerRequestContext[Any], params: mcp.PaginatedRequestParams | None
) -> mcp.ListToolsResult:
    """Answer `tools/list`."""
    del context, params
    return mcp.ListToolsResult(tools=[TOOL])


async def call_tool(context: ServerRequestContext[Any], params: mcp.CallToolRequestParams) -> mcp.CallToolResult:
    """Answer `tools/call`."""
    del context, params
    response = await pool().get("/api/v1/org/projects")
    projects = {"projects": response.raise_for_status().json()["results"]}
    return mcp.CallToolResult(content=[mcp.TextContent(text=json.dumps(projects))], structured_content=projects)


def build() -> Server[Any]:
    """Make the server."""
    return Server("floor", version="1", on_list_tools=list_tools, on_call_tool=call_tool)


async def _stdio() -> None:
    from mcp.server.stdio import stdio_server

    server = build()
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def _http(port: int) -> None:
    import uvicorn

    config = uvicorn.Config(
        build().streamable_http_app(),
        port=port,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    uvicorn.Server(config).run()


def main() -> None:
    """Serve."""
    if len(sys.argv) > 1:
        _http(int(sys.argv[1]))
    else:
        anyio.run(_stdio)
