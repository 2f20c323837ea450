"""Files and folders: GET, PUT, MKCOL, DELETE, and how a path becomes a place."""

import io
import re
import zipfile
from dataclasses import replace
from urllib.parse import quote

from aboveboard.nextcloud.sandbox.dav.dialect import (
    Branch,
    DavCall,
    DavError,
    Resource,
    conflict,
    forbidden,
    not_allowed,
    not_found,
)
from aboveboard.nextcloud.sandbox.files import locks
from aboveboard.nextcloud.sandbox.files.mime import sent_type
from aboveboard.nextcloud.sandbox.files.properties import free_space, long_id
from aboveboard.nextcloud.sandbox.files.spots import Locate, Spot, check_name, spot
from aboveboard.nextcloud.sandbox.files.tree import Node
from aboveboard.nextcloud.sandbox.files.views import CREATE, DELETE, UPDATE, Place, View, letters
from aboveboard.nextcloud.sandbox.wire import HTML_TYPE, http_date
from aboveboard.sandbox.wire import Response

SENTENCE = (
    b"This is the WebDAV interface. It can only be accessed by WebDAV clients such as the Nextcloud desktop sync"
    b" client."
)


def _find(dav: DavCall) -> Resource:
    if not dav.path:
        return Resource(dav.url)
    if len(dav.path) == 1 and dav.path[0] != dav.call.uid:
        return _foreign_home(dav)
    return spot(dav).resource()


def _foreign_home(dav: DavCall) -> Resource:
    """Someone else's home shows itself, without any property and without members."""
    if dav.call.store.one("SELECT 1 FROM users WHERE uid = ?", dav.path[0]) is None:
        raise not_found(f"Principal with name {dav.path[0]} not found")
    return Resource(f"{dav.url}/{dav.path[0]}")


branch = Branch("files", _find)


def get(dav: DavCall, where: Spot) -> Response:
    """A file, a part of it, or a folder as a ZIP."""
    place = where.need()
    if not place.node.folder:
        return send(dav, where.view.tree.content(place.node), _file_headers(place))
    if not dav.call.wants("application/zip"):
        return Response(200, {"content-type": HTML_TYPE}, SENTENCE)
    name = place.name or where.view.uid
    headers = {
        "last-modified": http_date(place.node.mtime),
        "accept-ranges": "bytes",
        "content-disposition": _attachment(f"{name}.zip"),
        "content-type": "application/zip",
    }
    return Response(200, headers, _zip(where.view, place, name))


def _file_headers(place: Place) -> dict[str, str]:
    etag = f'"{place.node.etag}"'
    headers = {
        "last-modified": http_date(place.node.mtime),
        "etag": etag,
        "oc-etag": etag,
        "content-disposition": _attachment(place.name),
        "content-type": sent_type(place.name),
    }
    return headers | ({"oc-checksum": place.node.checksum} if place.node.checksum else {})


def _attachment(name: str) -> str:
    escaped = quote(name, safe="")
    return f"attachment; filename*=UTF-8''{escaped}; filename=\"{escaped}\""


def send(dav: DavCall, content: bytes, headers: dict[str, str]) -> Response:
    """Content, or the range of it that is asked for."""
    wanted = re.fullmatch(r"bytes=(\d*)-(\d*)", dav.call.header("range"))
    if not wanted or wanted.group() == "bytes=-" or not _range_holds(dav, headers):
        return Response(200, headers, content)
    first, last = wanted.groups()
    size = len(content)
    start = int(first) if first else max(0, size - int(last))
    stop = min(int(last), size - 1) if first and last else size - 1
    if start >= size:
        message = f"The start offset ({start}) exceeded the size of the entity ({size})"
        kept = {name: headers[name] for name in ("last-modified", "etag") if name in headers}
        raise DavError(416, "RequestedRangeNotSatisfiable", message, headers=kept)
    if stop < start:
        raise DavError(
            416, "RequestedRangeNotSatisfiable", f"The end offset ({stop}) is lower than the start offset ({start})"
        )
    headers = {**headers, "content-range": f"bytes {start}-{stop}/{size}"}
    return Response(206, headers, content[start : stop + 1])


def _range_holds(dav: DavCall, headers: dict[str, str]) -> bool:
    given = dav.call.header("if-range")
    return not given or given in {headers.get("etag"), headers.get("last-modified")}


