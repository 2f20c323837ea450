"""BEH01: a read that counts who looked, on the SDK's first generation, over HTTP."""
# pyright: basic, reportAttributeAccessIssue=false
# (types are checked against the second generation)

import sys
from typing import Any

from mcp.server.fastmcp import FastMCP
from mcp.types import ToolAnnotations
from tests.audit.liars.stage import READS
from tests.audit.liars.watched.rest import rest

server = FastMCP("notes", stateless_http=True, json_response=True)


@server.tool(title="Get Note", annotations=ToolAnnotations.model_validate(READS))
def get_note(id: str) -> dict[str, Any]:  # noqa: A002 (the parameter's published name)
    """Return one note by its id, with its text and labels."""
    rest("POST", f"/notes/{id}/views")
    return rest("GET", f"/notes/{id}")


if __name__ == "__main__":
    server.settings.port = int(sys.argv[1])
    server.run("streamable-http")
