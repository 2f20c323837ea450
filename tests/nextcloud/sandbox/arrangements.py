"""What is there, or has happened, when a recorded scenario or step begins: the recording leaves its set-up out."""

from collections.abc import Awaitable, Callable, Mapping

from tests.nextcloud.sandbox.calendar import arranged as calendar
from tests.nextcloud.sandbox.contacts import arranged as contacts
from tests.nextcloud.sandbox.cookbook import arranged as cookbook
from tests.nextcloud.sandbox.deck import arranged as deck
from tests.nextcloud.sandbox.news import arranged as news
from tests.nextcloud.sandbox.replay import Replay
from tests.nextcloud.sandbox.tables import arranged as tables

Arrange = Callable[[Replay], Awaitable[None]]
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6364f8cf500f0003860180"
    "5a347d6b0000000049454e44ae426082"
)


async def _move_and_copy(replay: Replay) -> None:
    await replay.admin.mkcol("rec-mv")
    await replay.admin.mkcol("rec-mv/d")


async def _names(replay: Replay) -> None:
    await replay.admin.mkcol("rec-names")


async def _sixty(replay: Replay) -> None:
    """Sixty files, of which the recording wrote the last ones in its last two seconds."""
    for number in range(60):
        moment = 1700000000 + (number > 45) + (number > 58)
        await replay.admin.put(f"rec-60/file-{number:02d}.txt", "x" * (number + 1), x_oc_mtime=str(moment))


def _used(admin: int, bob: int = 0) -> Arrange:
    """Homes that hold so many bytes."""

    async def arrange(replay: Replay) -> None:
        await replay.admin.put("filler.bin", b"x" * admin)
        await replay.bob.put("filler.bin", b"x" * bob)

    return arrange


async def _search(replay: Replay) -> None:
    await replay.admin.mkcol("rec-s")
    await replay.admin.mkcol("rec-s/sub")
    await replay.known(replay.admin, "rec-s/report%20one.txt", "199", "x" * 10)
    await replay.admin.put("rec-s/Report%20TWO.md", "x" * 2000)
    await replay.admin.put("rec-s/100%25_x.txt", "x")
    await replay.admin.put("rec-s/sub/report%20three.txt", "x" * 50)
    await replay.admin.put("rec-s/pic.png", PIXEL)
    await replay.admin.put("rec-s/sub/%C3%BCn%C3%AF%20%F0%9F%9A%80.md", "x")


async def _favorites(replay: Replay) -> None:
    await replay.admin.put("rec-fav.txt", "x")
    await replay.admin.mkcol("rec-favdir")


async def _share_lock(replay: Replay) -> None:
    await _share(replay, "/rec-lock.txt", 3)


async def _share(replay: Replay, path: str, permissions: int) -> None:
    share = {"path": path, "shareType": 0, "shareWith": "bob", "permissions": permissions}
    made = await replay.admin.post("/ocs/v2.php/apps/files_sharing/api/v1/shares", share)
    assert made.status == 200, made


async def _fill_quota(replay: Replay) -> None:
    for number in (1, 2):
        await replay.bob.put(f"small{number}.txt", "x" * 60000)


async def _trash(replay: Replay) -> None:
    await replay.admin.mkcol("rec-60")
    await replay.admin.mkcol("rec-s")
    await replay.admin.mkcol("rec-t")
    await replay.admin.mkcol("rec-t/dir")
    await replay.admin.put("rec-t/a.txt", "content a.txt")
    await replay.admin.put("rec-t/b%20%231%20%F0%9F%9A%80.txt", "content b #1 🚀.txt")
    await replay.admin.put("rec-t/dir/inner.txt", "content dir/inner.txt")
    for name in ("small.txt", "small1.txt", "small2.txt", "small9.txt"):
        await replay.bob.put(name, "x" * 60000)
    for name in ("small9.txt", "small2.txt", "small1.txt", "small.txt"):
        await replay.bob.delete(name)


async def _take_name(replay: Replay) -> None:
    await replay.admin.put("rec-t/b%20%231%20%F0%9F%9A%80.txt", "another")


async def _delete_again(replay: Replay) -> None:
    await replay.admin.delete("rec-t/a.txt")


async def _for_skipping(replay: Replay) -> None:
    await replay.admin.delete("a.txt")
    await replay.admin.put("rec-notrash.txt")


async def _delete_versioned(replay: Replay) -> None:
    await replay.admin.delete("rec-ver.txt")


async def _comments(replay: Replay) -> None:
    await replay.known(replay.admin, "rec-com.txt", "230")


async def _share_commented(replay: Replay) -> None:
    await _share(replay, "/rec-com.txt", 1)


async def _tags(replay: Replay) -> None:
    await replay.known(replay.admin, "rec-tag.txt", "231")


async def _notes_folder(replay: Replay) -> None:
    await replay.admin.mkcol("Notes")


