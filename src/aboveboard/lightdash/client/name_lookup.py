"""Names in place of ids: whatever has a name can be given by it, a space by its slug too, a person by e-mail address.

Charts and dashboards are asked for by their slugs, which Lightdash knows itself; only what cannot be one is a name.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Literal, Protocol, TypeVar

from aboveboard import naming
from aboveboard.errors import BadInput, Refused
from aboveboard.http.path import is_uuid
from aboveboard.lightdash.client.api import Api, Page
from aboveboard.lightdash.client.project_choice import KnownProject
from aboveboard.naming import Candidate

Kind = Literal[
    "project", "space", "user", "group", "chart", "SQL chart", "dashboard", "tag", "scheduler", "agent", "evaluation"
]
T = TypeVar("T")

KINDS: Final[Mapping[str, Kind]] = {
    "project_uuid": "project",  # the first, for spaces are looked for in it
    "space_uuid": "space",
    "to_space_uuid": "space",
    "parent_space_uuid": "space",
    "user_uuid": "user",
    "group_uuid": "group",
    "chart": "chart",
    "sql_chart": "SQL chart",
    "dashboard": "dashboard",
    "tag_uuid": "tag",
    "scheduler_uuid": "scheduler",
    "agent_uuid": "agent",
    "eval_uuid": "evaluation",  # after the agent that it is looked for with
}
"""What each parameter names."""

DOCUMENTS: Final = ("code.upsert_chart_as_code", "code.upsert_dashboard_as_code")
"""Tools whose `chart` or `dashboard` is what to write, and no name of one."""
IN_A_PROJECT: Final = ("space", "chart", "SQL chart", "dashboard", "tag", "scheduler", "agent")
SHOW_THEIRS: Final = ("chart", "dashboard", "item")
"""What shows its project where it is a UUID."""
SLUGGED: Final = ("chart", "SQL chart", "dashboard")
SEARCHED: Final = {
    "chart": "list_charts",
    "SQL chart": "list_charts",
    "dashboard": "list_dashboards",
    "scheduler": "list_schedulers",
}
"""What is searched for by its name, so that nobody saw what else there is, and the tool that shows it."""
AROUND: Final[Mapping[str, str]] = {"evaluation": "agent_uuid", "group": "space_uuid"}
"""What else of the call is needed to look for some."""
IN_NO_SLUG: Final = re.compile(r"[^!-@\[-~]")
"""A capital, a space, a letter that is no ASCII: people who write slugs by hand use all else."""
AT_ONCE = 100


class NameLookup:
    """Finds what the names in a call's arguments mean."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def ids(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments with UUIDs in place of names; where all are UUIDs, nothing is asked."""
        made = dict(arguments)
        if not self._api.has_default and _leaves_project_open(made):
            await self._look_round()
        for parameter, kind in KINDS.items():
            given = made.get(parameter)
            if isinstance(given, str) and is_name(kind, given) and not (tool in DOCUMENTS and kind in SLUGGED):
                around = made.get(AROUND.get(kind, ""))
                made[parameter] = await self.one(kind, given, made.get("project_uuid"), around)
        return made

    async def one(self, kind: Kind, given: str, project: str | None, around: str | None = None) -> str:
        """Return the UUID of what a name means; a UUID, or a slug that Lightdash finds itself, is returned as it is."""
        if not is_name(kind, given):
            return given
        inside = (project, given) if around is None else (project, given, around)
        return resolve_name(kind, given, await self._finders[kind](*inside))

    async def _look_round(self) -> None:
        """See which projects there are to choose from, unless the token may not, or it was done lately."""
        from aboveboard.lightdash.client.projects import Projects

        if self._api.choice.is_fresh:
            return
        try:
            found = await Projects(self._api).every()
        except Refused:
            return
        self._api.choice.note([KnownProject(one.project_uuid, one.name, one.type == "PREVIEW") for one in found])

    @property
    def _finders(self) -> Mapping[Kind, Callable[..., Awaitable[list[Candidate[str]]]]]:
        """How those that a name may mean are listed, given the project, the name, and what is around it."""
        return {
            "project": self._projects,
            "space": self._spaces,
            "user": self._people,
            "group": self._groups,
            "chart": self._charts,
            "SQL chart": partial(self._charts, source="sql"),
            "dashboard": self._dashboards,
            "tag": self._tags,
            "scheduler": self._schedulers,
            "agent": self._agents,
            "evaluation": self._evaluations,
        }

    async def _projects(self, _project: str | None, _name: str) -> list[Candidate[str]]:
        from aboveboard.lightdash.client.projects import Projects

        return [Candidate(one.project_uuid, [one.name]) for one in await Projects(self._api).every()]

    async def _spaces(self, project: str | None, _name: str) -> list[Candidate[str]]:
        from aboveboard.lightdash.client.spaces import Spaces

        return [Candidate(one.uuid, [one.name, one.slug]) for one in await Spaces(self._api).every(project)]

    async def _charts(self, project: str | None, name: str, *, source: str | None = None) -> list[Candidate[str]]:
        from aboveboard.lightdash.client.charts import Charts

        found = await _all(partial(Charts(self._api).list, project, search=name, space=None))
        return [Candidate(one.uuid, [one.name]) for one in found if source in (None, one.source)]

    async def _dashboards(self, project: str | None, name: str) -> list[Candidate[str]]:
        from aboveboard.lightdash.client.dashboards.dashboards import Dashboards

        found = await _all(partial(Dashboards(self._api).list, project, search=name, space=None))
        return [Candidate(one.uuid, [one.name]) for one in found]

    async def _tags(self, project: str | None, _name: str) -> list[Candidate[str]]:
        from aboveboard.lightdash.client.tags import Tags

        return [Candidate(one.tag_uuid, [one.name]) for one in await Tags(self._api).every(project)]

    async def _schedulers(self, project: str | None, name: str) -> list[Candidate[str]]:
        """List schedulers of the project, or of all: tools that take one take no project.

        Lightdash shows all of a project to those who develop it, and to anybody else who can make some their own.
        """
        from aboveboard.lightdash.client.schedules.schedulers import Schedulers

        schedulers = Schedulers(self._api)
        anywhere = project is None and not self._api.has_default
        projects = [one.id for one in await self._projects(None, name)] if anywhere else [self._api.project(project)]
        listed = [await _unless_refused(partial(schedulers.list, each, search=name)) for each in projects]
        found = [one for each in listed for one in each or ()]
        if None in listed:
            own = await _unless_refused(partial(schedulers.own, search=name)) or []
            found += [one for one in own if one.project_uuid in projects]
            if not found:
                raise Refused(
                    f"Lightdash shows you no scheduler {name!r}: those of others are listed for developers and admins.",
                    next_step="Give its UUID.",
                )
        return list({one.scheduler_uuid: Candidate(one.scheduler_uuid, [one.name]) for one in found}.values())

    async def _agents(self, project: str | None, _name: str) -> list[Candidate[str]]:
        from aboveboard.lightdash.client.agents.agents import Agents

        return [Candidate(one.uuid, [one.name]) for one in await _all(partial(Agents(self._api).list, project))]

    async def _evaluations(self, project: str | None, _name: str, agent: str) -> list[Candidate[str]]:
        from aboveboard.lightdash.client.agents.evaluations import AgentEvaluations

        found = await _all(partial(AgentEvaluations(self._api).list, project, agent))
        return [Candidate(one.eval_uuid, [one.title]) for one in found]

    async def _people(self, _project: str | None, _name: str) -> list[Candidate[str]]:
        from aboveboard.lightdash.client.people.members import Members

        return [Candidate(one.user_uuid, [one.email]) for one in await Members(self._api).every()]

    async def _groups(self, project: str | None, name: str, space: str | None = None) -> list[Candidate[str]]:
        """List all groups. Who may not see them sees those that the space of the call is shared with."""
        from aboveboard.lightdash.client.people.groups import Groups
        from aboveboard.lightdash.client.spaces import Spaces

        try:
            found = await _all(partial(Groups(self._api).list, search=None))
        except Refused:
            if space is None:
                raise
            shared = (await Spaces(self._api).get(project, space)).groups_access
            if name.strip().casefold() not in [one.group_name.casefold() for one in shared]:
                raise Refused("Lightdash lists no groups for you.", next_step="Give the UUID of the group.") from None
            return [Candidate(one.group_uuid, [one.group_name]) for one in shared]
        return [Candidate(one.uuid, [one.name]) for one in found]


