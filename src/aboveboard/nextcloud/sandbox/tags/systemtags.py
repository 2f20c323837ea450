"""Tags that the whole server shares: making, renaming, putting on files, and finding what carries them."""

import sqlite3
from collections.abc import Callable, Iterable, Mapping

from aboveboard.nextcloud.sandbox.comments.comments import read_json
from aboveboard.nextcloud.sandbox.dav.dialect import (
    Branch,
    DavCall,
    DavError,
    Resource,
    bad_request,
    conflict,
    forbidden,
    not_found,
)
from aboveboard.nextcloud.sandbox.dav.propfind import update_statuses
from aboveboard.nextcloud.sandbox.dav.xml import Element, Value, clark, make, table
from aboveboard.nextcloud.sandbox.files.views import UPDATE
from aboveboard.nextcloud.sandbox.store import ID, NODE
from aboveboard.sandbox.table import Table
from aboveboard.sandbox.wire import Response

TAGS = Table(
    "tags",
    f"{ID}, name TEXT, visible INTEGER, assignable INTEGER, color TEXT",
    flags={"visible", "assignable"},
)
TAGGED = Table(
    "tagged",
    f"tag INTEGER REFERENCES tags ON DELETE CASCADE, {NODE}, PRIMARY KEY (tag, node)",
    at="tags/{tag}/files/{node}",
)

LONGEST = 64
_COLUMNS = {clark("oc:display-name"): "name", clark("nc:color"): "color"}


class Tag(Resource):
    """A tag, in the list of all or among those of a file."""

    def __init__(self, dav: DavCall, row: sqlite3.Row, folder: str, *, collection: bool = True) -> None:
        super().__init__(f"{folder}/{row['id']}")
        self.dav, self.row, self.collection = dav, row, collection

    def value(self, name: str) -> Value | None:
        """A property of the table below."""
        read = _PROPERTIES.get(name)
        return read(self) if read else super().value(name)

    def patch(self, updates: Mapping[str, Element | None]) -> dict[str, int]:
        """Another name or colour."""
        statuses = update_statuses(dict(updates), set(updates) - set(_COLUMNS))
        for name, column in _COLUMNS.items():
            element = updates.get(name)
            if element is not None and statuses[name] == 200:
                self._set(column, element.text or "")
        return statuses

    def _set(self, column: str, text: str) -> None:
        store, row = self.dav.call.store, self.row
        if column == "name" and store.one("SELECT 1 FROM tags WHERE name = ? AND id != ?", text, row["id"]):
            marks = f"{int(row['visible'])}, {int(row['assignable'])}"
            raise conflict(f'Tag with the properties "{text}", {marks} already exists')
        store.update("tags", row["id"], **{column: text})


def _truth(value: object) -> str:
    return "true" if value else "false"


def _assigned(tag: Tag) -> str:
    row = tag.dav.call.store.one("SELECT count(*) AS number FROM tagged WHERE tag = ?", tag.row["id"])
    return str(row["number"]) if row else "0"


_PROPERTIES: dict[str, Callable[[Tag], Value | None]] = table(
    {
        "oc:id": lambda tag: str(tag.row["id"]),
        "oc:display-name": lambda tag: tag.row["name"],
        "oc:user-visible": lambda tag: _truth(tag.row["visible"]),
        "oc:user-assignable": lambda tag: _truth(tag.row["assignable"]),
        "oc:can-assign": lambda tag: _truth(tag.row["assignable"] or tag.dav.call.me.admin),
        "nc:color": lambda tag: tag.row["color"],
        "nc:files-assigned": _assigned,
    }
)


class _Objects(Resource):
    """The files that carry a tag, as a property."""

    collection = False

    def __init__(self, dav: DavCall, tag: sqlite3.Row) -> None:
        super().__init__(f"{dav.url}/{tag['id']}/files")
        self._dav, self._tag = dav, tag

    def value(self, name: str) -> Value | None:
        if name != clark("nc:object-ids"):
            return super().value(name)
        rows = self._dav.call.store.all("SELECT node FROM tagged WHERE tag = ? ORDER BY node", self._tag["id"])
        return [make("nc:object-ids", [make("nc:id", str(row["node"])), make("nc:type", "files")]) for row in rows]


def _rows(dav: DavCall, sql: str = "", *values: object) -> list[sqlite3.Row]:
    """Tags that the caller may see, by name."""
    select = f"SELECT DISTINCT tags.* FROM tags {sql or 'WHERE 1'} AND (visible OR ?) ORDER BY name"  # noqa: S608
    return dav.call.store.all(select, *values, dav.call.me.admin)