def _zip(view: View, folder: Place, name: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(f"{name}/", b"")
        for place in view.walk(folder):
            inside = name + place.path.removeprefix(folder.path)
            content = b"" if place.node.folder else view.tree.content(place.node)
            archive.writestr(f"{inside}/" if place.node.folder else inside, content)
    return buffer.getvalue()


def read_mtime(dav: DavCall) -> int | None:
    """The time that the client wants a file to have."""
    header = dav.call.header("x-oc-mtime")
    if not header:
        return None
    if not re.fullmatch(r"-?\d+", header):
        message = f'X-OC-MTime header must be a valid integer (unix timestamp), got "{header}".'
        raise DavError(500, "InvalidArgumentException", message)
    return int(header)


def check_space(view: View, place: Place, size: int, shown: str) -> None:
    """Refuse what does not fit into the owner's quota."""
    free = free_space(view, place)
    if 0 <= free < size:
        raise DavError(507, "InsufficientStorage", f"Insufficient space in {shown}")


def put(dav: DavCall, where: Spot) -> Response:
    """Write a file: 204 where it was there, 201 where it is new."""
    mtime = read_mtime(dav)
    accepted = {} if mtime is None else {"x-oc-mtime": "accepted"}
    old = where.look()
    node = _overwrite(dav, where, old, mtime) if old else _create(dav, where, mtime)
    where.view.forget()
    place = where.need()
    etag = f'"{node.etag}"'
    headers = {**accepted, "oc-fileid": long_id(node.id), "etag": etag, "oc-etag": etag}
    headers |= {"x-nc-ownerid": node.owner, "x-nc-permissions": letters(where.view, place)}
    return Response(204 if old else 201, headers)


def _overwrite(dav: DavCall, where: Spot, old: Place, mtime: int | None) -> Node:
    if old.node.folder:
        raise conflict("PUT is not allowed on non-files.")
    if not old.may(UPDATE):
        raise forbidden()
    locks.check(dav, where.view, old)
    check_space(where.view, old, len(dav.call.body) - old.node.size, where.path)
    return where.view.tree.write(
        old.node, dav.call.body, author=where.view.uid, mtime=mtime, checksum=dav.call.header("oc-checksum")
    )


def _create(dav: DavCall, where: Spot, mtime: int | None) -> Node:
    if dav.call.header("x-nc-webdav-auto-mkcol") == "1":
        _make_parents(where)
    parent = where.parent.need_folder()
    if not parent.may(CREATE):
        raise forbidden()
    check_name(where)
    check_space(where.view, parent, len(dav.call.body), where.path)
    return where.view.tree.make_file(
        parent.node,
        where.name,
        dav.call.body,
        author=where.view.uid,
        mtime=mtime,
        checksum=dav.call.header("oc-checksum"),
    )


def _make_parents(where: Spot) -> None:
    for length in range(1, len(where.names)):
        folder = Spot(where.view, where.prefix, where.names[:length])
        if folder.look() is None:
            check_name(folder)
            where.view.tree.make_folder(folder.parent.need_folder().node, folder.name)


def mkcol(dav: DavCall, where: Spot) -> Response:
    """Make a folder."""
    if dav.call.body and "xml" not in dav.call.header("content-type"):
        message = "The request body for the MKCOL request must have an xml Content-Type"
        raise DavError(415, "UnsupportedMediaType", message)
    parent = where.parent.look()
    if parent is None:
        raise conflict("Parent node does not exist")
    if not parent.node.folder:
        raise conflict("Parent node is not a collection")
    if where.look():
        raise not_allowed("The resource you tried to create already exists")
    if not parent.may(CREATE):
        raise forbidden()
    check_name(where)
    node = where.view.tree.make_folder(parent.node, where.name)
    return Response(201, {"oc-fileid": long_id(node.id)})


def delete(dav: DavCall, where: Spot) -> Response:
    """Into the bin; the root of a share only goes away from its receiver."""
    place = where.need()
    if not where.names:
        raise forbidden("Permission denied to delete home folder")
    locks.check(dav, where.view, place)
    take_away(where.view, place, skip_trash=dav.call.header("x-nc-skip-trashbin") == "true")
    return Response(204)


def take_away(view: View, place: Place, *, skip_trash: bool = False) -> None:
    """Delete a place as its viewer may."""
    tree = view.tree
    if place.mount and place.share:
        decline(view, place.node.id)
    elif not place.may(DELETE):
        raise forbidden()
    elif skip_trash:
        tree.remove(place.node)
    else:
        if place.share and not view.public:  # a copy goes to the bin of whoever deletes what is another's
            copied = tree.copy(place.node, tree.root(view.uid), view.store.uniqid())
            tree.discard(replace(copied, name=place.node.name), place.path, view.uid)
            view.store.update("nodes", copied.id, name=place.node.name)
        tree.discard(place.node, "/".join(node.name for node in tree.above(place.node)[1:]), view.uid)
    view.forget()


def decline(view: View, node: int) -> None:
    """Someone wants a node that was shared with them no longer: theirs ends, a group's share goes on for others."""
    view.store.run("DELETE FROM shares WHERE node = ? AND type = 0 AND share_with = ?", node, view.uid)
    view.store.run(
        "UPDATE share_targets SET declined = 1 WHERE uid = ? AND share IN (SELECT id FROM shares WHERE node = ?)",
        view.uid,
        node,
    )


def serve(target: Branch, locate: Locate) -> None:
    """Give a branch the methods of files; those that move come from the module of moves."""
    for method, handler in {"GET": get, "HEAD": get, "PUT": put, "MKCOL": mkcol, "DELETE": delete}.items():
        target.handlers[method] = lambda dav, handler=handler: handler(dav, locate(dav))
    target.handlers["LOCK"] = lambda dav: locks.lock(dav, locate(dav).resource())
    target.handlers["UNLOCK"] = lambda dav: locks.unlock(dav, locate(dav).resource())


serve(branch, spot)
