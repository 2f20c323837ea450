"""Files through MCP: what each call costs, what it answers, and that nothing is lost that should not be."""

import base64
import time
from datetime import datetime, timedelta

import anyio
import anyio.lowlevel
import httpx2
import mcp_types as mcp
import pytest
from tests.nextcloud.calls import PLAN, arranged, ask, pages, refusal
from tests.nextcloud.client.people import Person
from tests.nextcloud.sessions import connected, facts, serving

from aboveboard.effects import REPLACE, under
from aboveboard.nextcloud.client.files.uploads import CHUNK
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

REQUESTS = {
    "list_directory": ["PROPFIND"],
    "read_file": ["GET"],
    "write_file": ["GET", "PUT", "PROPFIND"],  # to say which version is what it held
    "append_to_file": ["GET", "PUT"],
    "create_directory": ["MKCOL", "MKCOL", "MKCOL", "MKCOL", "MKCOL"],
    "delete_resource": ["PROPFIND", "DELETE", "PROPFIND"],  # whether it is theirs or only shared; where the bin has it
    "move_resource": ["MOVE"],
    "copy_resource": ["COPY"],
    "search_files": ["SEARCH"],
    "find_by_name": ["SEARCH"],
    "find_by_type": ["SEARCH"],
    "list_favorites": ["SEARCH"],
    "list_comments": ["PROPFIND", "REPORT"],
    "create_comment": ["PROPFIND", "POST"],
    "set_favorite": ["PROPPATCH"],
    "get_quota": ["PROPFIND"],
    "list_trash": ["PROPFIND"],
    "restore_from_trash": ["PROPFIND", "MOVE", "SEARCH"],  # to say where it went
    "delete_from_trash": ["DELETE"],
    "list_versions": ["PROPFIND", "PROPFIND"],
    "restore_version": ["PROPFIND", "MOVE"],
    "list_tags": ["PROPFIND"],
    "tag_file": ["PROPFIND", "PROPFIND", "POST", "PUT"],
    "untag_file": ["PROPFIND", "PROPFIND", "DELETE"],
    "find_by_tag": ["PROPFIND", "REPORT"],
}
# The case of the plan that costs most, where it is not the first.
DEAREST = {"create_directory": "with the folders around it", "tag_file": "an odd one with a new tag"}


async def test_a_call_costs_so_many_requests_once_it_is_known_whose_files_they_are(sandbox: Sandbox) -> None:
    sent: dict[str, list[str]] = {}
    service = serving(sandbox)
    async with connected(service) as session:
        await session.client.list_tools()
        await ask(session, "get_quota")
        for tool in REQUESTS:
            arguments = await arranged(session, f"nc_webdav_{tool}", DEAREST.get(tool))
            service.arrived.clear()
            await ask(session, tool, **arguments)
            sent[tool] = [request.method for request in service.arrived]
            sandbox.reset()
    assert sent == REQUESTS


async def test_what_someone_writes_between_the_look_and_the_write_is_not_lost(sandbox: Sandbox) -> None:
    service = serving(sandbox)

    async def meddling(request: httpx2.Request) -> httpx2.Response:
        if request.method == "PUT":
            headers = {name: value for name, value in request.headers.items() if name in ("authorization", "host")}
            await service.handle_async_request(httpx2.Request("PUT", request.url, headers=headers, content=b"theirs"))
        answer = await service.handle_async_request(request)
        return httpx2.Response(answer.status_code, headers=answer.headers, content=await answer.aread())

    async with connected(httpx2.MockTransport(meddling)) as session:
        arguments = await arranged(session, "nc_webdav_write_file", "guarded")
        said = await refusal(session, "write_file", **arguments)
    assert "Nothing was written" in said
    assert facts(sandbox)[f"files/admin/{arguments['path']}/content"] == "theirs"


