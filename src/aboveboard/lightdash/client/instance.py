"""The instance itself: whether it is well, its version and limits, and who the token belongs to."""

from aboveboard.errors import BadInput
from aboveboard.http import path
from aboveboard.http.once import Once
from aboveboard.lightdash.client.api import Api, Model


class QueryLimits(Model):
    """How much a query may return."""

    max_limit: int
    default_limit: int
    max_page_size: int
    csv_cells_limit: int | None = None


class Health(Model):
    """What an instance tells anyone."""

    healthy: bool
    version: str
    query: QueryLimits
    has_email_client: bool | None = None


class Me(Model):
    """The person a token belongs to."""

    user_uuid: str
    first_name: str
    last_name: str
    email: str | None = None
    role: str | None = None
    organization_uuid: str | None = None
    organization_name: str | None = None


class Instance:
    """One Lightdash."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._health = Once(self.health)

    async def health(self) -> Health:
        return await self._api.get(path("/api/v1/health"), Health, org_wide=True)

    async def check_limit(self, limit: int) -> None:
        """Refuse more rows than this Lightdash is set up for: it would not cut them itself, nor say so."""
        most = (await self._health.get()).query.max_limit
        if limit > most:
            raise BadInput(f"limit is at most {most} on this Lightdash: filter or group more.")

    async def me(self) -> Me:
        return await self._api.get(path("/api/v1/user"), Me, org_wide=True)
