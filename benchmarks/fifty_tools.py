"""A server of fifty tools on the SDK, over REST: half of them read, half of them write."""

import os
from typing import Any

import httpx2
import mcp_types as mcp
from mcp.server.mcpserver import MCPServer

READS = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
WRITES = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True, "openWorldHint": False}
server: MCPServer[Any] = MCPServer("fifty")
http = httpx2.Client(base_url=os.environ.get("NOTES_URL", ""))


def _add(number: int) -> None:
    def get(id: str, *, full: bool = False) -> dict[str, Any]:  # noqa: A002 (the parameter's published name)
        del full
        return http.get(f"/notes/{id}").raise_for_status().json()

    def write(id: str, text: str) -> dict[str, Any]:  # noqa: A002 (the parameter's published name)
        return http.patch(f"/notes/{id}", json={"text": text}).raise_for_status().json()

    reads, writes = (mcp.ToolAnnotations.model_validate(one) for one in (READS, WRITES))
    server.add_tool(get, name=f"get_note_{number}", description="Return one note by its id.", annotations=reads)
    server.add_tool(write, name=f"write_note_{number}", description="Write a note's text.", annotations=writes)


for number in range(25):
    _add(number)

if __name__ == "__main__":
    server.run()