async def _dozen_notes(replay: Replay) -> None:
    for number in range(12):
        note = {
            "title": f"Note {number:02d}",
            "content": f"content {number}",
            "category": "" if number % 2 else "Even",
        }
        made = await replay.admin.post("/index.php/apps/notes/api/v1/notes", note)
        replay.names.learn("file", str(267 + number), str(made.json["id"]))


async def _old_note(replay: Replay) -> None:
    await replay.admin.mkcol("Notes")
    await replay.known(replay.admin, "Notes/foreign.txt", "280", "a txt file")


async def _to_share(replay: Replay) -> None:
    await replay.admin.mkcol("rec-sh")
    await replay.admin.mkcol("rec-sh/sub")
    await replay.admin.put("rec-sh/a.txt", "A")
    await replay.admin.put("rec-one.txt", "one")


async def _same_names(replay: Replay) -> None:
    for folder in ("Recipes", "Notes"):
        await replay.bob.mkcol(folder)
    await replay.bob.put("rec-same.txt", "of bob")
    await replay.admin.put("rec-same.txt", "shared")


async def _shared_already(replay: Replay) -> None:
    await _to_share(replay)
    await replay.admin.put("rec-sh/bob.txt", "by bob")
    root = "/ocs/v2.php/apps/files_sharing/api/v1/shares"
    for kind, receiver in ((0, "bob"), (1, "team"), (4, "x@example.org")):
        share = {"path": "/rec-sh/a.txt", "shareType": kind, "shareWith": receiver, "permissions": 1}
        await replay.admin.post(root, share)


async def _before_without_header(replay: Replay) -> None:
    await _used(4646)(replay)
    await deck.first_day(replay)


async def _two_of_each(replay: Replay) -> None:
    await deck.two_boards(replay)
    for title, theirs in (("note A", "102"), ("note B", "103")):
        made = await replay.admin.post("/index.php/apps/notes/api/v1/notes", {"title": title})
        replay.names.learn("file", theirs, str(made.json["id"]))
    folders = ("Rec ünï 🚀", "", "n" * 300, "v2", "no header", "folder A", "folder B")
    for theirs, name in enumerate(folders, 2):
        made = await replay.admin.post("/index.php/apps/news/api/v1-3/folders", {"name": name})
        replay.names.learn("folder", str(theirs), str(made.json["folders"][0]["id"]))


async def _cookie_note(replay: Replay) -> None:
    await _used(197731)(replay)
    await replay.admin.post("/index.php/apps/notes/api/v1/notes", {"title": "cookie"})


def _token(replay: Replay) -> dict[str, str]:
    return {"x-sandbox-token": replay.sandbox.control}


async def _under_maintenance(replay: Replay) -> None:
    await _used(0, 8)(replay)
    await replay.admin.send("POST", "/_sandbox/maintenance/on", headers=_token(replay))


async def _after_maintenance(replay: Replay) -> None:
    await replay.admin.send("POST", "/_sandbox/maintenance/off", headers=_token(replay))


SCENARIOS: Mapping[str, Arrange] = {
    **contacts.SCENARIOS,
    **cookbook.SCENARIOS,
    **news.SCENARIOS,
    "files:move-and-copy": _move_and_copy,
    "files:names": _names,
    "files-search-and-favorites:search": _search,
    "files-search-and-favorites:search-paging": _sixty,
    "files-search-and-favorites:favorites": _favorites,
    "files-trash-and-versions:trashbin": _trash,
    "comments-and-tags:comments": _comments,
    "comments-and-tags:system-tags": _tags,
    "notes:notes-crud": _notes_folder,
    "notes:notes-listing": _dozen_notes,
    "notes:notes-settings-and-versions": _old_note,
    "sharing:user-shares": _to_share,
    "sharing:link-shares": _shared_already,
    "errors:body-wins-over-path": _two_of_each,
    "errors:routes-and-methods": _cookie_note,
    "errors:without-ocs-header": _before_without_header,
    "errors:kept-cookies": _used(197730),
    "errors:maintenance-mode": _under_maintenance,
    **calendar.SCENARIOS,
    **deck.SCENARIOS,
    **tables.SCENARIOS,
}
STEPS: Mapping[str, Arrange] = {
    **contacts.STEPS,
    "files:sixty-files/02-list-all": _sixty,
    "files:locking-and-quota/06-put-locked-by-other": _share_lock,
    "files:locking-and-quota/18-copy-over-quota": _fill_quota,
    "files-trash-and-versions:trashbin/13-restore-when-name-taken": _take_name,
    "files-trash-and-versions:trashbin/17-delete-parent": _delete_again,
    "files-trash-and-versions:trashbin/27-delete-skip-trash-header": _for_skipping,
    "files-trash-and-versions:versions/25-versions-of-deleted": _delete_versioned,
    "comments-and-tags:comments/34-bob-after-share": _share_commented,
    "errors:maintenance-mode/07-after": _after_maintenance,
    "sharing:user-shares/60-create-name-taken-at-receiver": _same_names,
    **calendar.STEPS,
    **deck.STEPS,
    **tables.STEPS,
}
