"""Apps that an instance can have or lack: without its app a tool is not listed, and calling it says why."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from aboveboard.errors import ApiError, Failure
from aboveboard.kit.call import Call
from aboveboard.kit.definitions import Section
from aboveboard.kit.provider import Closable, Provider
from aboveboard.kit.service import Service
from aboveboard.kit.watch import Watch

C = TypeVar("C", bound=Closable)


@dataclass(frozen=True)
class InstalledApps(Generic[C]):
    """What one caller's instance has of the apps that toolsets need."""

    service: Service[C]
    provider: Provider[C]
    watch: Watch

    async def missing(self, call: Call) -> frozenset[str]:
        """Return the apps that are not there; where the instance does not say, its tools tell what is wrong."""
        if not self.service.has_apps or self.service.has_app is None:
            return frozenset()
        wanted = sorted({toolset.app for toolset in self.service.toolsets if toolset.app is not None})
        try:
            with self.watch.requests():
                async with self.provider.lease(call) as client:
                    return frozenset([app for app in wanted if not await self.service.has_app(client, app)])
        except Failure:
            return frozenset()

    async def explains(self, error: BaseException, toolset: Section, call: Call) -> str | None:
        """Tell what is behind an error of the service where the app is missing; a call that works costs nothing."""
        if toolset.app is None or not isinstance(error, ApiError) or toolset.app not in await self.missing(call):
            return None
        title = self.service.title
        return f"This {title} does not have the app {toolset.app}, or you may not use it: ask an administrator."
