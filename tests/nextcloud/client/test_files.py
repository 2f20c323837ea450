"""The user's files, against the sandbox."""

import re

import httpx2
import pytest
from tests.nextcloud.client.people import Person, person

from aboveboard.effects import ADD, DELETE, EDIT, ENSURE, READ, REPLACE, under
from aboveboard.errors import BadInput, Conflict, GuardError, NotFound
from aboveboard.nextcloud.client.files.etags import marks_of
from aboveboard.nextcloud.client.files.uploads import CHUNK
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio


async def test_a_folder_is_listed_with_one_request(ada: Person) -> None:
    names = {one.name: one for one in await ada.files.list("Documents")}
    assert ada.sent == ["PROPFIND"]
    plan = names["plan.md"]
    assert (plan.path, plan.kind, plan.favorite) == ("Documents/plan.md", "file", True)
    assert plan.etag
    assert '"' not in plan.etag
    assert plan.id
    assert plan.size == len("# Plan\n\n1. Measure\n2. Cut\n")
    assert plan.modified
    assert "Documents" not in names


async def test_the_top_is_listed_and_folders_are_told_from_files(ada: Person) -> None:
    kinds = {one.path: one.kind for one in await ada.files.list()}
    assert kinds["Documents"] == "folder"
    assert "" not in kinds


async def test_a_file_is_no_folder_to_list_and_a_folder_no_file_to_read(ada: Person) -> None:
    with pytest.raises(BadInput, match="is a file, not a folder"):
        await ada.files.list("Documents/plan.md")
    with pytest.raises(BadInput, match="is a folder"):
        await ada.files.read("Documents")


async def test_a_file_is_read_with_one_request(ada: Person) -> None:
    plan = await ada.files.read("/Documents/plan.md")
    assert ada.sent == ["GET"]
    assert plan.data == b"# Plan\n\n1. Measure\n2. Cut\n"
    assert plan.complete
    assert plan.etag == (await ada.files.stat("Documents/plan.md")).etag


async def test_a_part_of_a_file_is_read_with_its_place_and_the_whole_size(ada: Person) -> None:
    part = await ada.files.read("Documents/plan.md", start=2, length=4)
    assert (part.data, part.start, part.size, part.complete) == (b"Plan", 2, 26, False)
    assert (await ada.files.read("Documents/plan.md", start=22)).data == b"Cut\n"
    with pytest.raises(BadInput, match="ends before byte 100"):
        await ada.files.read("Documents/plan.md", start=100, length=5)


async def test_a_part_of_an_empty_file_is_empty(ada: Person) -> None:
    with under(ADD):
        await ada.files.write("empty.txt", b"", create=True)
    assert (await ada.files.read("empty.txt", length=100)).data == b""


async def test_what_is_not_there_is_said_so(ada: Person) -> None:
    with pytest.raises(NotFound, match="could not be located"):
        await ada.files.read("none.txt", length=1)
    for reading in (ada.files.read("none.txt"), ada.files.list("none"), ada.files.stat("none")):
        with pytest.raises(NotFound):
            await reading


async def test_a_file_is_created_once_and_only_added(ada: Person) -> None:
    with under(ADD):
        made = await ada.files.write("new.txt", b"one", create=True)
        with pytest.raises(Conflict, match="already something at 'new"):
            await ada.files.write("new.txt", b"two", create=True)
        with pytest.raises(GuardError):
            await ada.files.write("new.txt", b"two")
    assert made.created
    assert (await ada.files.read("new.txt")).data == b"one"
    assert marks_of(made.etag or "")[0] == (await ada.files.stat("new.txt")).etag
    assert made.id == (await ada.files.stat("new.txt")).id


@pytest.mark.parametrize("form", ["{}", '"{}"', 'W/"{}"'])
async def test_a_guarded_write_takes_the_etag_quoted_or_not(ada: Person, form: str) -> None:
    etag = (await ada.files.read("Documents/plan.md")).etag
    with under(EDIT):
        written = await ada.files.write("Documents/plan.md", b"new", etag=form.format(etag))
    assert not written.created
    assert (await ada.files.read("Documents/plan.md")).data == b"new"


async def test_a_stale_etag_is_a_conflict_and_nothing_is_written(ada: Person, sandbox: Sandbox) -> None:
    old = (await ada.files.read("Documents/plan.md")).etag or ""
    with under(REPLACE):
        await ada.files.write("Documents/plan.md", b"in between")
    before = sandbox.dump()
    with under(EDIT):
        with pytest.raises(Conflict, match=r"Nothing was written\. Read it again"):
            await ada.files.write("Documents/plan.md", b"lost?", etag=old)
        with pytest.raises(Conflict, match="Read it again"):
            await ada.files.delete("Documents/plan.md", etag=old)
        with pytest.raises(Conflict, match="Read it again"):
            await ada.files.copy("Documents/budget.csv", "Documents/plan.md", etag=old)
    assert sandbox.dump() == before


