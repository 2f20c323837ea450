"""What deletions answer in all areas: what is gone, by name and by UUID, and whether the trash has it."""

from aboveboard.kit.gone import FOR_GOOD, UNSEEN, Gone, by_calling
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Named
from aboveboard.lightdash.client.content.content import ContentType, DeletedItem


class Deleted(Named, Gone):
    """What is gone now."""


def for_good(uuid: str, name: str) -> Deleted:
    """Tell of something that nothing brings back."""
    return Deleted(gone=name, to_get_back=FOR_GOOD, uuid=uuid, name=name)


async def deleted_content(
    lightdash: LightdashClient, project: str | None, kind: ContentType, uuid: str, name: str
) -> Deleted:
    """Tell of a chart, dashboard or space that was just deleted; only what the trash shows can be restored."""
    there = await lightdash.contents.in_trash(project, kind, uuid, name)
    told = FOR_GOOD if there is False else UNSEEN
    if there:
        does = f"brings it back{await _who(lightdash, there)}"
        told = by_calling("restore_content", does, kind=kind, item=uuid, project_uuid=lightdash.project(project))
    return Deleted(gone=name, to_get_back=told, uuid=uuid, name=name)


async def _who(lightdash: LightdashClient, item: DeletedItem) -> str:
    """Say who may restore it, unless it is sure that the caller may: of most things, whoever deleted them."""
    others = {"dashboard": "an admin of the project", "sql": "an admin of the project or whoever made it"}
    who = others.get(item.content_type) or others.get(item.source or "")
    return f", if {who} calls it" if who and not await lightdash.contents.may_restore_any() else ""
