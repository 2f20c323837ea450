"""What a review of access tells, in parts and in words."""

from aboveboard.lightdash.client.api import Model


class RoleFrom(Model):
    """A role, and where it comes from: the organisation, the project, a group by name, or a direct share."""

    role: str
    source: str


class SpaceRole(RoleFrom):
    """What a person may do in a space that was shared with them, or with a group of theirs."""

    space: str
    space_uuid: str


class OpenSpaces(RoleFrom):
    """A role in spaces that are open to the project; which they are, is left out where they are all that are open."""

    count: int
    spaces: list[str] | None = None


class PersonAccess(Model):
    """One person, and all their ways in; without a role of their own, that in the organisation counts."""

    name: str
    email: str
    user_uuid: str
    state: str | None = None
    """Left out for those who can sign in: inactive or invited."""
    organization_role: str
    project_roles: list[RoleFrom]
    groups: list[str]
    shared_spaces: list[SpaceRole]
    open_spaces: list[OpenSpaces]


class GroupRoles(Model):
    """What a group gives those who are in it."""

    name: str
    members: int
    project_roles: list[str]
    shared_spaces: list[str]


class AccessReview(Model):
    """A page of people with their access; `not_seen` names what the token may not see, and so is missing here."""

    project_uuid: str
    project: str
    open_spaces: list[str]
    private_spaces: list[str]
    """Those that only people see with whom they, or the private space they stand in, were shared."""
    groups: list[GroupRoles]
    people: list[PersonAccess]
    total: int
    next_page: int | None = None
    not_seen: list[str] | None = None

    def as_text(self) -> str:
        """Return a line for each person and group."""
        lines = [
            f"{self.project} ({self.project_uuid}): {_counted(self.total)}.",
            f"Open to the project: {', '.join(self.open_spaces) or 'no space'}.",
            f"Private: {', '.join(self.private_spaces) or 'no space'}.",
        ]
        lines += [f"Not seen, and so not in here: {', '.join(self.not_seen)}."] if self.not_seen else []
        lines += [_group_line(one) for one in self.groups]
        lines += [_line(one) for one in self.people]
        lines += [f"More people: page {self.next_page}."] if self.next_page else []
        return "\n".join(lines)


def _group_line(one: GroupRoles) -> str:
    gives = [*(f"{role} in the project" for role in one.project_roles), *one.shared_spaces]
    return f"- Group {one.name}, {_counted(one.members)}, gives: {', '.join(gives) or 'nothing here'}."


def _line(one: PersonAccess) -> str:
    state = f" ({one.state})" if one.state else ""
    ways = [
        *(f"{role.role} in the project ({role.source})" for role in one.project_roles),
        *(f"{space.space}: {space.role} ({space.source})" for space in one.shared_spaces),
        *(_open_line(spaces) for spaces in one.open_spaces),
    ]
    groups = f"; groups {', '.join(one.groups)}" if one.groups else ""
    return (
        f"- {f'{one.name} <{one.email}>' if one.name else one.email}{state}: organisation {one.organization_role}"
        f"{groups}; {'; '.join(ways) or 'sees nothing of this project'}."
    )


def _open_line(one: OpenSpaces) -> str:
    spaces = "all open spaces" if one.spaces is None else ", ".join(one.spaces)
    return f"{spaces}: {one.role} ({one.source})"


def _counted(people: int) -> str:
    return "1 person" if people == 1 else f"{people} people"
