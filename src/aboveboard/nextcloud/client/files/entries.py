"""Files and folders as results show them, and what is asked about each."""

from datetime import datetime
from typing import Final, Literal

from aboveboard.http.path import names
from aboveboard.nextcloud.client.files.etags import bare
from aboveboard.nextcloud.client.model import Model, http_date
from aboveboard.nextcloud.client.xml import Resource

PROPERTIES: Final = (
    "d:resourcetype",
    "d:getcontentlength",
    "d:getcontenttype",
    "d:getetag",
    "d:getlastmodified",
    "oc:fileid",
    "oc:size",
    "oc:favorite",
    "oc:permissions",
)


class Entry(Model):
    """A file or folder."""

    path: str
    name: str
    kind: Literal["file", "folder"]
    id: int | None = None
    size: int | None = None
    content_type: str | None = None
    modified: datetime | None = None
    etag: str | None = None
    favorite: bool = False
    permissions: str | None = None
    """Letters, as Nextcloud has them: G read, W write, C and K create, D delete, N and V rename and move, R share."""


def plain(path: str) -> str:
    """Return a path as results show it: from the top of the user's files, without slashes around it."""
    return "/".join(names(path))


def parent(path: str) -> str:
    """Return the folder that a path is in; the top is empty."""
    return plain(path).rpartition("/")[0]


def entry(resource: Resource) -> Entry:
    """Read an entry of a multistatus about the tree of files."""
    path = resource.place.split("/", 2)[2] if resource.place.count("/") >= 2 else ""
    folder = resource.is_folder
    length = None if folder else resource.number("d:getcontentlength")
    return Entry(
        path=path,
        name=path.rpartition("/")[2],
        kind="folder" if folder else "file",
        id=resource.number("oc:fileid"),
        size=resource.number("oc:size") if length is None else length,
        content_type=None if folder else resource.text("d:getcontenttype"),
        modified=http_date(resource.text("d:getlastmodified")),
        etag=bare(resource.text("d:getetag")),
        favorite=resource.truth("oc:favorite"),
        permissions=resource.text("oc:permissions"),
    )
