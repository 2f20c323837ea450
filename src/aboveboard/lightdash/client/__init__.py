"""A client for Lightdash's API: `lightdash.charts.list(...)` and its kin, one attribute per URL family."""

from functools import cached_property
from typing import TYPE_CHECKING

import httpx2
from pydantic import SecretStr

from aboveboard.http import Session
from aboveboard.lightdash.client.api import Api
from aboveboard.lightdash.client.ids import uuid

if TYPE_CHECKING:  # a start imports none of them: each comes when it is first used
    from aboveboard.lightdash.client.agents.agents import Agents
    from aboveboard.lightdash.client.agents.evaluations import AgentEvaluations
    from aboveboard.lightdash.client.agents.threads import AgentThreads
    from aboveboard.lightdash.client.charts import Charts
    from aboveboard.lightdash.client.code import Code
    from aboveboard.lightdash.client.comments import Comments
    from aboveboard.lightdash.client.content.content import Contents
    from aboveboard.lightdash.client.content.curation import Curation
    from aboveboard.lightdash.client.dashboards.dashboards import Dashboards
    from aboveboard.lightdash.client.explores.explores import Explores
    from aboveboard.lightdash.client.instance import Instance
    from aboveboard.lightdash.client.jobs import Jobs
    from aboveboard.lightdash.client.name_lookup import NameLookup
    from aboveboard.lightdash.client.pages import Pages
    from aboveboard.lightdash.client.people.attributes import UserAttributes
    from aboveboard.lightdash.client.people.groups import Groups
    from aboveboard.lightdash.client.people.members import Members
    from aboveboard.lightdash.client.people.roles import Roles
    from aboveboard.lightdash.client.projects import Projects
    from aboveboard.lightdash.client.queries.queries import Queries
    from aboveboard.lightdash.client.schedules.schedulers import Schedulers
    from aboveboard.lightdash.client.spaces import Spaces
    from aboveboard.lightdash.client.sql.charts import SqlCharts
    from aboveboard.lightdash.client.sql.runner import SqlRunner
    from aboveboard.lightdash.client.tags import Tags
    from aboveboard.lightdash.client.validation import Validation


