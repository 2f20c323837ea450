"""What a real Nextcloud did with files and tags, and what the tools say and do about it; each was wrong before."""

from base64 import b64decode

import httpx2
import pytest
from tests.nextcloud.calls import PLAN, ask, refusal
from tests.nextcloud.client.people import PRINCIPAL
from tests.nextcloud.sessions import connected, facts, serving

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("key", ["/", "old draft.md.d1/", "a/b"])
async def test_no_key_of_the_bin_is_the_bin_itself(sandbox: Sandbox, key: str) -> None:
    before = facts(sandbox)
    service = serving(sandbox)
    async with connected(service) as session:
        for tool in ("delete_from_trash", "restore_from_trash"):  # what is no key may be an old path
            assert f"There is no {key!r}" in await refusal(session, tool, trash_key=key)
        assert "cannot be the version" in await refusal(session, "restore_version", path=PLAN, kept_version=key)
    assert facts(sandbox) == before
    assert not any("DELETE" in line or "MOVE" in line for line in service.lines)


@pytest.mark.parametrize("tool", ["copy_resource", "move_resource"])
async def test_nothing_goes_into_itself_or_over_the_folder_that_it_is_in(sandbox: Sandbox, tool: str) -> None:
    before = facts(sandbox)
    service = serving(sandbox)
    async with connected(service) as session:
        inside = await refusal(session, tool, source_path="Projects", destination_path="Projects/shed/x")
        over = await refusal(session, tool, source_path="Projects/shed", destination_path="/Projects", overwrite=True)
        under_a_file = await refusal(session, tool, source_path="Readme.md", destination_path=f"{PLAN}/x")
    assert inside == "'Projects' cannot go into itself. Choose a destination outside of it."
    assert over.startswith("'Projects' holds 'Projects/shed' and would be thrown away with it.")
    assert under_a_file == f"{PLAN!r} is a file, not a folder. Choose another destination."
    assert facts(sandbox) == before


async def test_the_sandbox_loses_a_folder_that_a_child_is_copied_over_as_nextcloud_does(sandbox: Sandbox) -> None:
    base = "http://nextcloud/remote.php/dav/files/admin/Projects"
    answer = await _raw(sandbox, "COPY", f"{base}/shed", {"Destination": base, "Overwrite": "T"})
    assert answer.status_code == 404
    moved = await _raw(sandbox, "MOVE", f"{base}/shed", {"Destination": base, "Overwrite": "T"})
    assert moved.status_code == 404  # it is in the bin
    assert not any(key.startswith("files/admin/Projects/") for key in facts(sandbox))


