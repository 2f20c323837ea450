"""Views of any service: which clients show them, and that what a tool names can be read."""

from typing import Any

import mcp_types as mcp
import pytest

from aboveboard.kit.service import Service
from aboveboard.kit.views import EXTENSION, PAGE, shows_views
from aboveboard.lightdash.server import SERVICE as LIGHTDASH
from aboveboard.nextcloud.server import SERVICE as NEXTCLOUD


def client(**extensions: Any) -> mcp.ClientCapabilities:
    return mcp.ClientCapabilities(extensions=extensions or None)


@pytest.mark.parametrize(
    "capabilities",
    [
        client(**{EXTENSION: {"mimeTypes": ["text/html", PAGE]}}),
        client(**{EXTENSION: {}}),
        client(**{EXTENSION: {"mimeTypes": "nonsense"}}),
        None,
    ],
)
def test_a_client_shows_pages_if_it_says_so_or_if_nothing_is_known_of_it(
    capabilities: mcp.ClientCapabilities | None,
) -> None:
    assert shows_views(capabilities)


@pytest.mark.parametrize(
    "capabilities",
    [client(), client(**{"example.org/other": {}}), client(**{EXTENSION: {"mimeTypes": ["text/html"]}})],
)
def test_a_client_that_speaks_of_no_such_pages_shows_none(capabilities: mcp.ClientCapabilities) -> None:
    assert not shows_views(capabilities)


@pytest.mark.parametrize("service", [LIGHTDASH, NEXTCLOUD], ids=lambda service: service.name)
def test_every_view_that_a_tool_names_is_a_page_of_the_same_area(service: Service[Any]) -> None:
    pages = {
        (one.uri, one.area, one.mime_type)
        for toolset in service.toolsets
        for one in toolset.resources
        if one.uri.startswith("ui://")
    }
    assert pages == {(tool.view, tool.toolset.area, PAGE) for tool in service.tools if tool.view is not None}
