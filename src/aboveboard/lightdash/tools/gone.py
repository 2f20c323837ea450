"""What deletions answer in all areas: what is gone, by name and by UUID, and whether the trash has it."""

from aboveboard.kit.gone import FOR_GOOD, UNSEEN, Gone, by_calling
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Named
from aboveboard.lightdash.client.content.content import ContentType


class Deleted(Named, Gone):
    """What is gone now."""


def for_good(uuid: str, name: str) -> Deleted:
    """Tell of something that nothing brings back."""
    return Deleted(gone=name, to_get_back=FOR_GOOD, uuid=uuid, name=name)


async def binned(lightdash: LightdashClient, project: str | None, kind: ContentType, uuid: str, name: str) -> Deleted:
    """Tell of a chart, dashboard or space that was just deleted; only what the trash shows can be restored."""
    there = await lightdash.contents.is_in_trash(project, kind, uuid, name)
    told = FOR_GOOD if there is False else UNSEEN
    if there:
        # Who deleted a chart or a space may restore it, and a dashboard only as an admin.
        does = "brings it back"
        if kind == "dashboard" and not await lightdash.contents.may_restore_any():
            does = "brings it back, if an admin of the project calls it"
        told = by_calling("restore_content", does, kind=kind, item=uuid, project_uuid=lightdash.project(project))
    return Deleted(gone=name, to_get_back=told, uuid=uuid, name=name)
