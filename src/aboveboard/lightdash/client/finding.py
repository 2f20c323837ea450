"""Names in place of ids: a project, space or group by its name, a space by its slug too, a person by e-mail address."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from aboveboard.errors import BadInput, unknown
from aboveboard.http.path import is_uuid
from aboveboard.lightdash.client.api import Api

Kind = Literal["project", "space", "user", "group"]

KINDS: Final[Mapping[str, Kind]] = {
    "project_uuid": "project",  # the first, for spaces are looked for in it
    "space_uuid": "space",
    "to_space_uuid": "space",
    "parent_space_uuid": "space",
    "user_uuid": "user",
    "group_uuid": "group",
}
"""What each parameter names."""

AT_ONCE = 100


@dataclass(frozen=True)
class Candidate:
    """A thing that a name may mean, and the names it has, the one to show first."""

    uuid: str
    names: Sequence[str]


class Finding:
    """Finds what the names in a call's arguments mean."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def ids(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments with UUIDs in place of names; where all are UUIDs, nothing is asked."""
        made = dict(arguments)
        for parameter, kind in KINDS.items():
            given = made.get(parameter)
            if isinstance(given, str) and given.strip() and not is_uuid(given):
                made[parameter] = _meant(kind, given, await self._candidates(kind, made.get("project_uuid")))
        return made

    async def _candidates(self, kind: Kind, project: str | None) -> list[Candidate]:
        match kind:
            case "project":
                return await self._projects()
            case "space":
                return await self._spaces(project)
            case "user":
                return await self._people()
            case "group":
                return await self._groups()

    async def _projects(self) -> list[Candidate]:
        from aboveboard.lightdash.client.projects import Projects

        return [Candidate(one.project_uuid, [one.name]) for one in await Projects(self._api).every()]

    async def _spaces(self, project: str | None) -> list[Candidate]:
        from aboveboard.lightdash.client.spaces import Spaces

        return [Candidate(one.uuid, [one.name, one.slug]) for one in await Spaces(self._api).every(project)]

    async def _people(self) -> list[Candidate]:
        from aboveboard.lightdash.client.people.members import Members

        return [Candidate(one.user_uuid, [one.email]) for one in await Members(self._api).every()]

    async def _groups(self) -> list[Candidate]:
        from aboveboard.lightdash.client.people.groups import Groups

        found: list[Candidate] = []
        page: int | None = 1
        while page is not None:
            listed = await Groups(self._api).list(search=None, limit=AT_ONCE, page=page)
            found += [Candidate(one.uuid, [one.name]) for one in listed.items]
            page = listed.next_page
        return found


def _meant(kind: Kind, given: str, candidates: Sequence[Candidate]) -> str:
    """Return the one that has this name, letter by letter or else in any case."""
    alike = [one for one in candidates if given in one.names]
    if not alike:
        folded = given.strip().casefold()
        alike = [one for one in candidates if folded in [name.casefold() for name in one.names]]
    if not alike:
        known = [name for one in candidates for name in one.names[:1]]
        raise BadInput(unknown(kind, given, known, of="The project" if kind == "space" else "This Lightdash"))
    if len(alike) > 1:
        which = ", ".join(f"{one.uuid} ({' / '.join(dict.fromkeys(one.names))})" for one in alike)
        raise BadInput(f"{given!r} is the name of {len(alike)} {kind}s: {which}.", next_step="Give one of these UUIDs.")
    return alike[0].uuid
