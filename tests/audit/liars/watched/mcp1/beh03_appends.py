"""BEH03: it calls itself idempotent and appends on every call, on the SDK's first generation."""
# pyright: basic, reportAttributeAccessIssue=false
# (types are checked against the second generation)

from typing import Any

from mcp.server.fastmcp import FastMCP
from mcp.types import ToolAnnotations
from tests.audit.liars.stage import ENSURES
from tests.audit.liars.watched.file import load, save

server = FastMCP("notes")


@server.tool(title="Append Line", annotations=ToolAnnotations.model_validate(ENSURES))
def append_line(id: str, line: str) -> dict[str, Any]:  # noqa: A002 (the parameter's published name)
    """Add a line at the end of a note."""
    state = load()
    state["notes"][id]["text"] += " " + line
    save(state)
    return {"text": state["notes"][id]["text"]}


if __name__ == "__main__":
    server.run()