async def test_what_was_only_received_is_said_to_stay_with_its_owner(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        left = await ask(session, "delete_resource", path="Holiday")
        mine = await ask(session, "delete_resource", path=PLAN)
        binned = [one["original_path"] for one in (await ask(session, "list_trash"))["items"]]
    assert left["left"].startswith("It stays with bob, who shared it with you")
    assert (mine["path"], "left" in mine) == (PLAN, False)
    assert PLAN in binned
    assert "Holiday" not in binned


@pytest.mark.parametrize("older", [False, True])
async def test_what_is_deleted_in_a_received_folder_is_gone_for_its_owner_and_said_to_be(
    sandbox: Sandbox, *, older: bool
) -> None:
    """Of all in such a folder Nextcloud says that it is shared; which is the share itself it says since its 29."""
    async with connected(serving(sandbox)) as admin:
        await ask(admin, "write_file", path="Given/f.txt", content="f", create_parents=True)
        await admin.ask("nc_share_create", path="Given", share_with="bob", permissions="all")
        service = serving(sandbox)

        async def answering(request: httpx2.Request) -> httpx2.Response:
            answer = await service.handle_async_request(request)
            told = await answer.aread()
            content = told.replace(b"is-mount-root", b"is-unknown") if older else told
            return httpx2.Response(answer.status_code, headers=answer.headers, content=content)

        async with connected(httpx2.MockTransport(answering), user="bob") as bob:
            inner = await ask(bob, "delete_resource", path="Given/f.txt")
            binned = [one["original_path"] for one in (await ask(bob, "list_trash"))["items"]]
            share = await ask(bob, "delete_resource", path="Given")
        theirs = [one["original_path"] for one in (await ask(admin, "list_trash"))["items"]]
        shares = (await admin.ask("nc_share_list", path="Given"))["items"]
    assert (inner["gone"], "left" in inner) == ("Given/f.txt", False)
    assert inner["to_get_back"].startswith("It was admin's: their trash bin has it")
    assert (binned, "Given/f.txt" in theirs) == (["Given/f.txt"], True)
    assert share["left"].startswith("It stays with admin")
    assert share["to_get_back"] == "Only admin can share it again."
    assert shares == []


async def test_what_is_restored_without_its_folder_is_said_to_be_at_the_top(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        await ask(session, "delete_resource", path="Documents/letter.txt")
        key = (await ask(session, "list_trash"))["items"][0]["key"]
        await ask(session, "delete_resource", path="Documents")
        back = await ask(session, "restore_from_trash", trash_key=key)
    assert (back["trash_key"], back["path"]) == (key, "letter.txt")


@pytest.mark.parametrize("name", ["", " ", "\u200b", "\u2003"])
async def test_a_tag_without_a_name_is_not_made_for_everyone(sandbox: Sandbox, name: str) -> None:
    before = facts(sandbox)
    async with connected(serving(sandbox)) as session:
        said = await refusal(session, "tag_file", path=PLAN, tag=name, create=True)
    assert said == "A tag without a name would be made for everyone. Give it a name."
    assert facts(sandbox) == before


async def test_a_tag_that_was_made_in_vain_is_told_of(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        await session.ask("nc_share_create", path="Documents/letter.txt", share_with="bob")
    async with connected(serving(sandbox), user="bob") as session:
        for made in (True, False):
            said = await refusal(session, "tag_file", path="letter.txt", tag="in vain", create=True)
            assert said.startswith("This user may not put that tag on that file.")
            assert ("The tag 'in vain' was made for everyone, and stays." in said) is made


async def test_where_there_is_no_room_the_way_to_see_it_is_named() -> None:
    def script(request: httpx2.Request) -> httpx2.Response:
        principal = PRINCIPAL.format("", "admin")
        return httpx2.Response(207, text=principal) if request.method == "PROPFIND" else httpx2.Response(507)

    async with connected(script) as session:
        file = await refusal(session, "write_file", path="a.txt", content="x")
        note = await session.refusal("nc_notes_create_note", title="a", content="x")
    assert file == note
    assert note.endswith("Nothing was written. nc_webdav_get_quota tells how much room is left.")


async def test_the_top_of_all_files_is_not_tagged(sandbox: Sandbox) -> None:
    before = facts(sandbox)
    async with connected(serving(sandbox)) as session:
        assert "The top of all files carries no tags" in await refusal(session, "tag_file", path="/", tag="urgent")
    assert facts(sandbox) == before


@pytest.mark.parametrize(
    ("there", "missing", "requests"), [(0, 60, 73), (30, 30, 41), (59, 1, 3), (1, 2, 5), (1, 1, 3), (2, 0, 2)]
)
async def test_missing_parents_are_found_in_few_steps(
    sandbox: Sandbox, there: int, missing: int, requests: int
) -> None:
    """Sixty levels cost 119 requests when each was tried from the lowest up; one and two cost what they did."""
    service = serving(sandbox)
    levels = [f"{number}" for number in range(there + missing)]
    async with connected(service) as session:
        await ask(session, "get_quota")
        if there:
            await ask(session, "create_directory", path="/".join(levels[:there]), parents=True)
        service.arrived.clear()
        made = await ask(session, "create_directory", path="/".join(levels or ["x"]), parents=True)
        assert made["created"] is (missing > 0)
        found = await ask(session, "list_directory", path="/".join(levels))
    assert found["items"] == []
    assert len(service.arrived) - 1 <= requests


async def test_a_file_in_the_way_of_parents_is_named(sandbox: Sandbox) -> None:
    before = facts(sandbox)
    async with connected(serving(sandbox)) as session:
        said = await refusal(session, "create_directory", path=f"{PLAN}/a/b/c/d", parents=True)
    assert said == f"{PLAN!r} is a file. Choose another name."
    assert facts(sandbox) == before


async def test_the_bytes_of_a_file_come_in_parts(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        first = await ask(session, "read_file", path="Photos/sunset.png", encoding="base64", max_bytes=100)
        rest = await ask(session, "read_file", path="Photos/sunset.png", encoding="base64", offset=first["next_offset"])
        lines = await refusal(session, "read_file", path=PLAN, encoding="base64", max_lines=1)
    data = b64decode(first["text"]) + b64decode(rest["text"])
    assert data.startswith(b"\x89PNG")
    assert len(data) == first["size"]
    assert "Go on with offset=100 and encoding=base64." in first["note"]
    assert "next_offset" not in rest
    assert lines == "Bytes have no lines. Give an offset instead."


async def test_a_folder_has_no_versions_and_is_said_to_have_none(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        said = await refusal(session, "list_versions", path="Documents")
    assert said == "'Documents' has no versions. Only files have versions."


async def _raw(sandbox: Sandbox, method: str, url: str, headers: dict[str, str]) -> httpx2.Response:
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(sandbox.app), auth=("admin", sandbox.token)) as web:
        return await web.request(method, url, headers=headers)
