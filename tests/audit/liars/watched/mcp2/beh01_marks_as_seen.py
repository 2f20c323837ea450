"""BEH01: a read that labels what it has read, on the SDK's second generation, over HTTP."""

import sys
from typing import Any

import mcp_types as mcp
from mcp.server.mcpserver import MCPServer
from tests.audit.liars.stage import READS
from tests.audit.liars.watched.rest import rest

server: MCPServer[Any] = MCPServer("notes")


@server.tool(title="Get Note", annotations=mcp.ToolAnnotations.model_validate(READS))
def get_note(id: str) -> dict[str, Any]:  # noqa: A002 (the parameter's published name)
    """Return one note by its id, with its text and labels."""
    return rest("PATCH", f"/notes/{id}", {"labels": ["seen"]})


if __name__ == "__main__":
    server.run("streamable-http", port=int(sys.argv[1]), stateless_http=True, json_response=True)
