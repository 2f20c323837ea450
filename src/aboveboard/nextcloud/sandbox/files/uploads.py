"""Uploads in chunks: a folder per upload, chunks in it, and a MOVE of its .file puts them together."""

import re
import sqlite3
from collections.abc import Iterable

from aboveboard.nextcloud.sandbox.dav.dialect import Branch, DavCall, Resource, bad_request, not_allowed, not_found
from aboveboard.nextcloud.sandbox.dav.xml import Value, clark
from aboveboard.nextcloud.sandbox.files import files
from aboveboard.nextcloud.sandbox.files.files import check_space, read_mtime
from aboveboard.nextcloud.sandbox.files.moves import file_destination, move_answer
from aboveboard.nextcloud.sandbox.files.spots import check_name
from aboveboard.nextcloud.sandbox.store import PERSON, Store
from aboveboard.nextcloud.sandbox.wire import http_date
from aboveboard.sandbox.table import Table
from aboveboard.sandbox.wire import Response

UPLOADS = Table(
    "uploads", f"{PERSON}, name TEXT, etag TEXT, time INTEGER, PRIMARY KEY (uid, name)", unseen={"etag", "time"}
)
CHUNKS = Table(
    "chunks",
    "uid TEXT, upload TEXT, name TEXT, content BLOB, etag TEXT, time INTEGER, PRIMARY KEY (uid, upload, name),"
    " FOREIGN KEY (uid, upload) REFERENCES uploads ON DELETE CASCADE",
    at="uploads/{uid}/{upload}/{name}",
    value="content",
)

WHOLE = ".file"


class UploadFolder(Resource):
    """An upload on its way."""

    def __init__(self, store: Store, row: sqlite3.Row, url: str) -> None:
        super().__init__(f"{url}/{row['name']}")
        self.store, self.row = store, row

    def chunks(self) -> list[sqlite3.Row]:
        """The chunks in the order in which they belong together: 2 before 10."""
        rows = self.store.all("SELECT * FROM chunks WHERE uid = ? AND upload = ?", self.row["uid"], self.row["name"])
        return sorted(rows, key=lambda row: _natural(row["name"]))

    def content(self) -> bytes:
        """All chunks together."""
        return b"".join(bytes(row["content"]) for row in self.chunks())

    def value(self, name: str) -> Value | None:
        """The time of the last change."""
        return http_date(self.row["time"]) if name == clark("d:getlastmodified") else super().value(name)

    def members(self) -> Iterable[Resource]:
        """The file to be, and the chunks."""
        return [self.whole(), *(_Part(self.path, row["name"], len(row["content"]), row) for row in self.chunks())]

    def whole(self) -> "_Part":
        """The file to be."""
        return _Part(self.path, WHOLE, len(self.content()), self.row)


class _Part(Resource):
    collection = False

    def __init__(self, folder: str, name: str, size: int, row: sqlite3.Row) -> None:
        super().__init__(f"{folder}/{name}")
        self._values = {
            clark("d:getcontentlength"): str(size),
            clark("d:getlastmodified"): http_date(row["time"]),
            clark("d:getetag"): f'"{row["etag"]}"',
        }

    def value(self, name: str) -> Value | None:
        return self._values.get(name) or super().value(name)


class _Uploads(Resource):
    def members(self) -> Iterable[Resource]:
        raise not_allowed("Listing members of this collection is disabled")


def _natural(name: str) -> list[tuple[int, int | str]]:
    return [(0, int(part)) if part.isdecimal() else (1, part) for part in re.findall(r"\d+|\D+", name)]


def _folder(dav: DavCall) -> UploadFolder:
    """The upload of the caller; whose name the path holds does not matter."""
    name = dav.path[1]
    row = dav.call.store.one("SELECT * FROM uploads WHERE uid = ? AND name = ?", dav.call.uid, name)
    if row is None:
        raise not_found(f"File with name //{name} could not be located")
    return UploadFolder(dav.call.store, row, f"{dav.url}/{dav.call.uid}")


def _find(dav: DavCall) -> Resource:
    if len(dav.path) < 2:
        return _Uploads("/".join((dav.url, *dav.path)))
    folder = _folder(dav)
    if len(dav.path) == 2:
        return folder
    for member in folder.members():
        if member.path == f"{folder.path}/{dav.path[2]}":
            return member
    raise not_found(f"File with name //{dav.path[1]}/{dav.path[2]} could not be located")


branch = Branch("uploads", _find)


@branch.on("MKCOL")
def start(dav: DavCall) -> Response:
    """Begin an upload under a name of the client's choice."""
    store = dav.call.store
    if len(dav.path) != 2 or store.one("SELECT 1 FROM uploads WHERE uid = ? AND name = ?", dav.call.uid, dav.path[1]):
        raise not_allowed("The resource you tried to create already exists")
    store.insert("uploads", uid=dav.call.uid, name=dav.path[1], etag=store.uniqid(), time=store.now())
    return Response(201)


@branch.on("PUT")
def put(dav: DavCall) -> Response:
    """A chunk, under any name; the same name again replaces it."""
    folder, store = _folder(dav), dav.call.store
    if "destination" in dav.call.headers:
        _check_parent(dav)
    key = (dav.call.uid, dav.path[1], dav.path[-1])
    etag = store.secret()
    again = store.run("DELETE FROM chunks WHERE uid = ? AND upload = ? AND name = ?", *key)
    store.insert("chunks", uid=key[0], upload=key[1], name=key[2], content=dav.call.body, etag=etag, time=store.now())
    store.run("UPDATE uploads SET etag = ?, time = ? WHERE uid = ? AND name = ?", store.uniqid(), store.now(), *key[:2])
    quoted = f'"{etag}"'
    return Response(204, {"etag": quoted, "oc-etag": quoted}) if again and folder else Response(201)


def _check_parent(dav: DavCall) -> None:
    """The folder of the file to be must be there already; nothing makes it on the way."""
    target = dav.destination()
    if target.branch.name == files.branch.name and target.path:
        files.spot(target).parent.need_folder()


@branch.on("DELETE")
def abort(dav: DavCall) -> Response:
    """Give an upload up."""
    folder = _folder(dav)
    _drop(dav, folder)
    return Response(204)


def _drop(dav: DavCall, folder: UploadFolder) -> None:
    dav.call.store.run("DELETE FROM uploads WHERE uid = ? AND name = ?", dav.call.uid, folder.row["name"])


@branch.on("MOVE")
def assemble(dav: DavCall) -> Response:
    """Put the chunks together at the destination; without a chunk that is an empty file."""
    folder = _folder(dav)
    where, there = file_destination(dav)
    content = folder.content()
    expected = dav.call.header("oc-total-length")
    if expected.isdecimal() and int(expected) != len(content):
        raise bad_request(f"Chunks on server do not sum up to {expected} but to {len(content)} bytes")
    check_name(where)
    parent = where.parent.need_folder()
    check_space(where.view, parent, len(content) - (there.node.size if there else 0), where.path)
    mtime, tree = read_mtime(dav), where.view.tree
    if there:
        node = tree.write(there.node, content, author=dav.call.uid, mtime=mtime)
    else:
        node = tree.make_file(parent.node, where.name, content, author=dav.call.uid, mtime=mtime)
    chunks = folder.chunks()
    _drop(dav, folder)
    if there and not chunks:
        # The real server leaves the old ETag on a file that it just emptied.
        node = tree.renew(node, etag=there.node.etag)
    response = move_answer(node, replaced=there is not None)
    if mtime is not None:
        response.headers["x-oc-mtime"] = "accepted"
    return response