@pytest.mark.parametrize("etag", ["*", '""', "a b", 'a"b', "é", "a\nb"])
async def test_what_is_no_etag_is_refused_before_anything_is_sent(ada: Person, etag: str) -> None:
    with under(EDIT), pytest.raises(BadInput, match="is not an ETag"):
        await ada.files.write("Documents/plan.md", b"x", etag=etag)
    assert ada.sent == []


async def test_a_missing_folder_is_named_or_made(ada: Person) -> None:
    with under(REPLACE):
        with pytest.raises(NotFound, match=r"the folder 'a/b' does not exist\. Create that folder first"):
            await ada.files.write("a/b/c.txt", b"x")
        with pytest.raises(NotFound, match="the folder 'a/b' does not exist"):
            await ada.files.mkdir("a/b/c")
        with pytest.raises(NotFound, match="the folder 'a' does not exist"):
            await ada.files.move("Documents/plan.md", "a/plan.md")
        assert (await ada.files.write("a/b/c.txt", b"x", parents=True)).created
    assert [one.path for one in await ada.files.list("a/b")] == ["a/b/c.txt"]


async def test_missing_folders_are_made_where_a_nextcloud_does_not_make_them_itself(sandbox: Sandbox) -> None:
    class Older(httpx2.ASGITransport):
        """A Nextcloud before 32."""

        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            request.headers.pop("x-nc-webdav-auto-mkcol", None)
            return await super().handle_async_request(request)

    ada = Person(Older(sandbox.app), "admin", sandbox.users["admin"])
    with under(ADD):
        assert (await ada.files.write("a/b/c.txt", b"x", create=True, parents=True)).created
        with pytest.raises(Conflict, match=r"'a/b/c\.txt' is a file"):
            await ada.files.write("a/b/c.txt/d.txt", b"x", create=True, parents=True)
    assert [one.path for one in await ada.files.list("a/b")] == ["a/b/c.txt"]


async def test_a_folder_is_made_once_and_a_file_is_not_taken_for_one(ada: Person) -> None:
    with under(ENSURE):
        assert (await ada.files.mkdir("Drafts")).created
        assert not (await ada.files.mkdir("Drafts")).created
        with pytest.raises(Conflict, match="is a file"):
            await ada.files.mkdir("Documents/plan.md")
    with under(REPLACE), pytest.raises(Conflict, match="is a folder"):
        await ada.files.write("Drafts", b"x")


async def test_moving_and_copying_overwrite_only_when_told_to(ada: Person) -> None:
    with under(ADD):
        await ada.files.copy("Documents/plan.md", "copy.md")
        with pytest.raises(Conflict, match="already something at 'copy"):
            await ada.files.copy("Documents/budget.csv", "copy.md")
        for more in (ada.files.copy("Documents/plan.md", "copy.md", overwrite=True), ada.files.move("copy.md", "x")):
            with pytest.raises(GuardError):
                await more
    with under(REPLACE):
        await ada.files.move("copy.md", "moved.md")
        with pytest.raises(Conflict):
            await ada.files.move("moved.md", "Documents/budget.csv")
        assert not (await ada.files.move("moved.md", "Documents/budget.csv", overwrite=True)).created
    assert (await ada.files.read("Documents/budget.csv")).data.startswith(b"# Plan")


async def test_a_file_is_deleted_once(ada: Person) -> None:
    with under(DELETE):
        await ada.files.delete("Documents/plan.md")
        with pytest.raises(NotFound):
            await ada.files.delete("Documents/plan.md")
        with pytest.raises(BadInput, match="the top of all files"):
            await ada.files.delete("/")


async def test_reading_tools_cannot_write(ada: Person, sandbox: Sandbox) -> None:
    before = sandbox.dump()
    writes = [
        ada.files.write("x", b"x"),
        ada.files.write("x", b"x" * (CHUNK + 1)),
        ada.files.mkdir("x"),
        ada.files.delete("Documents"),
        ada.files.move("Documents", "x"),
        ada.files.copy("Documents", "x"),
        ada.files.set_favorite("Documents", favorite=True),
    ]
    with under(READ):
        for write in writes:
            with pytest.raises(GuardError):
                await write
    assert ada.sent == ["GET", "GET"]  # what is there to be written over
    assert sandbox.dump() == before


async def test_a_star_is_set_by_adding_and_taken_by_replacing(ada: Person) -> None:
    with under(ENSURE):
        await ada.files.set_favorite("Documents/budget.csv", favorite=True)
        with pytest.raises(GuardError):
            await ada.files.set_favorite("Documents/budget.csv", favorite=False)
    assert (await ada.files.stat("Documents/budget.csv")).favorite
    with under(REPLACE):
        await ada.files.set_favorite("Documents/budget.csv", favorite=False)
    assert not (await ada.files.stat("Documents/budget.csv")).favorite


