"""What deletions answer in all areas: what is gone, by name and by id, and whether a bin has it."""

import json
from typing import Self

from aboveboard.kit.gone import GONE_BEFORE, UNSEEN, Gone, by_calling
from aboveboard.nextcloud.client import NextcloudClient


class Deleted(Gone):
    """What is gone now; `already_gone` where it was before."""

    id: int
    already_gone: bool | None = None

    @classmethod
    def before(cls, noun: str, number: int, **more: object) -> Self:
        """Tell of something that was gone before, so that nobody knows its name any more."""
        told = {"gone": f"{noun} {number}", "to_get_back": GONE_BEFORE, "id": number, "already_gone": True}
        return cls.model_validate({**told, **more})


async def from_the_bin(nextcloud: NextcloudClient, file: int | None, *, along: str | None = None) -> str:
    """Say how a file or folder that was just deleted comes back: only what the bin shows is promised.

    `along` is the name of a folder that went with it, which the bin has as an entry of its own.
    """
    held = await nextcloud.trash.held()
    key = next((one.key for one in held if one.id == file), None)
    if key is None:
        return UNSEEN
    other = next((one.key for one in held if one.name == along), None)
    more = f", and with {json.dumps({'trash_key': other}, ensure_ascii=False)} what belongs to it" if other else ""
    return by_calling("nc_webdav_restore_from_trash", f"brings it back{more}", trash_key=key)


async def from_the_calendar_bin(nextcloud: NextcloudClient, calendar: str, uid: str, *, others: bool = False) -> str:
    """Say how an event or task that was just deleted comes back; `others` were told that it is cancelled."""
    key = (await nextcloud.calendar_trash.keys()).get((calendar, uid))
    does = "brings it back for you; those who were told are not told again" if others else "brings it back"
    return UNSEEN if key is None else by_calling("nc_calendar_restore_from_trash", does, id=key)