class LightdashClient:
    """One instance, seen with one token; nothing is opened before the first request."""

    def __init__(
        self,
        url: str,
        token: SecretStr,
        *,
        allowed_projects: frozenset[str] = frozenset(),
        default_project: str | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        secret = token.get_secret_value()
        self._session = Session(
            "Lightdash",
            url,
            headers={"Authorization": f"{_scheme(secret)} {secret}"},
            secrets=[secret],
            transport=transport,
        )
        self._api = Api(self._session, allowed_projects, default_project)

    @property
    def default_project(self) -> str | None:
        """The project that is meant where none is given."""
        return self._api.default_project

    @cached_property
    def instance(self) -> "Instance":
        """The instance itself: health, version, who am I."""
        from aboveboard.lightdash.client.instance import Instance

        return Instance(self._api)

    @cached_property
    def projects(self) -> "Projects":
        from aboveboard.lightdash.client.projects import Projects

        return Projects(self._api)

    @cached_property
    def charts(self) -> "Charts":
        """Its saved charts."""
        from aboveboard.lightdash.client.charts import Charts

        return Charts(self._api)

    @cached_property
    def dashboards(self) -> "Dashboards":
        from aboveboard.lightdash.client.dashboards.dashboards import Dashboards

        return Dashboards(self._api)

    @cached_property
    def explores(self) -> "Explores":
        """The tables that can be queried."""
        from aboveboard.lightdash.client.explores.explores import Explores

        return Explores(self._api)

    @cached_property
    def queries(self) -> "Queries":
        from aboveboard.lightdash.client.queries.queries import Queries

        return Queries(self._api)

    @cached_property
    def sql_charts(self) -> "SqlCharts":
        """Its saved SQL charts."""
        from aboveboard.lightdash.client.sql.charts import SqlCharts

        return SqlCharts(self._api)

    @cached_property
    def code(self) -> "Code":
        """Its charts and dashboards as code."""
        from aboveboard.lightdash.client.code import Code

        return Code(self._api)

    @cached_property
    def contents(self) -> "Contents":
        """Its charts, dashboards and spaces, handled alike."""
        from aboveboard.lightdash.client.content.content import Contents

        return Contents(self._api)

    @cached_property
    def curation(self) -> "Curation":
        """What is verified, pinned, a favourite or to be promoted."""
        from aboveboard.lightdash.client.content.curation import Curation

        return Curation(self._api)

    @cached_property
    def sql_runner(self) -> "SqlRunner":
        """The warehouse, seen through the SQL runner."""
        from aboveboard.lightdash.client.sql.runner import SqlRunner

        return SqlRunner(self._api)

    @cached_property
    def spaces(self) -> "Spaces":
        """Its spaces: the folders of charts and dashboards."""
        from aboveboard.lightdash.client.spaces import Spaces

        return Spaces(self._api)

    @cached_property
    def members(self) -> "Members":
        """The people of its organisation."""
        from aboveboard.lightdash.client.people.members import Members

        return Members(self._api)

    @cached_property
    def groups(self) -> "Groups":
        """The groups of its organisation."""
        from aboveboard.lightdash.client.people.groups import Groups

        return Groups(self._api)

    def project(self, given: str | None) -> str:
        """Return the project to work in, the given one or the default, once it is clear that tools may touch it."""
        project = uuid("project", self._api.project(given))
        self._api.check_project(project)
        return project

    @property
    def has_default_project(self) -> bool:
        """Tell whether a project can be left out."""
        return self._api.has_default

    def is_shown_alone(self, chart: str) -> bool:
        """Tell whether a chart is asked for without a project."""
        return self._api.is_shown_alone(chart)

    @property
    def url(self) -> str:
        """Where people open this Lightdash."""
        return self._api.url

    @cached_property
    def pages(self) -> "Pages":
        """Where people open things."""
        from aboveboard.lightdash.client.pages import Pages

        return Pages(self._api)

    @cached_property
    def roles(self) -> "Roles":
        """What people may do."""
        from aboveboard.lightdash.client.people.roles import Roles

        return Roles(self._api)

    @cached_property
    def user_attributes(self) -> "UserAttributes":
        """Values that decide what people see."""
        from aboveboard.lightdash.client.people.attributes import UserAttributes

        return UserAttributes(self._api)

    @cached_property
    def tags(self) -> "Tags":
        from aboveboard.lightdash.client.tags import Tags

        return Tags(self._api)

    @cached_property
    def comments(self) -> "Comments":
        """What people say about its dashboards."""
        from aboveboard.lightdash.client.comments import Comments

        return Comments(self._api)

    @cached_property
    def schedulers(self) -> "Schedulers":
        """What it sends out by itself."""
        from aboveboard.lightdash.client.schedules.schedulers import Schedulers

        return Schedulers(self._api)

    @cached_property
    def validation(self) -> "Validation":
        """What is broken in it."""
        from aboveboard.lightdash.client.validation import Validation

        return Validation(self._api)

    @cached_property
    def jobs(self) -> "Jobs":
        """What it does behind the scenes."""
        from aboveboard.lightdash.client.jobs import Jobs

        return Jobs(self._api)

    @cached_property
    def agents(self) -> "Agents":
        """Its AI agents."""
        from aboveboard.lightdash.client.agents.agents import Agents

        return Agents(self._api)

    @cached_property
    def agent_threads(self) -> "AgentThreads":
        """Conversations with its AI agents."""
        from aboveboard.lightdash.client.agents.threads import AgentThreads

        return AgentThreads(self._api)

    @cached_property
    def agent_evaluations(self) -> "AgentEvaluations":
        """How well its AI agents answer."""
        from aboveboard.lightdash.client.agents.evaluations import AgentEvaluations

        return AgentEvaluations(self._api)

    @cached_property
    def names(self) -> "NameLookup":
        """The ids that names stand for."""
        from aboveboard.lightdash.client.name_lookup import NameLookup

        return NameLookup(self._api)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._session.aclose()


def _scheme(token: str) -> str:
    """Tell how a token is sent: service accounts and OAuth as Bearer, personal ones (older ones have no prefix) not."""
    return "Bearer" if token.startswith(("ldsvc_", "ldapp_")) or token.count(".") == 2 else "ApiKey"
