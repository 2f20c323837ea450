"""Who may see and change what: organisation roles, and the roles that spaces give on top.

A space that inherits all the way up is open to everybody in the organisation. Any other is private: it is open to
admins, to people it is shared with, and to people that a parent space is shared with as long as it inherits.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from sqlite3 import Row

from aboveboard.lightdash.sandbox.routes import Call
from aboveboard.lightdash.sandbox.store import Store
from aboveboard.lightdash.sandbox.wire import forbidden, missing

SPACE_ROLES = ("viewer", "editor", "admin")
_FROM_ORGANIZATION = {
    "admin": "admin",
    "developer": "editor",
    "editor": "editor",
    "interactive_viewer": "viewer",
    "viewer": "viewer",
}
_MAKERS = {"admin", "developer", "editor"}


@dataclass(frozen=True)
class SpaceAccess:
    """What one person may do in one space, and how they came to it."""

    space: Row
    user: Row
    open: bool
    direct: str | None
    from_parent: str | None

    @property
    def role(self) -> str | None:
        """The strongest role, or None for somebody who must not see the space."""
        roles = [self.direct, self.from_parent]
        if self.open or self.user["role"] == "admin":
            roles.append(_FROM_ORGANIZATION.get(self.user["role"]))
        return max((role for role in roles if role), key=SPACE_ROLES.index, default=None)

    @property
    def may_edit(self) -> bool:
        """Whether the person may change what the space holds."""
        return self.role in {"editor", "admin"}

    @property
    def may_manage(self) -> bool:
        """Whether the person may change or delete the space itself."""
        return self.role == "admin" or (self.open and self.user["role"] in _MAKERS)

    def entry(self) -> dict[str, object]:
        """The access entry of charts, dashboards and space lists."""
        parent = self.from_parent if not self.open and self.user["role"] != "admin" else None
        return {
            "userUuid": self.user["uuid"],
            "role": self.role,
            "hasDirectAccess": self.direct is not None,
            "inheritedRole": parent or self.user["role"],
            "inheritedFrom": "parent_space" if parent else "organization",
            "projectRole": self.user["role"],
        }

    def person_entry(self) -> dict[str, object]:
        """The entry with the person's name, as a single space shows it."""
        return self.entry() | {
            "firstName": self.user["first_name"],
            "lastName": self.user["last_name"],
            "email": self.user["email"],
            "isInternal": False,
            "avatarUrl": None,
            "avatarGradient": None,
        }


def spaces_of(store: Store, user: Row) -> dict[str, SpaceAccess]:
    """Every space of the person's organisation by UUID, visible or not."""
    rows = store.all(
        "SELECT spaces.*, space_access.role AS direct FROM spaces JOIN projects ON projects.uuid = spaces.project"
        " LEFT JOIN space_access ON space_access.space = spaces.uuid AND space_access.user = ?"
        " WHERE projects.organization = ? ORDER BY spaces.rowid",
        user["uuid"],
        user["organization"],
    )
    by_uuid = {row["uuid"]: row for row in rows}
    return {uuid: _resolve(row, by_uuid, user) for uuid, row in by_uuid.items()}


def _resolve(space: Row, by_uuid: Mapping[str, Row], user: Row) -> SpaceAccess:
    granted: list[str] = []
    row = space
    while row["inherits"] and row["parent"]:
        row = by_uuid[row["parent"]]
        if row["direct"]:
            granted.append(row["direct"])
    strongest = max(granted, key=SPACE_ROLES.index, default=None)
    return SpaceAccess(space, user, bool(row["inherits"]), space["direct"], strongest)


def visible(spaces: Iterable[SpaceAccess]) -> list[SpaceAccess]:
    """The spaces that the person may see."""
    return [space for space in spaces if space.role]


def may_make(user: Row) -> bool:
    """Whether the person may create content in a project of their organisation."""
    return user["role"] in _MAKERS


def project(call: Call, name: str = "project") -> Row:
    """The project of the path: 404 where there is none, 403 where it is another organisation's."""
    row = call.store.one("SELECT * FROM projects WHERE uuid = ?", call.uuid(name))
    if row is None:
        raise missing(f"Cannot find project with id: {call.params[name]}")
    if row["organization"] != call.user["organization"]:
        raise forbidden()
    return row
