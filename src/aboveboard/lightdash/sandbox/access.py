"""Who may see and change what: roles in the organisation and the project, and the roles that spaces give on top.

A space that inherits all the way up is open to everybody in the project. Any other is private: it is open to admins, to
people it is shared with, alone or as a group, and to people that a parent space is shared with as long as it inherits.
Who has a share has the role that it gives, also where that of the project is stronger; only admins stay what they are.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from sqlite3 import Row

from aboveboard.lightdash.sandbox.routes import Call
from aboveboard.lightdash.sandbox.store import Store
from aboveboard.lightdash.sandbox.wire import forbidden, missing

SPACE_ROLES = ("viewer", "editor", "admin")
PROJECT_ROLES = ("viewer", "interactive_viewer", "editor", "developer", "admin")
ORGANIZATION_ROLES = ("member", *PROJECT_ROLES)
_IN_SPACES = {
    "admin": "admin",
    "developer": "editor",
    "editor": "editor",
    "interactive_viewer": "viewer",
    "viewer": "viewer",
}
_MAKERS = {"admin", "developer", "editor"}
_GRANTS = (
    "SELECT project, role, 'project' AS source FROM project_access WHERE user = ?1"
    " UNION ALL SELECT project, role, 'group' FROM project_group_access"
    " JOIN group_members USING (group_uuid) WHERE user_uuid = ?1"
)
_SPACES = (
    "SELECT spaces.*, space_access.role AS direct, (SELECT group_concat(role) FROM space_group_access"
    " JOIN group_members USING (group_uuid) WHERE space_group_access.space = spaces.uuid AND user_uuid = ?1)"
    " AS through_group FROM spaces JOIN projects ON projects.uuid = spaces.project"
    " LEFT JOIN space_access ON space_access.space = spaces.uuid AND space_access.user = ?1"
    " WHERE projects.organization = ?2 ORDER BY spaces.rowid"
)


@dataclass(frozen=True)
class ProjectRole:
    """The strongest role of a person in a project, and where it comes from."""

    name: str
    source: str = "organization"

    @property
    def may_make(self) -> bool:
        """Whether the person may create content."""
        return self.name in _MAKERS

    @property
    def may_develop(self) -> bool:
        """Whether the person may look after the project: validate it, see everybody's schedules."""
        return self.name in {"developer", "admin"}

    @property
    def may_administer(self) -> bool:
        """Whether the person may give others roles."""
        return self.name == "admin"


