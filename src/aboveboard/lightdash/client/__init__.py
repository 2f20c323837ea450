"""A client for Lightdash's API: `lightdash.charts.list(...)` and its kin, one attribute per URL family."""

from functools import cached_property

import httpx2
from pydantic import SecretStr

from aboveboard.http import Session
from aboveboard.lightdash.client.api import Api
from aboveboard.lightdash.client.charts import Charts
from aboveboard.lightdash.client.dashboards import Dashboards
from aboveboard.lightdash.client.groups import Groups
from aboveboard.lightdash.client.instance import Instance
from aboveboard.lightdash.client.members import Members
from aboveboard.lightdash.client.projects import Projects
from aboveboard.lightdash.client.spaces import Spaces


class LightdashClient:
    """One instance, seen with one token; nothing is opened before the first request."""

    def __init__(
        self,
        url: str,
        token: SecretStr,
        *,
        allowed_projects: frozenset[str] = frozenset(),
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
        self._api = Api(self._session, allowed_projects)

    @cached_property
    def instance(self) -> Instance:
        """The instance itself: health, version, who am I."""
        return Instance(self._api)

    @cached_property
    def projects(self) -> Projects:
        """Its projects."""
        return Projects(self._api)

    @cached_property
    def charts(self) -> Charts:
        """Its saved charts."""
        return Charts(self._api)

    @cached_property
    def dashboards(self) -> Dashboards:
        """Its dashboards."""
        return Dashboards(self._api)

    @cached_property
    def spaces(self) -> Spaces:
        """Its spaces: the folders of charts and dashboards."""
        return Spaces(self._api)

    @cached_property
    def members(self) -> Members:
        """The people of its organisation."""
        return Members(self._api)

    @cached_property
    def groups(self) -> Groups:
        """The groups of its organisation."""
        return Groups(self._api)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._session.aclose()


def _scheme(token: str) -> str:
    """Tell how a token is sent: service accounts and OAuth as Bearer, personal ones (older ones have no prefix) not."""
    return "Bearer" if token.startswith(("ldsvc_", "ldapp_")) or token.count(".") == 2 else "ApiKey"
