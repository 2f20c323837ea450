"""How a URL becomes a place in someone's files, and which names a place can have."""

from collections.abc import Callable

from aboveboard.nextcloud.sandbox.dav.dialect import DavCall, DavError, forbidden, invalid_path, not_found
from aboveboard.nextcloud.sandbox.files.properties import FileResource
from aboveboard.nextcloud.sandbox.files.views import Place, View

LONGEST_NAME = 250


class Spot:
    """A path in a view, whether or not something is there."""

    def __init__(self, view: View, prefix: str, names: tuple[str, ...]) -> None:
        self.view, self.prefix, self.names = view, prefix, names
        self.path = "".join(f"/{name}" for name in names)
        if {"..", "."} & set(names):
            raise invalid_path(f'Invalid path "{self.path}"')

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.names[-1] if self.names else ""

    @property
    def parent(self) -> "Spot":
        """The folder around it."""
        return Spot(self.view, self.prefix, self.names[:-1])

    def look(self) -> Place | None:
        """What is there."""
        return self.view.find(self.path)

    def need(self) -> Place:
        """What is there, and an error where nothing is."""
        place = self.look()
        if place is None:
            raise not_found(f"File with name {self.path} could not be located")
        return place

    def resource(self) -> FileResource:
        """What is there, with its properties."""
        return FileResource(self.view, self.need(), self.prefix)

    def need_folder(self) -> Place:
        """The folder in which something new goes."""
        place = self.need()
        if not place.node.folder:
            raise not_found(f"Node with name '{place.name}' could not be found")
        return place


def spot(dav: DavCall) -> Spot:
    """The place in a home that a path below /files/ means; in someone else's home there is nothing."""
    call = dav.call
    uid, names = dav.path[0], dav.path[1:]
    if uid != call.uid:
        if call.store.one("SELECT 1 FROM users WHERE uid = ?", uid) is None:
            raise not_found(f"Principal with name {uid} not found")
        if call.method in {"PUT", "MKCOL", "MOVE", "COPY"} and len(names) == 1:
            raise forbidden(f"Permission denied to create file (filename {names[0]})")
        raise not_found(f"File not found: {names[0] if names else uid} in '{uid}'")
    return Spot(call.files(), f"{dav.url}/{uid}", names)


def check_name(where: Spot) -> None:
    """Refuse a name that Nextcloud does not take."""
    name = where.name
    if name == ".htaccess":
        raise DavError(500, "OCP\\Files\\ForbiddenException", f"Invalid path: files{where.path}")
    if "\\" in name:
        raise invalid_path('"\\" is not allowed inside a file or folder name.')
    if any(ord(letter) < 32 for letter in name):
        raise invalid_path("Filename contains at least one invalid character")
    for ending in (".filepart", ".part"):
        if name.lower().endswith(ending):
            raise invalid_path(f'"{ending}" is a forbidden file type.')
    if len(name.encode()) > LONGEST_NAME:
        raise invalid_path("Filename is too long")


Locate = Callable[[DavCall], Spot]
