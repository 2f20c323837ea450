"""What someone sees of all files: their own tree, what others shared with them, or what a public link shows."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from aboveboard.nextcloud.sandbox.files.tree import Node, Tree
from aboveboard.nextcloud.sandbox.store import Store
from aboveboard.nextcloud.sandbox.wire import digest

READ, UPDATE, CREATE, DELETE, SHARE = 1, 2, 4, 8, 16
ALL = 31
# The share types that put something into someone's files.
USER, GROUP, LINK, MAIL = 0, 1, 3, 4


@dataclass(frozen=True)
class Place:
    """A node where a viewer sees it, and what they may do there."""

    node: Node
    path: str
    rights: int
    share: sqlite3.Row | None = None
    mount: bool = False

    @property
    def name(self) -> str:
        """The name under which the viewer sees it."""
        return self.path.rpartition("/")[2]

    @property
    def parent_path(self) -> str:
        """The path of the folder around it."""
        return self.path.rpartition("/")[0]

    def may(self, right: int) -> bool:
        """Whether a right is among those the viewer has; the root of a share can always be taken away or renamed."""
        return bool(self.rights & right)


class View:
    """A tree of places: a root, and for a person the shares that others put into it."""

    def __init__(self, store: Store, uid: str, root: Place | None = None) -> None:
        self.store, self.uid, self.tree = store, uid, Tree(store)
        self.public = root is not None
        self.root = root or Place(self.tree.root(uid), "", ALL)
        self._mounts: dict[str, Place] | None = None

    def find(self, path: str) -> Place | None:
        """The place at a path such as /Documents/plan.md, if there is one."""
        place = self.root
        for name in filter(None, path.split("/")):
            found = self.child(place, name)
            if found is None:
                return None
            place = found
        return place

    def make_folders(self, path: str) -> Place:
        """The folder at a path, made with all around it where there is none."""
        place = self.root
        for name in filter(None, path.split("/")):
            child = self.child(place, name)
            if child is None:
                self.tree.make_folder(place.node, name)
                child = self.child(place, name) or place
            place = child
        return place

    def child(self, place: Place, name: str) -> Place | None:
        """The place of this name in a folder."""
        mount = self._mounted().get(f"{place.path}/{name}")
        if mount:
            return mount
        node = self.tree.child(place.node, name) if place.node.folder else None
        return self._below(place, node) if node else None

    def children(self, place: Place) -> list[Place]:
        """What a folder shows: its own folders and files, then the shares mounted in it."""
        own = [self._below(place, node) for node in self.tree.children(place.node)]
        mounts = [mount for path, mount in self._mounted().items() if path.rpartition("/")[0] == place.path]
        return own + sorted(mounts, key=lambda mount: mount.path)

    def walk(self, place: Place) -> Iterator[Place]:
        """Everything below a place."""
        for child in self.children(place):
            yield child
            if child.node.folder:
                yield from self.walk(child)

    def by_id(self, node_id: int) -> Place | None:
        """The place of a node, if the viewer sees it anywhere."""
        node = self.tree.get(node_id)
        if node is None:
            return None
        chain = self.tree.above(node)
        roots = [self.root, *self._mounted().values()]
        for place in roots:
            ids = [outer.id for outer in chain]
            if place.node.id in ids:
                for inner in chain[ids.index(place.node.id) + 1 :]:
                    place = self._below(place, inner)
                return place
        return None

    def etag(self, place: Place) -> str:
        """The ETag as the viewer sees it: of a folder with shares inside, one made of theirs and its own."""
        inside = [
            f"{path}={one.node.etag}" for path, one in self._mounted().items() if path.startswith(f"{place.path}/")
        ]
        return digest("/".join([place.node.etag, *inside])) if inside and place.node.folder else place.node.etag

    def forget(self) -> None:
        """Look anew at the shares, after they changed."""
        self._mounts = None

    def _below(self, place: Place, node: Node) -> Place:
        return Place(node, f"{place.path}/{node.name}", place.rights, place.share)

    def _mounted(self) -> dict[str, Place]:
        """The shares by the path at which they show, which has a number where the name is taken."""
        if self._mounts is None:
            self._mounts = {}
            received = () if self.public else self._received()
            for share, rights, target in received:
                node = self.tree.get(share["node"])
                if node and self._alive(node):
                    path = self._free_path(target)
                    self._mounts[path] = Place(node, path, rights, share, mount=True)
        return self._mounts

    def _received(self) -> Iterator[tuple[sqlite3.Row, int, str]]:
        """One share per node: who gets it twice has the rights of both."""
        rows = self.store.all(
            "SELECT shares.*, target FROM shares JOIN share_targets ON share = shares.id"
            " WHERE uid = ? AND declined = 0 AND owner != ? ORDER BY shares.id",
            self.uid,
            self.uid,
        )
        nodes: dict[int, list[sqlite3.Row]] = {}
        for row in rows:
            nodes.setdefault(row["node"], []).append(row)
        for same in nodes.values():
            rights = 0
            for row in same:
                rights |= row["permissions"]
            yield same[0], rights, same[0]["target"]

    def _alive(self, node: Node) -> bool:
        return self.tree.above(node)[0].name == ""

    def _free_path(self, target: str) -> str:
        path, number = target, 2
        while self._taken(path):
            pure = PurePosixPath(target)
            path, number = str(pure.with_name(f"{pure.stem} ({number}){pure.suffix}")), number + 1
        return path

    def _taken(self, path: str) -> bool:
        if path in (self._mounts or {}):
            return True
        node: Node | None = self.root.node
        for name in filter(None, path.split("/")):
            node = self.tree.child(node, name) if node else None
        return node is not None


def letters(view: View, place: Place) -> str:
    """The rights as WebDAV writes them, such as RGDNVW."""
    rights, share = place.rights, place.share is not None and not view.public
    mount = place.mount and not view.public
    marks = ("S" if share else "") + ("R" if rights & SHARE else "") + ("G" if rights & READ else "")
    marks += "D" if rights & DELETE or mount else ""
    marks += "N" if rights & UPDATE or mount else ""
    marks += "V" if rights & UPDATE else ""
    if place.node.folder:
        return marks + ("CK" if rights & CREATE else "")
    return marks + ("W" if rights & UPDATE else "")
