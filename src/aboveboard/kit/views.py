"""Interactive views (the extension MCP Apps): a page that a client shows for the answers of a tool.

The page is a resource at an address that begins with `ui://`, and the tool names it. What it draws comes in the
`_meta` of a result, which is for the page and costs the model nothing, and only to clients that show such pages.
"""

from collections.abc import Mapping
from typing import Any, Final, Protocol, runtime_checkable

import mcp_types as mcp

EXTENSION: Final = "io.modelcontextprotocol/ui"
PAGE: Final = "text/html;profile=mcp-app"
"""The type of such a page."""
DRAWN: Final = "aboveboard/view"
"""Under which key of `_meta` the page finds what it draws."""
FRAMED: Final = {"ui": {"prefersBorder": True}}
"""What a page says of itself; that it loads nothing from elsewhere is what silence means."""


@runtime_checkable
class Viewed(Protocol):
    """A result that a page can draw."""

    def for_view(self) -> Mapping[str, Any]:
        """Return what the page needs."""
        ...


def view_link(view: str | None) -> dict[str, Any] | None:
    """Return what a tool's definition says of its view."""
    return None if view is None else {"ui": {"resourceUri": view}}


def shows_views(capabilities: mcp.ClientCapabilities | None) -> bool:
    """Tell whether a client shows pages; one of which nothing is known (it has no session) may."""
    if capabilities is None:
        return True
    settings = (capabilities.extensions or {}).get(EXTENSION)
    if settings is None:
        return False
    types = settings.get("mimeTypes")
    return not isinstance(types, list) or PAGE in types
