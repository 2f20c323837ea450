"""Bulk upload: many small files in one POST, each judged for itself."""

import hashlib
import json

from aboveboard.nextcloud.sandbox.dav.dialect import Branch, DavCall, Resource
from aboveboard.nextcloud.sandbox.files.properties import long_id
from aboveboard.nextcloud.sandbox.files.spots import Spot
from aboveboard.nextcloud.sandbox.files.views import letters
from aboveboard.nextcloud.sandbox.wire import Kept, Part, parts
from aboveboard.sandbox.wire import Response

branch = Branch("bulk", lambda dav: Resource(dav.url))


@branch.on("POST")
def upload(dav: DavCall) -> Response:
    """Write the parts in turn; one with a wrong hash ends it, and those before it stay."""
    results: dict[str, object] = {}
    status = 200
    for part in parts(dav.call.body, dav.call.header("content-type")):
        content = part.content
        expected = part.headers.get("x-file-md5")
        if expected and expected != hashlib.md5(content, usedforsecurity=False).hexdigest():
            status = 400
            break
        path = part.headers.get("x-file-path", "")
        results[path] = _write(dav, path, part)
    body = json.dumps(results, separators=(",", ":")).replace("/", "\\/")
    return Kept(status, {}, body.encode())


def _write(dav: DavCall, path: str, part: Part) -> dict[str, object]:
    view = dav.call.files()
    where = Spot(view, "", tuple(filter(None, path.split("/"))))
    old, parent = where.look(), where.parent.look() if where.names else None
    mtime = part.headers.get("x-file-mtime", "")
    when = int(mtime) if mtime.isdecimal() else None
    if old and not old.node.folder:
        node = view.tree.write(old.node, part.content, author=view.uid, mtime=when)
    elif parent and parent.node.folder and not old:
        node = view.tree.make_file(parent.node, where.name, part.content, author=view.uid, mtime=when)
    else:
        return {"error": True, "message": f'Could not create path "/{view.uid}/files{path}"'}
    rights = letters(view, where.need())
    return {"error": False, "etag": node.etag, "fileid": long_id(node.id), "permissions": rights}
