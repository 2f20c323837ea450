"""Apps that an instance can have or lack: without its app a tool is not listed, and calling it says why."""

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from aboveboard.errors import ApiError, Failure
from aboveboard.kit.call import Call
from aboveboard.kit.provider import Closable, Provider
from aboveboard.kit.service import Service
from aboveboard.kit.toolset import Toolset

C = TypeVar("C", bound=Closable)


@dataclass(frozen=True)
class Apps(Generic[C]):
    """What one caller's instance has of the apps that toolsets need."""

    service: Service[C]
    provider: Provider[C]

    async def missing(self, call: Call) -> frozenset[str]:
        """Return the apps that are not there; where the instance does not say, its tools tell what is wrong."""
        wanted = {toolset.app for toolset in self.service.toolsets if toolset.app is not None}
        if not wanted or self.service.has_app is None:
            return frozenset()
        try:
            client = await self.provider.client(call)
            return frozenset([app for app in sorted(wanted) if not await self.service.has_app(client, app)])
        except Failure:
            return frozenset()

    async def explains(self, error: BaseException, toolset: Toolset[Any], call: Call) -> str | None:
        """Tell what is behind an error of the service where the app is missing; a call that works costs nothing."""
        if toolset.app is None or not isinstance(error, ApiError) or toolset.app not in await self.missing(call):
            return None
        title = self.service.title
        return f"This {title} does not have the app {toolset.app} (or not for this user): ask who administers it."
