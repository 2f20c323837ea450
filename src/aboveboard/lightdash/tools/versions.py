"""Versions of what is saved: which there are, and making an earlier one the current one."""

from typing import Annotated, Protocol, TypeVar

from pydantic import Field

from aboveboard.lightdash.client.api import Page, slice_page
from aboveboard.lightdash.client.ids import uuid
from aboveboard.lightdash.client.kept import Kept
from aboveboard.lightdash.client.versions import History, Version

VersionUuid = Annotated[str, Field(description="Version UUID, from the history.")]

VERSIONS = Page[Version](items=[Version(version_uuid="9a28...", created_at="2026-01-31T09:00:00.000Z")], total=1)

T = TypeVar("T", bound=Kept)


class Versioned(Protocol[T]):
    """What keeps versions: the charts or the dashboards of an instance."""

    async def get(self, which: str, project: str | None, /) -> T:
        """Get it as it is now."""
        ...

    async def history(self, found: T, /) -> History:
        """Get its versions, the newest first."""
        ...

    async def version(self, found: T, version: str, /) -> T:
        """Get it as it was."""
        ...

    async def roll_back(self, found: T, version: str, /) -> None:
        """Make an earlier version the current one."""
        ...


async def history_of(kept: Versioned[T], found: T, *, limit: int, page: int) -> Page[Version]:
    """Page through a history, the newest version first."""
    return slice_page((await kept.history(found)).history, Version, limit=limit, page=page)


async def go_back_to(kept: Versioned[T], which: str, version_uuid: str, project: str | None) -> T:
    """Go back to a version, unless all of it is as it was: Lightdash would write one more equal version."""
    version = uuid("version", version_uuid)
    now = await kept.get(which, project)
    if (await kept.version(now, version)).content() == now.content():
        return now
    before = (await kept.history(now)).newest
    await kept.roll_back(now, version)
    return (await kept.get(which, project)).model_copy(update={"kept_version": before})