def _tag(dav: DavCall, given: str) -> sqlite3.Row:
    if not given.isdecimal():
        raise DavError(400, "BadRequest", "Invalid tag id", early=True)
    rows = _rows(dav, "WHERE id = ?", given)
    if not rows:
        raise not_found(f"Tag with id {given} not found")
    return rows[0]


class _Tags(Resource):
    """A list of tags that link to their place in the list of all."""

    def __init__(self, dav: DavCall, rows: list[sqlite3.Row]) -> None:
        super().__init__(dav.url)
        self._dav, self._rows = dav, rows

    def members(self) -> Iterable[Resource]:
        return [Tag(self._dav, row, f"{self._dav.site.base}/systemtags") for row in self._rows]


def _find(dav: DavCall) -> Resource:
    if not dav.path:
        return _Tags(dav, _rows(dav))
    row = _tag(dav, dav.path[0])
    return _Objects(dav, row) if dav.path[1:] == ("files",) else Tag(dav, row, dav.url)


branch = Branch("systemtags", _find)
assigned = Branch("systemtags-assigned", lambda dav: _Tags(dav, _rows(dav, "JOIN tagged ON tag = tags.id WHERE 1")))


@branch.on("POST")
def create(dav: DavCall) -> Response:
    """A new tag; a name counts as taken in any case, and an empty one is a name."""
    given, store = read_json(dav), dav.call.store
    if "name" not in given:
        raise bad_request('Missing "name" attribute')
    visible, assignable = bool(given.get("userVisible", True)), bool(given.get("userAssignable", True))
    if not (visible and assignable) and not dav.call.me.admin:
        raise bad_request("Not sufficient permissions")
    name = str(given["name"]).strip()[:LONGEST]
    if store.one("SELECT 1 FROM tags WHERE lower(name) = lower(?)", name):
        raise conflict("Tag already exists")
    key = store.insert("tags", name=name, visible=int(visible), assignable=int(assignable), color="")
    return Response(201, {"content-location": f"{dav.url}/{key}"})


@branch.on("DELETE")
def delete(dav: DavCall) -> Response:
    """Admins delete tags, from all files at once."""
    row = _tag(dav, dav.path[0])
    if not dav.call.me.admin:
        raise forbidden(f"No permission to delete tag {row['id']}")
    dav.call.store.run("DELETE FROM tags WHERE id = ?", row["id"])
    return Response(204)


class _FileTags(Resource):
    """The tags of one file."""

    def __init__(self, dav: DavCall, node: int) -> None:
        super().__init__(f"{dav.url}/files/{node}")
        self._dav, self.node = dav, node

    def members(self) -> Iterable[Resource]:
        rows = _rows(self._dav, "JOIN tagged ON tag = tags.id WHERE node = ?", self.node)
        return [Tag(self._dav, row, self.path, collection=False) for row in rows]


def _file_tags(dav: DavCall) -> _FileTags:
    node = int(dav.path[1]) if dav.path[1].isdecimal() else 0
    if dav.path[0] != "files" or dav.call.files().by_id(node) is None:
        raise not_found("Entity does not exist or is not available")
    return _FileTags(dav, node)


def _find_relation(dav: DavCall) -> Resource:
    if len(dav.path) < 2:
        return Resource("/".join((dav.url, *dav.path)))
    tags = _file_tags(dav)
    if len(dav.path) == 2:
        return tags
    for tag in tags.members():
        if tag.path.endswith(f"/{dav.path[2]}"):
            return tag
    raise not_found(f"Tag with id {dav.path[2]} not present for object {tags.node}")


relations = Branch("systemtags-relations", _find_relation)


@relations.on("PUT")
def assign(dav: DavCall) -> Response:
    """Put a tag on a file; doing it twice is a conflict."""
    tags, given = _file_tags(dav), dav.path[2]
    if any(tag.path.endswith(f"/{given}") for tag in tags.members()):
        raise conflict("PUT is not allowed on non-files.")
    rows = _rows(dav, "WHERE id = ?", given)
    if not rows:
        message = f"Tag with id {given} does not exist, cannot assign"
        raise DavError(412, "PreconditionFailed", message)
    if not rows[0]["assignable"] and not dav.call.me.admin:
        raise forbidden(f"No permission to assign tag {given}")
    place = dav.call.files().by_id(tags.node)
    if place is None or not place.may(UPDATE):
        raise forbidden(f"No permission to assign tag to {tags.node}")
    dav.call.store.insert("tagged", tag=rows[0]["id"], node=tags.node)
    return Response(201)


@relations.on("DELETE")
def unassign(dav: DavCall) -> Response:
    """Take a tag off a file."""
    _find_relation(dav)
    dav.call.store.run("DELETE FROM tagged WHERE tag = ? AND node = ?", dav.path[2], int(dav.path[1]))
    return Response(204)
