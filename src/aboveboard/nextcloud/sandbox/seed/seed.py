"""The first state: two people, what they keep, and what they share with each other."""

from aboveboard.nextcloud.sandbox.files.pictures import pdf, png
from aboveboard.nextcloud.sandbox.files.tree import Node, Tree
from aboveboard.nextcloud.sandbox.seed.seed_texts import DOCUMENTS, NOTES, ODD_NAMES
from aboveboard.nextcloud.sandbox.sharing import passwords
from aboveboard.nextcloud.sandbox.store import Store
from aboveboard.sandbox.store import Seed

APP_PASSWORDS = {"admin": "Xt6Rm-9Lqzp-BfW3k-sandb-oxAd1", "bob": "Hc4Vn-2Tyjd-QgM8w-sandb-oxBo2"}
PASSWORDS = {"admin": "sandbox-admin-login", "bob": "sandbox-bob-login"}
LINK_PASSWORD = "sandbox-link"  # noqa: S105 - a demo
EMAILS = {"admin": "ada@example.org", "bob": "bob@example.org"}


def fill(store: Store) -> None:
    """Write the first people and what they keep into an empty store."""
    _Seed(store).fill()


seed = Seed(fill, rank=0)


class _Seed:
    def __init__(self, store: Store) -> None:
        self.store, self.tree = store, Tree(store)

    def fill(self) -> None:
        for gid in ("admin", "team"):
            self.store.insert("groups", gid=gid)
        for uid, name, gid in (("admin", "admin", "admin"), ("bob", "Bob", "team")):
            self._person(uid, name, gid)
        self._admin_files()
        self._notes("admin", NOTES)
        self._bob_files()
        self._shares()

    def _person(self, uid: str, name: str, gid: str) -> None:
        now = self.store.now()
        self.store.insert(
            "users",
            uid=uid,
            displayname=name,
            email=EMAILS[uid],
            password=PASSWORDS[uid],
            enabled=1,
            first_login=now,
            last_login=now,
        )
        self.store.insert("members", gid=gid, uid=uid)
        self.store.insert("tokens", token=APP_PASSWORDS[uid], uid=uid)
        self.tree.root(uid)

    def _folder(self, uid: str, path: str) -> Node:
        node = self.tree.root(uid)
        for name in filter(None, path.split("/")):
            node = self.tree.child(node, name) or self.tree.make_folder(node, name)
        return node

    def _file(self, uid: str, path: str, content: str | bytes) -> Node:
        """A file, a minute after the one before."""
        for _ in range(60):
            self.store.tick()
        folder, _, name = path.rpartition("/")
        raw = content.encode() if isinstance(content, str) else content
        return self.tree.make_file(self._folder(uid, folder), name, raw)

    def _admin_files(self) -> None:
        for path, text in DOCUMENTS.items():
            self._file("admin", path, text)
        self._file("admin", "Documents/report.pdf", pdf("Quarterly report"))
        self._file("admin", "Photos/sunset.png", png(24, 16))
        for name in ODD_NAMES:
            self._file("admin", f"Odd names/{name}", f"The name of this file is {name}\n")
        plan = self._file("admin", "Documents/plan.md", "# Plan\n\nFirst draft.\n")
        for text in ("# Plan\n\n1. Measure\n", "# Plan\n\n1. Measure\n2. Cut\n"):
            self.store.tick()
            plan = self.tree.write(plan, text.encode())
        self.store.insert("favorites", node=plan.id, uid="admin")
        for message in ("Who measures?", "I do, on Monday."):
            self.store.insert("comments", node=plan.id, uid="admin", message=message, created=self.store.now())
        for name, visible in (("urgent", 1), ("reviewed", 1), ("internal", 0)):
            self.store.insert("tags", name=name, visible=visible, assignable=visible, color="")
        self.store.insert("tagged", tag=1, node=plan.id)
        old = self._file("admin", "Documents/old draft.md", "Thrown away.\n")
        self.tree.discard(old, "Documents/old draft.md", "admin")

    def _notes(self, uid: str, notes: dict[str, str]) -> None:
        for path, text in notes.items():
            node = self._file(uid, f"Notes/{path}.md", text)
            if path.endswith("Paint colours"):
                folder = path.rpartition("/")[0]
                self._file(uid, f"Notes/{folder}/.attachments.{node.id}/swatch.png", png(8, 8))
                self.store.insert("favorites", node=node.id, uid=uid)

    def _bob_files(self) -> None:
        self._file("bob", "Diary.md", "Nobody else reads this.\n")
        self._file("bob", "Holiday/packing list.txt", "Tent\nStove\n")
        self._notes("bob", {"Presents": "A bicycle for Ada.\n", "Private/Salary": "Not enough.\n"})

    def _shares(self) -> None:
        self._share("admin", "Documents/plan.md", 0, "bob", 1)
        self._share("admin", "Projects", 0, "bob", 15)
        self._share("admin", "Photos", 1, "team", 1)
        self._share("admin", "Public", 3, None, 17, label="For visitors")
        self._share(
            "admin", "Documents/report.pdf", 3, None, 17, password=LINK_PASSWORD, expiration="2030-12-31 23:59:59"
        )
        self._share("admin", "Documents/budget.csv", 4, "carol@example.org", 17)
        self._share("bob", "Holiday", 0, "admin", 15)

    def _share(self, owner: str, path: str, kind: int, receiver: str | None, permissions: int, **more: object) -> None:
        self.store.tick()
        node = self.tree.root(owner)
        for name in path.split("/"):
            node = self.tree.child(node, name) or node
        values: dict[str, object] = {"note": "", "label": "", "hide_download": 0, "share_with": receiver} | more
        token = self.store.secret(15) if kind in {3, 4} else None
        if "password" in values:
            values["password"] = passwords.hashed(str(values["password"]), self.store.secret(8))
        share = self.store.insert(
            "shares",
            type=kind,
            owner=owner,
            initiator=owner,
            node=node.id,
            permissions=permissions,
            created=self.store.now(),
            token=token,
            **values,
        )
        receivers = {0: [receiver], 1: ["bob"]}.get(kind, [])
        for uid in receivers:
            self.store.insert("share_targets", share=share, uid=uid, target=f"/{node.name}", declined=0)
