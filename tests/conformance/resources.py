"""The fixture's resources, and who watches them."""

import json
import re

import mcp_types as mcp
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from tests.conformance.stage import PNG

Context = ServerRequestContext[None]

RESOURCES: dict[str, mcp.TextResourceContents | mcp.BlobResourceContents] = {
    "test://static-text": mcp.TextResourceContents(
        uri="test://static-text", mime_type="text/plain", text="This is the content of the static text resource."
    ),
    "test://static-binary": mcp.BlobResourceContents(uri="test://static-binary", mime_type="image/png", blob=PNG),
    "test://watched-resource": mcp.TextResourceContents(
        uri="test://watched-resource", mime_type="text/plain", text="Somebody may watch this."
    ),
}
TEMPLATE = "test://template/{id}/data"


def add_resources(server: Server[None]) -> None:
    """Serve resources, which the kit has none of."""
    server.add_request_handler("resources/list", mcp.PaginatedRequestParams, _list)
    server.add_request_handler("resources/templates/list", mcp.PaginatedRequestParams, _templates)
    server.add_request_handler("resources/read", mcp.ReadResourceRequestParams, _read)
    server.add_request_handler("resources/subscribe", mcp.SubscribeRequestParams, _watch)
    server.add_request_handler("resources/unsubscribe", mcp.UnsubscribeRequestParams, _watch)


async def _list(context: Context, params: mcp.PaginatedRequestParams) -> mcp.ListResourcesResult:
    return mcp.ListResourcesResult(
        resources=[
            mcp.Resource(uri=uri, name=uri.removeprefix("test://"), description="A fixture.", mime_type=one.mime_type)
            for uri, one in RESOURCES.items()
        ]
    )


async def _templates(context: Context, params: mcp.PaginatedRequestParams) -> mcp.ListResourceTemplatesResult:
    template = mcp.ResourceTemplate(
        uri_template=TEMPLATE, name="template", description="A fixture.", mime_type="application/json"
    )
    return mcp.ListResourceTemplatesResult(resource_templates=[template])


async def _read(context: Context, params: mcp.ReadResourceRequestParams) -> mcp.ReadResourceResult:
    uri = params.uri
    if uri in RESOURCES:
        return mcp.ReadResourceResult(contents=[RESOURCES[uri]])
    if found := re.fullmatch(r"test://template/([^/]+)/data", uri):
        data = json.dumps({"id": found[1], "templateTest": True, "data": f"Data for ID: {found[1]}"})
        contents = mcp.TextResourceContents(uri=uri, mime_type="application/json", text=data)
        return mcp.ReadResourceResult(contents=[contents])
    raise MCPError(code=mcp.INVALID_PARAMS, message="Resource not found", data={"uri": uri})


async def _watch(
    context: Context, params: mcp.SubscribeRequestParams | mcp.UnsubscribeRequestParams
) -> mcp.EmptyResult:
    # No resource of the fixture ever changes, so there is nobody to remember.
    return mcp.EmptyResult()