class _Listing(Protocol[T]):
    """What lists a page of something."""

    async def __call__(self, *, limit: int, page: int) -> Page[T]: ...


async def _all(listing: _Listing[T]) -> list[T]:
    """Return all pages of a list: one that is called alike may be on the last."""
    found: list[T] = []
    page: int | None = 1
    while page is not None:
        listed = await listing(limit=AT_ONCE, page=page)
        found += listed.items
        page = listed.next_page
    return found


async def _unless_refused(listing: _Listing[T]) -> list[T] | None:
    try:
        return await _all(listing)
    except Refused:
        return None


def _leaves_project_open(arguments: Mapping[str, Any]) -> bool:
    """Tell whether a call names no project, not even by the UUID of a chart or a dashboard, which show theirs."""
    if arguments.get("project_uuid") is not None:
        return False
    given = [one for name in SHOW_THEIRS if isinstance(one := arguments.get(name), str)]
    return not all(map(is_uuid, given)) if given else "project_uuid" in arguments


def is_name(kind: Kind, given: str) -> bool:
    """Tell whether something has to be looked for by its name."""
    if not given.strip() or is_uuid(given):
        return False
    return kind not in SLUGGED or (given.isprintable() and IN_NO_SLUG.search(given) is not None)


def resolve_name(kind: str, given: str, candidates: Sequence[Candidate[str]], *, of: str = "") -> str:
    """Return the one that has this name."""
    if not candidates and kind in SEARCHED:
        raise BadInput(f"{of or _whose(kind)} has no {kind} {given!r}; {SEARCHED[kind]} shows those that there are.")
    return naming.resolve_name(kind, given, candidates, of=of or _whose(kind), ids="UUIDs")


def _whose(kind: str) -> str:
    if kind == "evaluation":
        return "The agent"
    return "The project" if kind in IN_A_PROJECT else "This Lightdash"
