"""Previews of files, and links that open a file without a login."""

from typing import Any

from aboveboard.nextcloud.sandbox.calls import Call, Routes
from aboveboard.nextcloud.sandbox.files.mime import has_preview, sent_type
from aboveboard.nextcloud.sandbox.files.pictures import png
from aboveboard.nextcloud.sandbox.files.tree import Tree
from aboveboard.nextcloud.sandbox.ocs import OcsError
from aboveboard.nextcloud.sandbox.store import NODE, PERSON
from aboveboard.nextcloud.sandbox.wire import digest, http_date
from aboveboard.sandbox.table import Table
from aboveboard.sandbox.wire import Response

DIRECT_LINKS = Table("direct_links", f"token TEXT PRIMARY KEY, {NODE}, {PERSON}", value="node")

routes = Routes()


@routes.page("GET", "/core/preview")
def preview(call: Call) -> Response:
    """A small picture of a file, here always the same one."""
    place = call.files().by_id(call.number("fileId"))
    if place is None or not has_preview(place.name):
        return Response(404)
    headers = {
        "last-modified": http_date(call.store.now()),
        "etag": f'"{digest(place.node.etag)}"',
        "content-disposition": 'inline; filename="64-64-crop.png"',
        "content-type": "image/png",
    }
    return Response(200, headers, png(64, 64))


@routes.ocs("POST", "/apps/dav/api/v1/direct")
def direct(call: Call) -> dict[str, Any]:
    """A link to one file that works for a while without a login."""
    place = call.files().by_id(call.number("fileId"))
    if place is None or place.node.folder:
        raise OcsError(404)
    token = call.store.secret(60)
    call.store.insert("direct_links", token=token, node=place.node.id, uid=call.uid)
    return {"url": f"{call.host}/remote.php/direct/{token}"}


def follow(call: Call, token: str) -> Response:
    """The file behind such a link."""
    row = call.store.one("SELECT node FROM direct_links WHERE token = ?", token)
    node = Tree(call.store).get(row["node"]) if row else None
    if node is None:
        return Response(404)
    return Response(200, {"content-type": sent_type(node.name)}, Tree(call.store).content(node))
