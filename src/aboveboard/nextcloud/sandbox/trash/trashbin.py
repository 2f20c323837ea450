"""The bin: listing, reading, restoring by MOVE, deleting for good."""

import sqlite3
from collections.abc import Callable, Iterable
from pathlib import PurePosixPath

from aboveboard.nextcloud.sandbox.dav.dialect import Branch, DavCall, Resource, bad_request, forbidden, not_found
from aboveboard.nextcloud.sandbox.dav.xml import Value, table
from aboveboard.nextcloud.sandbox.files.files import send
from aboveboard.nextcloud.sandbox.files.mime import has_preview, sent_type, type_of
from aboveboard.nextcloud.sandbox.files.tree import Node, Tree
from aboveboard.nextcloud.sandbox.wire import http_date
from aboveboard.sandbox.wire import Response


class Trashed(Resource):
    """Something in the bin, or inside a folder in the bin."""

    def __init__(self, tree: Tree, path: str, node: Node, row: sqlite3.Row, inside: str = "") -> None:
        super().__init__(path)
        self.tree, self.node, self.row, self.inside = tree, node, row, inside
        self.collection = node.folder

    @property
    def location(self) -> str:
        """Where it was."""
        return self.row["location"] + self.inside

    def value(self, name: str) -> Value | None:
        """A property of the table below."""
        read = _PROPERTIES.get(name)
        return read(self) if read else super().value(name)

    def members(self) -> list["Trashed"]:
        """What was deleted with a folder."""
        return [self._inner(node) for node in self.tree.children(self.node)]

    def _inner(self, node: Node) -> "Trashed":
        return Trashed(self.tree, f"{self.path}/{node.name}", node, self.row, f"{self.inside}/{node.name}")


_PROPERTIES: dict[str, Callable[[Trashed], Value | None]] = table(
    {
        "nc:trashbin-filename": lambda item: item.node.name,
        "nc:trashbin-original-location": lambda item: item.location,
        "nc:trashbin-deletion-time": lambda item: str(item.row["deleted"]),
        "nc:trashbin-deleted-by-id": lambda item: item.row["deleted_by"],
        "nc:trashbin-deleted-by-display-name": lambda item: item.row["displayname"],
        "nc:trashbin-title": lambda item: item.location,
        "nc:has-preview": lambda item: "true" if has_preview(item.node.name) and not item.collection else "false",
        "d:displayname": lambda item: item.node.name,
        "d:getlastmodified": lambda item: http_date(item.row["deleted"]),
        "d:getcontentlength": lambda item: None if item.collection else str(item.node.size),
        "d:getcontenttype": lambda item: None if item.collection else type_of(item.node.name),
        "d:getetag": lambda item: str(item.row["deleted"]),
        "oc:fileid": lambda item: str(item.node.id),
        "oc:size": lambda item: str(item.tree.size(item.node)),
        "oc:permissions": lambda _: "GD",
    }
)


class _Bin(Resource):
    def __init__(self, dav: DavCall) -> None:
        super().__init__(f"{dav.url}/{dav.call.uid}/trash")
        self._dav = dav

    def members(self) -> Iterable[Trashed]:
        tree = Tree(self._dav.call.store)
        for row in tree.store.all(
            "SELECT trash.*, displayname FROM trash LEFT JOIN users ON users.uid = deleted_by WHERE trash.uid = ?"
            " ORDER BY deleted DESC, node",
            self._dav.call.uid,
        ):
            node = tree.get(row["node"])
            if node:
                yield Trashed(tree, f"{self.path}/{node.name}.d{row['deleted']}", node, row)


def _find(dav: DavCall) -> Resource:
    if not dav.path:
        return Resource(dav.url)
    if dav.path[0] != dav.call.uid:
        raise forbidden()
    if dav.path[1:2] == ("trash",):
        found: Resource = _Bin(dav)
        for name in dav.path[2:]:
            inner = {member.path.rpartition("/")[2]: member for member in found.members()}
            if name not in inner:
                raise not_found()
            found = inner[name]
        return found
    if dav.path[1:] in {(), ("restore",)}:
        return Resource("/".join((dav.url, *dav.path)))
    raise not_found()


branch = Branch("trashbin", _find)


def _item(dav: DavCall) -> Trashed:
    found = dav.find()
    if not isinstance(found, Trashed):
        raise forbidden()
    return found


@branch.on("GET", "HEAD")
def get(dav: DavCall) -> Response:
    """A deleted file."""
    item = _item(dav)
    if item.collection:
        raise forbidden()
    etag = str(item.row["deleted"])
    headers = {
        "last-modified": http_date(item.row["deleted"]),
        "etag": etag,
        "oc-etag": etag,
        "content-disposition": f'attachment; filename="{item.node.name}"',
        "content-type": sent_type(item.node.name),
    }
    return send(dav, item.tree.content(item.node), headers)


@branch.on("PUT")
def put(_: DavCall) -> Response:
    """Nothing can be put into the bin."""
    raise forbidden("Not allowed to create files in the trashbin")


@branch.on("DELETE")
def delete(dav: DavCall) -> Response:
    """One thing for good, or the whole bin."""
    found = dav.find()
    if isinstance(found, _Bin):
        for item in list(found.members()):
            item.tree.remove(item.node)
        return Response(204)
    item = _item(dav)
    item.tree.remove(item.node)
    return Response(204)


@branch.on("MOVE")
def restore(dav: DavCall) -> Response:
    """Back to where it was: to the root where that folder is gone, under another name where that one is taken."""
    item = _item(dav)
    target = dav.destination()
    if target.branch is not branch or target.path[1:2] != ("restore",):
        raise bad_request("Incompatible node types")
    tree = item.tree
    parent = _parent(tree, dav.call.uid, item.location)
    name, number = item.node.name, 1
    while tree.child(parent, name):
        pure = PurePosixPath(item.node.name)
        name = f"{pure.stem} (restored{f' {number}' if number > 1 else ''}){pure.suffix}"
        number += 1
    tree.store.run("DELETE FROM trash WHERE node = ?", item.node.id)
    tree.move(item.node, parent, name)
    return Response(201)


def _parent(tree: Tree, uid: str, location: str) -> Node:
    node: Node | None = tree.root(uid)
    for name in location.split("/")[:-1]:
        node = tree.child(node, name) if node else None
    return node if node and node.folder else tree.root(uid)
