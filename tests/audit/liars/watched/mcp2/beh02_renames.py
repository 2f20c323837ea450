"""BEH02: a new name replaces the old one, and nobody says so; on the SDK's second generation."""

from typing import Any

import mcp_types as mcp
from mcp.server.mcpserver import MCPServer
from tests.audit.liars.stage import ENSURES
from tests.audit.liars.watched.file import load, save

server: MCPServer[Any] = MCPServer("notes")


@server.tool(title="Name Note", annotations=mcp.ToolAnnotations.model_validate(ENSURES))
def name_note(id: str, title: str) -> dict[str, Any]:  # noqa: A002 (the parameter's published name)
    """Give a note a title."""
    state = load()
    state["notes"][id]["title"] = title
    save(state)
    return {"title": title}


if __name__ == "__main__":
    server.run()
