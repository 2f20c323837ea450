"""Honest: a search by POST, on the SDK's second generation, over HTTP."""

import sys
from typing import Any

import mcp_types as mcp
from mcp.server.mcpserver import MCPServer
from tests.audit.liars.stage import READS
from tests.audit.liars.watched.rest import rest

server: MCPServer[Any] = MCPServer("notes")


@server.tool(title="Search Notes", annotations=mcp.ToolAnnotations.model_validate(READS))
def search_notes(query: str) -> dict[str, Any]:
    """Find notes by a word in their text."""
    return rest("POST", "/search", {"query": query})


if __name__ == "__main__":
    server.run("streamable-http", port=int(sys.argv[1]), stateless_http=True, json_response=True)
