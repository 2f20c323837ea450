"""The properties of files and folders."""

from collections.abc import Callable, Mapping

from aboveboard.nextcloud.sandbox.dav.dialect import Resource
from aboveboard.nextcloud.sandbox.dav.propfind import update_statuses
from aboveboard.nextcloud.sandbox.dav.xml import Element, Value, clark, make, table
from aboveboard.nextcloud.sandbox.files.mime import has_preview, type_of
from aboveboard.nextcloud.sandbox.files.tree import Tree
from aboveboard.nextcloud.sandbox.files.views import Place, View, letters
from aboveboard.nextcloud.sandbox.store import NODE, PERSON
from aboveboard.nextcloud.sandbox.wire import http_date
from aboveboard.sandbox.table import Table

FAVORITES = Table("favorites", f"{NODE}, {PERSON}, PRIMARY KEY (node, uid)", hidden="They are told with the files.")
STORED = Table(
    "properties",
    f"{NODE}, {PERSON}, name TEXT, value TEXT, PRIMARY KEY (node, uid, name)",
    hidden="They are told with the files.",
)

INSTANCE = "ocpevktrzkvk"
UNLIMITED = -3


def long_id(node: int) -> str:
    """A file id that is unique among servers: the number and the server's own name."""
    return f"{node:08d}{INSTANCE}"


def free_space(view: View, place: Place) -> int:
    """How many bytes the owner of a place may still store; -3 for no limit."""
    row = view.store.one("SELECT quota FROM users WHERE uid = ?", place.node.owner)
    if row is None or row["quota"] is None:
        return UNLIMITED
    tree = Tree(view.store)
    return max(0, int(row["quota"]) - tree.size(tree.root(place.node.owner)))


class FileResource(Resource):
    """A file or folder in someone's view."""

    def __init__(self, view: View, place: Place, prefix: str) -> None:
        super().__init__(prefix + place.path)
        self.view, self.place, self.node, self.prefix = view, place, place.node, prefix
        self.root = prefix.partition("/remote.php/")[0]
        self.collection = place.node.folder

    def value(self, name: str) -> Value | None:
        """A property of the table below, or one that a client made up and stored."""
        known = PROPERTIES.get(name)
        if known:
            return known(self)
        row = self.view.store.one(
            "SELECT value FROM properties WHERE node = ? AND uid = ? AND name = ?", self.node.id, self.view.uid, name
        )
        return row["value"] if row else None

    def members(self) -> list[Resource]:
        """The files and folders inside."""
        return [FileResource(self.view, child, self.prefix) for child in self.view.children(self.place)]

    def patch(self, updates: Mapping[str, Element | None]) -> dict[str, int]:
        """Favourite, modification time, and whatever properties a client makes up."""
        statuses = update_statuses(
            dict(updates), (name for name in updates if name in PROPERTIES and name not in _SETTERS)
        )
        if not {403, 424} & set(statuses.values()):
            for name, element in updates.items():
                text = None if element is None else (element.text or "")
                _SETTERS.get(name, _set_custom)(self, name, text)
        return statuses

    def has_lock(self, token: str) -> bool:
        """Whether this token locks the file."""
        row = self.view.store.one("SELECT token FROM locks WHERE node = ? AND kind = 'token'", self.node.id)
        return row is not None and row["token"] == token


def _set_favorite(file: FileResource, _: str, text: str | None) -> None:
    """Any value is taken; only 1 and true mean yes."""
    node, uid = file.node.id, file.view.uid
    if text in {"1", "true"}:
        file.view.store.run("INSERT OR IGNORE INTO favorites VALUES (?, ?)", node, uid)
    else:
        file.view.store.run("DELETE FROM favorites WHERE node = ? AND uid = ?", node, uid)


def _set_mtime(file: FileResource, _: str, text: str | None) -> None:
    if text and text.isdecimal():
        file.view.tree.set_mtime(file.node, int(text))


def _set_nothing(_file: FileResource, _name: str, _text: str | None) -> None:
    """Said to be done, and not done."""


def _set_custom(file: FileResource, name: str, text: str | None) -> None:
    store, node, uid = file.view.store, file.node.id, file.view.uid
    store.run("DELETE FROM properties WHERE node = ? AND uid = ? AND name = ?", node, uid, name)
    if text is not None:
        store.insert("properties", node=node, uid=uid, name=name, value=text)


_SETTERS: dict[str, Callable[[FileResource, str, str | None], None]] = {
    clark("oc:favorite"): _set_favorite,
    clark("d:lastmodified"): _set_mtime,
    clark("d:getetag"): _set_nothing,
    clark("oc:tags"): _set_nothing,
    clark("nc:creation_time"): _set_nothing,
}


def _favorite(file: FileResource) -> str:
    row = file.view.store.one("SELECT 1 FROM favorites WHERE node = ? AND uid = ?", file.node.id, file.view.uid)
    return "1" if row else "0"


def _owner_name(file: FileResource) -> str:
    row = file.view.store.one("SELECT displayname FROM users WHERE uid = ?", file.node.owner)
    return row["displayname"] if row else file.node.owner


def _share_types(file: FileResource) -> list[Element]:
    rows = file.view.store.all("SELECT DISTINCT type FROM shares WHERE node = ? ORDER BY type", file.node.id)
    return [make("oc:share-type", str(row["type"])) for row in rows]


