"""What every answer of a server needs: the catalogue, who asks, whose client, and who keeps watch."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final, Generic, TypeVar

import mcp_types as mcp
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError

from aboveboard.kit.call import Call
from aboveboard.kit.installed_apps import InstalledApps
from aboveboard.kit.provider import Closable, Provider
from aboveboard.kit.service import Catalogue
from aboveboard.kit.watch import Watch
from aboveboard.observing import Observers

C = TypeVar("C", bound=Closable)

KEPT: Final = 300_000
GRANTED_KEPT: Final = 30_000
"""Milliseconds for which clients may keep a list; shorter where people decide what is on it."""


class Desk(Generic[C]):
    """Where requests arrive."""

    def __init__(self, catalogue: Catalogue[C], provider: Provider[C], observers: Observers) -> None:
        self.catalogue, self.provider, self.watch = catalogue, provider, Watch(observers)

    @cached_property
    def apps(self) -> InstalledApps[C]:
        """What instances have of the apps that tools need."""
        return InstalledApps(self.catalogue.service, self.provider, self.watch)

    def call(self, context: ServerRequestContext[Any, Any], params: Any) -> Call:
        """Take a request, and see who sent it."""
        caller = self.provider.caller(context)
        excluded = self.catalogue.policy.exclude
        return Call(context, params, caller, lambda tool: self.catalogue.may_call(tool, caller), excluded)

    async def with_ids(self, client: C, of: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Put ids in place of names, where the service knows any."""
        with_ids = self.catalogue.service.with_ids
        return dict(arguments) if with_ids is None else await with_ids(client, of, arguments)


def cache_hints(catalogue: Catalogue[Any], provider: Provider[Any]) -> Mapping[CacheableMethod, CacheHint]:
    """Let clients keep the lists, which hardly change while the server runs; where one is not for others, say so.

    What people granted can change at any moment, on a page of which the client hears nothing.
    """
    own = catalogue.service.has_apps or provider.has_many_callers
    lists: dict[CacheableMethod, bool] = {
        "tools/list": own or catalogue.policy.differs_by_client,
        "prompts/list": own,
        "resources/list": own or bool(catalogue.views),
        "resources/templates/list": own,
    }
    kept = GRANTED_KEPT if provider.has_many_callers else KEPT
    return {name: CacheHint(ttl_ms=kept, scope="private" if mine else "public") for name, mine in lists.items()}


def one_page(params: mcp.PaginatedRequestParams | None) -> None:
    """Refuse a cursor: lists here have one page."""
    if params is not None and params.cursor is not None:
        raise MCPError(code=mcp.INVALID_PARAMS, message="This list has only one page: ask for it without a cursor.")