@dataclass(frozen=True)
class SpaceAccess:
    """What one person may do in one space, and how they came to it."""

    space: Row
    user: Row
    project_role: ProjectRole
    open: bool
    direct: str | None
    through_group: str | None
    from_parent: str | None
    through_any_group: str | None

    @property
    def role(self) -> str | None:
        """The role that counts, or None for somebody who must not see the space."""
        if self.project_role.name == "admin":
            return "admin"
        return self.shared or (_IN_SPACES.get(self.project_role.name) if self.open else None)

    @property
    def shared(self) -> str | None:
        """The strongest role that a share gives, which is shown of admins too, though they keep their own."""
        return _strongest(filter(None, (self.direct, self.through_group, self.from_parent)))

    @property
    def may_edit(self) -> bool:
        """Whether the person may change what the space holds."""
        return self.role in {"editor", "admin"}

    @property
    def may_manage(self) -> bool:
        """Whether the person may change or delete the space itself."""
        return self.role == "admin" or (self.open and self.project_role.may_make)

    def entry(self) -> dict[str, object]:
        """The access entry of charts, dashboards and space lists."""
        role, source = self.project_role.name, self.project_role.source
        if self.through_any_group and _rank(self.through_any_group) >= _rank(role):
            role, source = self.through_any_group, "space_group"
        here = _strongest(filter(None, (self.direct, self.through_group)))
        if self.from_parent and _strongest(filter(None, (here, self.from_parent))) != here:
            source = "parent_space"
        return {
            "userUuid": self.user["uuid"],
            "role": self.shared or self.role,
            "hasDirectAccess": bool(self.direct or self.through_group),
            "inheritedRole": role,
            "inheritedFrom": source,
            "projectRole": self.project_role.name,
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
    roles = _project_roles(store, user)
    by_uuid = {row["uuid"]: row for row in store.all(_SPACES, user["uuid"], user["organization"])}
    plain = ProjectRole(user["role"])
    return {uuid: _resolve(row, by_uuid, user, roles.get(row["project"], plain)) for uuid, row in by_uuid.items()}


def role_in(store: Store, user: Row, project: str) -> ProjectRole:
    """The strongest role of a person of the project's organisation."""
    return _project_roles(store, user).get(project, ProjectRole(user["role"]))


def _project_roles(store: Store, user: Row) -> dict[str, ProjectRole]:
    """The role in each project that gives one of its own, where that is stronger."""
    found: dict[str, ProjectRole] = {}
    for grant in store.all(_GRANTS, user["uuid"]):
        # A role that an organisation made up counts as the weakest here.
        name = grant["role"] if grant["role"] in PROJECT_ROLES else "viewer"
        known = found.get(grant["project"], ProjectRole(user["role"]))
        if _rank(name) >= _rank(known.name):
            found[grant["project"]] = ProjectRole(name, grant["source"])
    return found


def _rank(role: str) -> int:
    return ORGANIZATION_ROLES.index(role)


def _strongest(roles: Iterable[str]) -> str | None:
    return max(roles, key=SPACE_ROLES.index, default=None)


def _resolve(space: Row, by_uuid: Mapping[str, Row], user: Row, role: ProjectRole) -> SpaceAccess:
    above: list[Row] = []
    row = space
    while row["inherits"] and row["parent"]:
        row = by_uuid[row["parent"]]
        above.append(row)
    group = _strongest(_through_groups(space))
    as_groups = [given for one in above for given in _through_groups(one)]
    from_parent = _strongest([*as_groups, *(one["direct"] for one in above if one["direct"])])
    any_group = _strongest([*as_groups, *filter(None, [group])])
    return SpaceAccess(space, user, role, bool(row["inherits"]), space["direct"], group, from_parent, any_group)


def _through_groups(space: Row) -> list[str]:
    return [given for given in (space["through_group"] or "").split(",") if given]


def visible(spaces: Iterable[SpaceAccess]) -> list[SpaceAccess]:
    """The spaces that the person may see."""
    return [space for space in spaces if space.role]


def may_make(user: Row) -> bool:
    """Whether the person's role in the organisation alone lets them create content."""
    return user["role"] in _MAKERS


def may_make_anywhere(store: Store, user: Row) -> bool:
    """Whether the person may create content, in a project at least."""
    return may_make(user) or any(role.may_make for role in _project_roles(store, user).values())


def project(call: Call, name: str = "project") -> Row:
    """The project of the path: 404 where there is none, 403 where it is another organisation's."""
    row = known_project(call, name)
    if row["organization"] != call.user["organization"]:
        raise forbidden()
    return row


def known_project(call: Call, name: str = "project") -> Row:
    """The project of the path, whoever's it is."""
    row = call.store.one("SELECT * FROM projects WHERE uuid = ?", call.uuid(name))
    if row is None:
        raise missing(f"Cannot find project with id: {call.params[name]}")
    return row


def role(call: Call, owner: Row) -> ProjectRole | None:
    """The caller's role in a project; None for somebody of another organisation."""
    if owner["organization"] != call.user["organization"]:
        return None
    return role_in(call.store, call.user, owner["uuid"])


def administered_project(call: Call, message: str = "") -> Row:
    """The project of the path, for those who may give others roles in it."""
    row = known_project(call)
    mine = role(call, row)
    if mine is None or not mine.may_administer:
        raise forbidden(message) if message else forbidden()
    return row