async def test_a_big_file_goes_up_in_chunks_with_progress(ada: Person) -> None:
    seen: list[tuple[int, int]] = []

    async def progress(sent: int, total: int) -> None:
        seen.append((sent, total))

    data = b"0123456789" * (CHUNK // 10 + 1)
    with under(ADD):
        written = await ada.files.write("big.bin", data, create=True, progress=progress)
    assert ada.sent == ["GET", "MKCOL", "PUT", "PUT", "MOVE"]
    assert seen == [(CHUNK, len(data)), (len(data), len(data))]
    assert written.created
    assert marks_of(written.etag or "")[0] == (await ada.files.stat("big.bin")).etag
    assert (await ada.files.read("big.bin")).data == data


async def test_a_big_file_is_guarded_like_a_small_one_before_it_goes_up(ada: Person) -> None:
    old = (await ada.files.stat("Documents/plan.md")).etag or ""
    data = b"x" * (CHUNK + 1)
    ada.forget()
    with under(ADD), pytest.raises(Conflict, match="already something"):
        await ada.files.write("Documents/plan.md", data, create=True)
    assert ada.sent == ["GET"]
    with under(EDIT):
        written = await ada.files.write("Documents/plan.md", data, etag=old)
        ada.forget()
        with pytest.raises(Conflict, match="Read it again"):
            await ada.files.write("Documents/plan.md", data + b"x", etag=old)
        assert ada.sent == ["GET"]
        assert (await ada.files.write("Documents/plan.md", data, etag=old)).unchanged
    assert (await ada.files.stat("Documents/plan.md")).etag == marks_of(written.etag or "")[0]


async def test_a_big_file_that_is_changed_while_another_goes_up_is_kept(sandbox: Sandbox) -> None:
    ada, other = person(sandbox), person(sandbox)
    old = (await ada.files.stat("Documents/plan.md")).etag or ""

    async def meddle(sent: int, total: int) -> None:
        if sent == total:
            await other.files.write("Documents/plan.md", b"meanwhile")

    with under(REPLACE), pytest.raises(Conflict, match="Read it again"):
        await ada.files.write("Documents/plan.md", b"x" * (CHUNK + 1), etag=old, progress=meddle)
    assert ada.sent[-1] == "DELETE"  # what was uploaded in vain
    assert (await ada.files.read("Documents/plan.md")).data == b"meanwhile"
    await ada.aclose()
    await other.aclose()


async def test_the_folders_of_a_big_file_are_named_or_made(ada: Person) -> None:
    data = b"x" * (CHUNK + 1)
    with under(REPLACE):
        with pytest.raises(NotFound, match=r"the folder 'a/b' does not exist\. Create that folder first"):
            await ada.files.write("a/b/c.bin", data)
        assert ada.sent[-2:] == ["PUT", "DELETE"]  # one chunk was enough to learn it
        assert (await ada.files.write("a/b/c.bin", data, parents=True)).created
    assert (await ada.files.read("a/b/c.bin")).data == data


async def test_the_same_again_is_not_written(ada: Person, sandbox: Sandbox) -> None:
    with under(REPLACE):
        await ada.files.write("Documents/plan.md", b"new")
        before = sandbox.dump()
        again = [
            await ada.files.write("Documents/plan.md", b"new"),
            await ada.files.write("Documents/plan.md", b"new", create=True),
            await ada.files.write("Documents/plan.md", b"new", etag="stale"),
        ]
        assert sandbox.dump() == before
        assert not (await ada.files.write("Documents/plan.md", b"wen")).unchanged
    known = await ada.files.stat("Documents/plan.md")
    assert [(one.unchanged, one.created, one.id) for one in again] == [(True, False, known.id)] * 3
    with under(REPLACE):
        await ada.files.write("empty.txt", b"", create=True)
        assert (await ada.files.write("empty.txt", b"")).unchanged


async def test_the_quota_is_told(ada: Person) -> None:
    quota = await ada.files.quota()
    assert quota.used > 0
    assert quota.available is None


@pytest.mark.parametrize("path", ["..", "a/../b", "./a", "a//b", "a\x00b", "a\nb", "Documents/\ud800"])
async def test_paths_that_lead_elsewhere_are_refused_before_anything_is_sent(ada: Person, path: str) -> None:
    for call in (ada.files.read(path), ada.files.list(path), ada.files.stat(path)):
        with pytest.raises(BadInput, match=re.escape("cannot be used")):
            await call
    assert ada.sent == []


async def test_one_user_does_not_see_the_files_of_another(bob: Person) -> None:
    with pytest.raises(NotFound):
        await bob.files.read("Documents/budget.csv")
    assert "Diary.md" in [one.name for one in await bob.files.list()]


async def test_a_name_in_decomposed_characters_means_the_composed_one(ada: Person) -> None:
    with under(ENSURE):
        await ada.files.mkdir("Cafe\u0301")
    assert await ada.files.list("Cafe\u0301") == []
    assert "Caf\u00e9" in [one.name for one in await ada.files.list()]