@pytest.mark.parametrize("form", ["{}", '"{}"'])
async def test_the_etag_of_a_list_guards_a_write_and_a_stale_one_writes_nothing(sandbox: Sandbox, form: str) -> None:
    async with connected(serving(sandbox)) as session:
        listed = {one["path"]: one for one in (await ask(session, "list_directory", path="Documents"))["items"]}
        etag = form.format(listed[PLAN]["etag"])
        first = await ask(session, "write_file", path=PLAN, content="one", if_match=etag)
        before = facts(sandbox)
        text = await refusal(session, "write_file", path=PLAN, content="two", if_match=etag)
        copied = await refusal(
            session, "copy_resource", source_path="Readme.md", destination_path=PLAN, if_destination_match=etag
        )
    assert not first["created"]
    assert first["url"] == listed[PLAN]["url"]
    assert text.endswith("Nothing was written. Read it again, then decide.")
    assert copied.endswith("Read it again, then decide.")
    assert facts(sandbox) == before


async def test_writing_the_same_twice_is_writing_it_once_and_a_new_file_can_be_insisted_on(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        assert (await ask(session, "write_file", path="n.txt", content="größer 🚀", overwrite=False))["created"]
        once = facts(sandbox)
        for more in ({}, {"overwrite": True}, {"if_match": "abc"}):
            again = await ask(session, "write_file", path="n.txt", content="größer 🚀", **more)
            assert (again["created"], again["unchanged"]) == (False, True)
        assert facts(sandbox) == once
        assert "already something at 'n.txt'" in await refusal(
            session, "write_file", path="n.txt", content="x", overwrite=False
        )
        assert "already something at 'n.txt'" in await refusal(session, "write_file", path="n.txt", content="x")
        assert "is not what the etag says" in await refusal(
            session, "write_file", path="n.txt", content="x", overwrite=True, if_match="abc"
        )
        assert facts(sandbox) == once
    assert once["files/admin/n.txt/content"] == "größer 🚀"


async def test_bytes_are_written_as_base64_and_what_is_none_is_refused(sandbox: Sandbox) -> None:
    data = bytes(range(256))
    content = base64.encodebytes(data).decode()
    async with connected(serving(sandbox)) as session:
        await ask(
            session, "write_file", path="a/b/c.bin", content=content, content_encoding="base64", create_parents=True
        )
        read = await session.client.read_resource("nc://files/a/b/c.bin")
        before = facts(sandbox)
        for wrong in ("not base64!", "AAA", "ü"):
            said = await refusal(session, "write_file", path="x", content=wrong, content_encoding="base64")
            assert said == "The content is not base64."
        assert "does not exist" in await refusal(session, "write_file", path="c/d.txt", content="")
        assert "is a folder" in await refusal(session, "write_file", path="a/b", content="")
    (blob,) = read.contents
    assert isinstance(blob, mcp.BlobResourceContents)
    assert base64.b64decode(blob.blob) == data
    assert facts(sandbox) == before


async def test_a_large_file_goes_up_in_chunks_that_are_told_and_guarded(sandbox: Sandbox) -> None:
    service, content = serving(sandbox), "0123456789abcdef" * (CHUNK // 16 + 1)
    told: list[tuple[float, float | None]] = []

    async def tell(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total))

    async with connected(service) as session:
        await session.client.list_tools()
        etag = (await ask(session, "read_file", path=PLAN))["etag"]
        service.arrived.clear()
        arguments = {"path": PLAN, "content": content, "if_match": etag}
        result = await session.client.call_tool("nc_webdav_write_file", arguments, progress_callback=tell)
        assert not result.is_error
        assert [line.split()[0] for line in service.lines] == ["GET", "MKCOL", "PUT", "PUT", "MOVE", "PROPFIND"]
        assert "Read it again" in await refusal(session, "write_file", **{**arguments, "content": f"{content}."})
        part = await ask(session, "read_file", path=PLAN, offset=len(content) - 100)
    assert told == [(CHUNK, len(content)), (len(content), len(content))]
    assert part["text"] == content[-100:]
    assert not [key for key in facts(sandbox) if key.startswith("uploads/")]


async def test_an_upload_that_is_given_up_leaves_nothing_behind(sandbox: Sandbox) -> None:
    before = facts(sandbox)

    class GivingUp(httpx2.ASGITransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            await anyio.lowlevel.checkpoint()  # as a socket would
            answer = await super().handle_async_request(request)
            if request.method == "PUT":
                assert facts(sandbox) != before
                scope.cancel()
                await anyio.lowlevel.checkpoint()
            return answer

    ada = Person(GivingUp(sandbox.app), "admin", sandbox.token)
    with under(REPLACE), anyio.CancelScope() as scope:
        await ada.files.write("big.bin", bytes(CHUNK + 1))
    assert scope.cancelled_caught
    assert ada.sent == ["PROPFIND", "GET", "MKCOL", "PUT", "DELETE"]
    assert facts(sandbox) == before
    await ada.aclose()


async def test_a_folder_of_a_thousand_files_is_listed_page_by_page_and_found(sandbox: Sandbox) -> None:
    names = [f"{number:04} größer #{number % 7}.txt" for number in range(998)]
    await _upload(sandbox, "Projects", names)
    service = serving(sandbox)
    async with connected(service) as session:
        found = await pages(session, "list_directory", path="Projects", limit=600)
        assert [one["path"] for one in found] == [
            "Projects/shed",
            *(f"Projects/{name}" for name in names),
            "Projects/garden.md",
        ]
        assert len({one["url"] for one in found}) == len(found)
        assert all(one["etag"] for one in found)
        searched = await pages(session, "find_by_name", pattern="größer", scope="Projects", limit=600)
        assert {one["path"] for one in searched} == {f"Projects/{name}" for name in names}
        assert len(searched) == 998
        beyond = await ask(session, "list_directory", path="Projects", offset=5000)
        assert (beyond["items"], beyond["total"]) == ([], 1000)


class _Counted(httpx2.AsyncBaseTransport):
    """A Nextcloud whose answers' entries are counted; it may be one that knows no pages."""

    def __init__(self, sandbox: Sandbox, *, pages: bool) -> None:
        self._service, self._pages = httpx2.ASGITransport(sandbox.app), pages
        self.entries: list[int] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if not self._pages:
            for name in [one for one in request.headers if one.startswith("x-nc-paginate")]:
                del request.headers[name]
        answer = await self._service.handle_async_request(request)
        self.entries.append((await answer.aread()).count(b"<d:response>"))
        return answer


async def test_of_a_large_folder_only_the_part_that_is_asked_for_is_read(sandbox: Sandbox) -> None:
    """The first page is read with what is sorted, the second begins there and ends beyond, the third is beyond."""
    names = [f"{number}.txt" for number in range(1300)]
    async with connected(serving(sandbox)) as session:
        await ask(session, "create_directory", path="Many")
    await _upload(sandbox, "Many", names)
    for pages_there, read in ((True, [1001, 1001, 550, 200]), (False, [1301] * 4)):
        service = _Counted(sandbox, pages=pages_there)
        async with connected(service) as session:
            await ask(session, "get_quota")
            service.entries.clear()
            found = await pages(session, "list_directory", path="Many", limit=550)
        assert sorted(one["path"] for one in found) == sorted(f"Many/{name}" for name in names)
        assert service.entries == read


async def _upload(sandbox: Sandbox, folder: str, names: list[str]) -> None:
    """Put many files there at once, as Nextcloud's own apps do."""
    parts = [f"--x\r\nX-File-Path: /{folder}/{name}\r\nContent-Length: 1\r\n\r\n.\r\n".encode() for name in names]
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(sandbox.app), auth=("admin", sandbox.token)) as client:
        answer = await client.post(
            "http://nextcloud/remote.php/dav/bulk",
            content=b"".join(parts) + b"--x--\r\n",
            headers={"Content-Type": "multipart/related; boundary=x"},
        )
    assert answer.status_code == 200
    assert not [path for path, result in answer.json().items() if result["error"]]


async def test_a_time_without_a_zone_is_utc_wherever_the_server_runs(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = serving(sandbox)
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        async with connected(service) as session:
            for given in ("2026-01-02T03:04:05", "2026-01-02T05:04:05+02:00"):
                await ask(session, "search_files", modified_since=given)
                await ask(session, "search_files", modified_before=given)
    time.tzset()
    searched = [request.content for request in service.arrived if request.method == "SEARCH"]
    assert [b"<d:literal>2026-01-02T03:04:05Z<" in body for body in searched] == [True] * 4


async def test_a_search_takes_what_was_changed_since_a_time_and_not_what_was_changed_at_its_end(
    sandbox: Sandbox,
) -> None:
    async with connected(serving(sandbox)) as session:

        async def found(**arguments: str) -> set[str]:
            return {one["path"] for one in await pages(session, "search_files", limit=1000, **arguments)}

        listed = (await ask(session, "list_directory", path="Documents"))["items"]
        at = next(one["modified"] for one in listed if one["path"] == PLAN)
        since, before = await found(modified_since=at), await found(modified_before=at)
        assert (PLAN in since, PLAN in before) == (True, False)
        assert (since & before, since | before) == (set(), await found())
        a_second_later = (datetime.fromisoformat(at) + timedelta(seconds=1)).isoformat()
        assert PLAN in await found(modified_since=at, modified_before=a_second_later)
        assert before
        for wrong in ("yesterday", "2026-13-01T00:00:00Z", ""):
            said = await refusal(session, "search_files", modified_before=wrong)
            assert said.startswith("modified_before must be a date and time")
        out_of_range = await refusal(session, "search_files", modified_before="0001-01-01T00:00:00+05:00")
        assert out_of_range.endswith("is out of the range of times.")


async def test_what_was_deleted_comes_back_by_its_name_or_old_path_where_only_one_thing_fits(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        for given in (PLAN, f"/{PLAN}", "plan.md"):
            await ask(session, "delete_resource", path=PLAN)
            key = (await ask(session, "list_trash"))["items"][0]["key"]
            done = await ask(session, "restore_from_trash", trash_key=given)
            assert (done["trash_key"], done["path"]) == (key, PLAN)
            restored = facts(sandbox)
            gone = f"There is no {given!r} in the trash bin. nc_webdav_list_trash shows the keys of what there is."
            assert await refusal(session, "restore_from_trash", trash_key=given) == gone
            assert facts(sandbox) == restored


async def test_of_several_that_fit_none_comes_back_and_all_are_told_with_keys_and_dates(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        await ask(session, "write_file", path="plan.md", content="Another\n")
        for path in (PLAN, "plan.md"):
            await ask(session, "delete_resource", path=path)
        trashed = {one["original_path"]: one for one in (await ask(session, "list_trash"))["items"]}
        before = facts(sandbox)
        said = await refusal(session, "restore_from_trash", trash_key="plan.md")
        assert facts(sandbox) == before, "the old path of one is the name of both: the same call twice would do both"
        for path in (PLAN, "plan.md"):
            when = datetime.fromisoformat(trashed[path]["deleted"])
            assert f"{trashed[path]['key']} ({path}, deleted {when})" in said
        assert said.endswith("Give one's key.")
        for path in (PLAN, "plan.md"):
            done = await ask(session, "restore_from_trash", trash_key=path)
            assert (done["trash_key"], done["path"]) == (trashed[path]["key"], path)
        assert "There is no '/'" in await refusal(session, "restore_from_trash", trash_key="/")


async def test_trash_and_versions_bring_back_what_was(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        await ask(session, "delete_resource", path=PLAN)
        await ask(session, "write_file", path=PLAN, content="another plan", overwrite=True)
        bin_now = await ask(session, "list_trash")
        assert [one["original_path"] for one in bin_now["items"]] == [PLAN, "Documents/old draft.md"]
        assert (await ask(session, "list_trash", limit=1))["next_offset"] == 1
        assert "next_offset" not in await ask(session, "list_trash", limit=2)
        key = bin_now["items"][0]["key"]
        placed = await ask(session, "restore_from_trash", trash_key=key)
        assert (placed["trash_key"], placed["path"]) == (key, "Documents/plan (restored).md")
        restored = facts(sandbox)
        gone = f"There is no {key!r} in the trash bin. nc_webdav_list_trash shows the keys of what there is."
        assert await refusal(session, "restore_from_trash", trash_key=key) == gone
        assert await refusal(session, "delete_from_trash", trash_key=key) == gone
        assert facts(sandbox) == restored
        assert restored[f"files/admin/{PLAN}/content"] == "another plan"
        assert restored["files/admin/Documents/plan (restored).md/content"] == "# Plan\n\n1. Measure\n2. Cut\n"
        back = {"path": "Documents/plan (restored).md"}
        versions = (await ask(session, "list_versions", **back))["items"]
        assert [one.get("current") for one in versions] == [True, None, None]
        await ask(session, "restore_version", **back, kept_version=versions[-1]["id"])
        assert (await ask(session, "read_file", **back))["text"] == "# Plan\n\nFirst draft.\n"


async def test_a_number_is_the_id_of_a_tag_unless_a_tag_of_that_name_is_there_or_to_be_made(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        ids = {one["name"]: str(one["id"]) for one in (await ask(session, "list_tags"))["items"]}
        await ask(session, "untag_file", path=PLAN, tag=ids["urgent"])
        assert (await ask(session, "list_tags", path=PLAN))["items"] == []
        await ask(session, "tag_file", path=PLAN, tag=ids["reviewed"])
        await ask(session, "tag_file", path=PLAN, tag=ids["urgent"], create=True)
        named = [one["name"] for one in (await ask(session, "list_tags", path=PLAN))["items"]]
        await ask(session, "untag_file", path=PLAN, tag=ids["urgent"])
        left = [one["name"] for one in (await ask(session, "list_tags", path=PLAN))["items"]]
    assert named == sorted([ids["urgent"], "reviewed"])
    assert left == ["reviewed"]


async def test_a_tag_is_made_only_when_that_is_asked_for_and_a_repeat_changes_nothing(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        assert "no tag 'new'" in await refusal(session, "tag_file", path=PLAN, tag="new")
        assert "There is no tag 999" in await refusal(session, "tag_file", path=PLAN, tag=999)
        for changed in (True, False):
            assert (await ask(session, "tag_file", path=PLAN, tag="new", create=True))["changed"] is changed
        tags = (await ask(session, "list_tags", path=PLAN))["items"]
        assert [one["name"] for one in tags] == ["new", "urgent"]
        assert [one["path"] for one in (await ask(session, "find_by_tag", tag=tags[0]["id"]))["items"]] == [PLAN]
        for changed in (True, False):
            assert (await ask(session, "untag_file", path=PLAN, tag="new"))["changed"] is changed
        assert (await ask(session, "find_by_tag", tag="new"))["items"] == []
        # Nextcloud takes URGENT for the name of a tag that is there already.
        assert (await ask(session, "tag_file", path=PLAN, tag="URGENT", create=True))["changed"] is False
        assert (await ask(session, "untag_file", path=PLAN, tag="Urgent"))["changed"] is True


async def test_nothing_is_moved_or_copied_onto_itself(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        for tool in ("move_resource", "copy_resource"):
            same = {"source_path": PLAN, "destination_path": f"/{PLAN}", "overwrite": True}
            assert await refusal(session, tool, **same) == f"Source and destination are both {PLAN!r}."


async def test_comments_come_in_pages_newest_first(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        made = await ask(session, "create_comment", path=PLAN, message="Third")
        first = await ask(session, "list_comments", path=PLAN, limit=2)
        rest = await ask(session, "list_comments", path=PLAN, limit=2, offset=first["next_offset"])
    assert [one["message"] for one in first["items"] + rest["items"]] == ["Third", "I do, on Monday.", "Who measures?"]
    assert first["items"][0]["id"] == made["id"]
    assert "next_offset" not in rest
