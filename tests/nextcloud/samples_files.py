"""For every tool of files a call that works, at its worst where that depends on an argument, and one that does not."""

from typing import Any, Final

from tests.nextcloud.sampling import Arguments, Refusals, Refused, Samples, plain
from tests.nextcloud.sessions import Session

PLAN: Final = "Documents/plan.md"
NOWHERE: Final = "Documents/none.md"
MISSING: Final = "could not be located"


async def trashed(session: Session) -> Arguments:
    """Learn the key of what is in the trash."""
    return {"key": (await session.ask("nc_webdav_list_trash"))["items"][0]["key"]}


async def oldest(session: Session) -> Arguments:
    """Learn the id of the first version of the plan."""
    versions: list[dict[str, Any]] = (await session.ask("nc_webdav_list_versions", path=PLAN))["items"]
    return {"path": PLAN, "version_id": versions[-1]["id"]}


async def stale(session: Session) -> Arguments:
    """Give the etag that the plan had before someone else wrote it."""
    etag = (await session.ask("nc_webdav_read_file", path=PLAN))["etag"]
    await session.ask("nc_webdav_write_file", path=PLAN, content="in between", overwrite=True)
    return {"path": PLAN, "content": "too late", "if_match": etag}


GOOD: Final[Samples] = {
    "nc_webdav_list_directory": plain(path="Documents", limit=2),
    "nc_webdav_read_file": plain(path=PLAN),
    "nc_webdav_write_file": plain(path=PLAN, content="# Plan\n\n🚀\n", overwrite=True),
    "nc_webdav_create_directory": plain(path="Neu/#1 100%", parents=True),
    "nc_webdav_delete_resource": plain(path="/Documents/Meetings/"),
    "nc_webdav_move_resource": plain(
        source_path="Documents/letter.txt", destination_path="Documents/budget.csv", overwrite=True
    ),
    "nc_webdav_copy_resource": plain(
        source_path="Documents/letter.txt", destination_path="Documents/budget.csv", overwrite=True
    ),
    "nc_webdav_search_files": plain(scope="Documents", name_pattern="*.md", modified_since="2000-01-01T00:00:00Z"),
    "nc_webdav_find_by_name": plain(pattern="PLAN", limit=1),
    "nc_webdav_find_by_type": plain(mime_type="image"),
    "nc_webdav_list_favorites": plain(),
    "nc_webdav_list_comments": plain(path=PLAN, limit=1),
    "nc_webdav_create_comment": plain(path=PLAN, message="Ünï <b> & 🚀"),
    "nc_webdav_set_favorite": plain(path=PLAN, favorite=False),
    "nc_webdav_get_quota": plain(),
    "nc_webdav_list_trash": plain(),
    "nc_webdav_restore_from_trash": trashed,
    "nc_webdav_delete_from_trash": trashed,
    "nc_webdav_list_versions": plain(path=PLAN),
    "nc_webdav_restore_version": oldest,
    "nc_webdav_list_tags": plain(),
    "nc_webdav_tag_file": plain(path=PLAN, tag="brand new", create=True),
    "nc_webdav_untag_file": plain(path=PLAN, tag="urgent"),
    "nc_webdav_find_by_tag": plain(tag="urgent"),
}

BAD: Final[Refusals] = {
    "nc_webdav_list_directory": Refused(plain(path=PLAN), "is a file, not a folder"),
    "nc_webdav_read_file": Refused(plain(path="../bob/Diary.md"), "'..' is no name"),
    "nc_webdav_write_file": Refused(stale, "Nothing was written. Read it again, then decide."),
    "nc_webdav_create_directory": Refused(plain(path="Neu/deep"), "the folder 'Neu' does not exist"),
    "nc_webdav_delete_resource": Refused(plain(path=NOWHERE), MISSING),
    "nc_webdav_move_resource": Refused(
        plain(source_path=PLAN, destination_path="Readme.md"), "already something at 'Readme.md'"
    ),
    "nc_webdav_copy_resource": Refused(
        plain(source_path=PLAN, destination_path="Readme.md", if_destination_match="stale"), "Read it again"
    ),
    "nc_webdav_search_files": Refused(plain(modified_since="yesterday"), "modified_since must be a date and time"),
    "nc_webdav_find_by_name": Refused(plain(pattern=""), "pattern must have at least 1 character"),
    "nc_webdav_find_by_type": Refused(plain(mime_type="image", scope="a/../b"), "'..' is no name"),
    "nc_webdav_list_favorites": Refused(plain(limit=0), "limit must be at least 1"),
    "nc_webdav_list_comments": Refused(plain(path=NOWHERE), MISSING),
    "nc_webdav_create_comment": Refused(plain(path=PLAN, message=" \n "), "The comment is empty"),
    "nc_webdav_set_favorite": Refused(plain(path=""), "path must have at least 1 character"),
    "nc_webdav_get_quota": Refused(plain(user="bob"), "no parameter 'user'"),
    "nc_webdav_list_trash": Refused(plain(offset=-1), "offset must be at least 0"),
    "nc_webdav_restore_from_trash": Refused(plain(key="plan.md.d1"), "list_trash shows the keys"),
    "nc_webdav_delete_from_trash": Refused(plain(key="/"), "'/' is no key"),
    "nc_webdav_list_versions": Refused(plain(path=NOWHERE), MISSING),
    "nc_webdav_restore_version": Refused(plain(path=PLAN, version_id="1"), "list_versions shows the ids"),
    "nc_webdav_list_tags": Refused(plain(path=NOWHERE), MISSING),
    "nc_webdav_tag_file": Refused(plain(path=PLAN, tag="urgnt"), "did you mean 'urgent'?"),
    "nc_webdav_untag_file": Refused(plain(path=NOWHERE, tag="urgent"), MISSING),
    "nc_webdav_find_by_tag": Refused(plain(tag=999), "There is no tag 999"),
}


async def ask(session: Session, tool: str, **arguments: Any) -> dict[str, Any]:
    return await session.ask(f"nc_webdav_{tool}", **arguments)


async def refusal(session: Session, tool: str, **arguments: Any) -> str:
    return await session.refusal(f"nc_webdav_{tool}", **arguments)


async def pages(session: Session, tool: str, **arguments: Any) -> list[dict[str, Any]]:
    items, offset = list[dict[str, Any]](), 0
    while True:
        page = await ask(session, tool, **arguments, offset=offset)
        assert len(page["items"]) <= arguments["limit"]
        items += page["items"]
        if "next_offset" not in page:
            return items
        offset = page["next_offset"]
