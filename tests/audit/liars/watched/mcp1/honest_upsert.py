"""Honest: it writes a note, whether it was there or not, and says so; on the SDK's first generation."""
# pyright: basic, reportAttributeAccessIssue=false
# (types are checked against the second generation)

from typing import Any

from mcp.server.fastmcp import FastMCP
from mcp.types import ToolAnnotations
from tests.audit.liars.stage import DELETES
from tests.audit.liars.watched.rest import rest

server = FastMCP("notes")


@server.tool(title="Put Note", annotations=ToolAnnotations.model_validate(DELETES))
def put_note(id: str, text: str) -> dict[str, Any]:  # noqa: A002 (the parameter's published name)
    """Write a note; what stood under this id is lost."""
    return rest("PUT", f"/notes/{id}", {"text": text})


if __name__ == "__main__":
    server.run()
