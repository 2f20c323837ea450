"""The contents that a file had before, each under the time at which it was written."""

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from urllib.parse import quote

from aboveboard.nextcloud.sandbox.dav.dialect import Branch, DavCall, Resource, bad_request, forbidden, not_found
from aboveboard.nextcloud.sandbox.dav.propfind import update_statuses
from aboveboard.nextcloud.sandbox.dav.xml import Element, Value, clark, table
from aboveboard.nextcloud.sandbox.files.files import send
from aboveboard.nextcloud.sandbox.files.mime import has_preview, sent_type, type_of
from aboveboard.nextcloud.sandbox.files.moves import file_destination
from aboveboard.nextcloud.sandbox.files.properties import long_id
from aboveboard.nextcloud.sandbox.files.views import Place, View
from aboveboard.nextcloud.sandbox.wire import http_date
from aboveboard.sandbox.wire import Response

_LABEL = clark("nc:version-label")


class Version(Resource):
    """One content of a file; the current one is in the list too."""

    collection = False

    def __init__(self, view: View, folder: str, place: Place, row: sqlite3.Row) -> None:
        super().__init__(f"{folder}/{row['time']}")
        self.view, self.place, self.row = view, place, row

    @property
    def current(self) -> bool:
        """Whether the file has this content now."""
        return self.row["content"] is None

    def content(self) -> bytes:
        """The bytes."""
        return self.view.tree.content(self.place.node) if self.current else bytes(self.row["content"])

    def value(self, name: str) -> Value | None:
        """A property of the table below."""
        read = _PROPERTIES.get(name)
        return read(self) if read else super().value(name)

    def patch(self, updates: Mapping[str, Element | None]) -> dict[str, int]:
        """A version can be given a label."""
        statuses = update_statuses(dict(updates), set(updates) - {_LABEL})
        if _LABEL in updates and statuses[_LABEL] in {200, 204}:
            element = updates[_LABEL]
            label = "" if element is None else element.text or ""
            sql = "UPDATE versions SET label = ? WHERE node = ? AND time = ?"
            self.view.store.run(sql, label, self.place.node.id, self.row["time"])
        return statuses


_PROPERTIES: dict[str, Callable[[Version], Value | None]] = table(
    {
        "d:getcontentlength": lambda version: str(len(version.content())),
        "d:getlastmodified": lambda version: http_date(version.row["time"]),
        "d:getcontenttype": lambda version: type_of(version.place.name),
        "d:getetag": lambda version: str(version.row["time"]),
        "nc:version-label": lambda version: version.row["label"] or None,
        "nc:version-author": lambda version: version.row["author"],
        "nc:has-preview": lambda version: "true" if has_preview(version.place.name) else "false",
    }
)


class _Versions(Resource):
    def __init__(self, dav: DavCall, place: Place) -> None:
        super().__init__(f"{dav.url}/{dav.call.uid}/versions/{place.node.id}")
        self._view, self._place = dav.call.files(), place

    def members(self) -> Iterable[Version]:
        rows = self._view.store.all("SELECT * FROM versions WHERE node = ? ORDER BY time", self._place.node.id)
        return [Version(self._view, self.path, self._place, row) for row in rows]


def _find(dav: DavCall) -> Resource:
    if not dav.path:
        return Resource(dav.url)
    if dav.path[0] != dav.call.uid:
        raise forbidden()
    rest = dav.path[1:]
    if len(rest) < 2:
        return Resource("/".join((dav.url, *dav.path)))
    place = dav.call.files().by_id(int(rest[1])) if rest[1].isdecimal() and rest[0] == "versions" else None
    if place is None or place.node.folder:
        raise not_found()
    versions = _Versions(dav, place)
    if len(rest) == 2:
        return versions
    for version in versions.members():
        if str(version.row["time"]) == rest[2]:
            return version
    raise not_found()


branch = Branch("versions", _find)


def _version(dav: DavCall) -> Version:
    found = dav.find()
    if not isinstance(found, Version):
        raise forbidden()
    return found


@branch.on("GET", "HEAD")
def get(dav: DavCall) -> Response:
    """An old content; the current one is only to be had as the file."""
    version = _version(dav)
    if version.current:
        raise not_found()
    name, etag = version.place.name, str(version.row["time"])
    headers = {
        "last-modified": http_date(version.row["time"]),
        "etag": etag,
        "oc-etag": etag,
        "content-disposition": f"attachment; filename=\"{name}\"; filename*=UTF-8''{quote(name, safe='')}",
        "content-type": sent_type(name),
    }
    return send(dav, version.content(), headers)


@branch.on("MOVE")
def restore(dav: DavCall) -> Response:
    """An old content becomes the current one again, with its old time; the one until now becomes a version."""
    version = _version(dav)
    target = dav.destination()
    if target.branch is not branch or target.path[1:2] != ("restore",):
        raise bad_request("Incompatible node types")
    if not version.current:
        version.view.tree.write(
            version.place.node, version.content(), author=version.row["author"], mtime=version.row["time"]
        )
    return Response(201)


@branch.on("COPY")
def copy(dav: DavCall) -> Response:
    """An old content as a new file."""
    where, there = file_destination(dav)
    version = _version(dav)
    tree = where.view.tree
    if there:
        node = tree.write(there.node, version.content(), author=dav.call.uid)
    else:
        node = tree.make_file(where.parent.need_folder().node, where.name, version.content(), author=dav.call.uid)
    return Response(204 if there else 201, {"oc-fileid": long_id(node.id)})


@branch.on("DELETE")
def delete(dav: DavCall) -> Response:
    """Forget a version; for the current one this only seems to work."""
    version = _version(dav)
    if not version.current:
        sql = "DELETE FROM versions WHERE node = ? AND time = ?"
        version.view.store.run(sql, version.place.node.id, version.row["time"])
    return Response(204)