def _sharees(file: FileResource) -> list[Element]:
    rows = file.view.store.all(
        "SELECT type, share_with, displayname FROM shares LEFT JOIN users ON uid = share_with AND type = 0"
        " WHERE node = ? AND type IN (0, 1, 4) ORDER BY type, id",
        file.node.id,
    )
    return [
        make(
            "nc:sharee",
            [
                make("nc:id", row["share_with"]),
                make("nc:display-name", row["displayname"] or (row["share_with"] if row["type"] == 1 else "")),
                make("nc:type", str(row["type"])),
            ],
        )
        for row in rows
    ]


def _comments(file: FileResource) -> str:
    row = file.view.store.one("SELECT count(*) AS number FROM comments WHERE node = ?", file.node.id)
    return str(row["number"]) if row else "0"


def _unread(file: FileResource) -> str:
    """Comments of others since the reader last looked or wrote one."""
    row = file.view.store.one(
        "SELECT count(*) AS number FROM comments WHERE node = ? AND uid != ? AND created >"
        " coalesce((SELECT time FROM comment_reads WHERE node = comments.node AND uid = ?), 0)",
        file.node.id,
        file.view.uid,
        file.view.uid,
    )
    return str(row["number"]) if row else "0"


def _tags(file: FileResource) -> list[Element]:
    rows = file.view.store.all(
        "SELECT tags.* FROM tags JOIN tagged ON tag = tags.id WHERE node = ? AND visible ORDER BY name", file.node.id
    )
    return [
        make(
            "nc:system-tag",
            row["name"],
            oc__can_assign="true",
            oc__id=str(row["id"]),
            oc__user_assignable="true" if row["assignable"] else "false",
            oc__user_visible="true",
            nc__color=row["color"],
        )
        for row in rows
    ]


def _lock(column: str) -> Callable[[FileResource], Value | None]:
    def read(file: FileResource) -> str:
        row = file.view.store.one("SELECT * FROM locks WHERE node = ? AND kind = 'user'", file.node.id)
        values = {"lock": "1", "owner-type": "0"} if row else {}
        return values.get(column) or (str(row[column]) if row and column in row.keys() else "")  # noqa: SIM118

    return read


def _for_files(read: Callable[[FileResource], str]) -> Callable[[FileResource], Value | None]:
    return lambda file: None if file.collection else read(file)


def _for_folders(read: Callable[[FileResource], str]) -> Callable[[FileResource], Value | None]:
    return lambda file: read(file) if file.collection else None


def _count(*, folders: bool) -> Callable[[FileResource], str]:
    return lambda file: str(sum(child.node.folder == folders for child in file.view.children(file.place)))


def _checksums(file: FileResource) -> list[Element] | None:
    return [make("oc:checksum", file.node.checksum)] if file.node.checksum else None


def _note(file: FileResource) -> str | None:
    return (file.place.share["note"] or None) if file.place.share else None


PROPERTIES: dict[str, Callable[[FileResource], Value | None]] = table(
    {
        "d:resourcetype": lambda file: [make("d:collection")] if file.collection else "",
        "d:getlastmodified": lambda file: http_date(file.node.mtime),
        "d:getcontentlength": _for_files(lambda file: str(file.node.size)),
        "d:getcontenttype": _for_files(lambda file: type_of(file.place.name)),
        "d:getetag": lambda file: f'"{file.view.etag(file.place)}"',
        "d:displayname": lambda file: file.place.name or file.view.uid,
        "d:creationdate": lambda _: "1970-01-01T00:00:00+00:00",
        "d:quota-used-bytes": _for_folders(lambda file: str(file.view.tree.size(file.node))),
        "d:quota-available-bytes": _for_folders(lambda file: str(free_space(file.view, file.place))),
        "d:lockdiscovery": lambda _: [],
        "oc:fileid": lambda file: str(file.node.id),
        "oc:id": lambda file: long_id(file.node.id),
        "oc:permissions": lambda file: letters(file.view, file.place),
        "oc:size": lambda file: str(file.view.tree.size(file.node)),
        "oc:favorite": _favorite,
        "oc:owner-id": lambda file: file.node.owner,
        "oc:owner-display-name": _owner_name,
        "oc:checksums": _checksums,
        "oc:share-types": _share_types,
        "oc:comments-count": _comments,
        "oc:comments-unread": _unread,
        "oc:comments-href": lambda file: f"{file.root}/remote.php/dav/comments/files/{file.node.id}",
        "oc:tags": lambda _: [],
        "nc:has-preview": lambda file: "true" if not file.collection and has_preview(file.place.name) else "false",
        "nc:creation_time": lambda _: "0",
        "nc:upload_time": lambda file: str(file.node.uploaded),
        "nc:mount-type": lambda file: "shared" if file.place.share and not file.view.public else "",
        "nc:is-mount-root": lambda file: "true" if file.place.mount else "false",
        "nc:is-encrypted": lambda _: None,
        "nc:metadata_etag": lambda _: None,
        "nc:contained-folder-count": _for_folders(_count(folders=True)),
        "nc:contained-file-count": _for_folders(_count(folders=False)),
        "nc:sharees": _sharees,
        "nc:share-attributes": lambda file: "[]" if file.place.share else None,
        "nc:system-tags": _tags,
        "nc:hidden": lambda _: "false",
        "nc:note": _note,
        "nc:lock": _lock("lock"),
        "nc:lock-owner": _lock("uid"),
        "nc:lock-owner-type": _lock("owner-type"),
        "nc:lock-time": _lock("time"),
        "nc:lock-timeout": _lock("timeout"),
    }
)
