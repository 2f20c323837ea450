"""What was written over or gave way is named, and brought back by that name; nothing is named that is not there."""

import httpx2
import pytest
from tests.nextcloud.calls import PLAN, ask
from tests.nextcloud.sessions import connected, facts, serving

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("guarded", [True, False])
async def test_the_version_that_a_write_names_is_what_the_file_held(sandbox: Sandbox, *, guarded: bool) -> None:
    async with connected(serving(sandbox)) as session:
        old = await ask(session, "read_file", path=PLAN)
        how = {"if_match": old["etag"]} if guarded else {"overwrite": True}
        done = await ask(session, "write_file", path=PLAN, content="new", **how)
        await ask(session, "restore_version", path=PLAN, kept_version=done["kept_version"])
        assert (await ask(session, "read_file", path=PLAN))["text"] == old["text"]


async def test_a_write_that_replaced_nothing_names_no_version(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        new = await ask(session, "write_file", path="New.md", content="new", overwrite=True)
        same = await ask(session, "write_file", path="New.md", content="new", overwrite=True)
    assert "kept_version" not in new
    assert "kept_version" not in same


@pytest.mark.parametrize("tool", ["move_resource", "copy_resource"])
@pytest.mark.parametrize(("source", "destination"), [(PLAN, "Documents/budget.csv"), ("Projects/shed", "Public")])
async def test_what_gave_way_is_restored_by_the_key_that_is_named(
    sandbox: Sandbox, tool: str, source: str, destination: str
) -> None:
    service = serving(sandbox)

    async def meddling(request: httpx2.Request) -> httpx2.Response:
        answer = await service.handle_async_request(request)
        if request.method in ("MOVE", "COPY") and "/files/" in request.url.path:  # others delete things meanwhile
            headers = {name: value for name, value in request.headers.items() if name in ("authorization", "host")}
            for other in ("Readme.md", "Documents/letter.txt"):
                at = f"http://nextcloud/remote.php/dav/files/admin/{other}"
                await service.handle_async_request(httpx2.Request("DELETE", at, headers=headers))
        return httpx2.Response(answer.status_code, headers=answer.headers, content=await answer.aread())

    async with connected(httpx2.MockTransport(meddling)) as session:
        places = {"source_path": source, "destination_path": destination}
        done = await ask(session, tool, **places, overwrite=True)
        listed = (await ask(session, "list_trash"))["items"]
        assert [one["original_path"] for one in listed if one["key"] == done["trash_key"]] == [destination]
        await ask(session, "restore_from_trash", trash_key=done["trash_key"])


async def test_what_is_restored_opens_at_the_address_that_it_had(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        made = await session.ask("nc_webdav_write_file", path="plan.md", content="Oak")
        await session.ask("nc_webdav_delete_resource", path="plan.md")
        back = await session.ask("nc_webdav_restore_from_trash", trash_key="plan.md")
    assert back["url"] == made["url"]


@pytest.mark.parametrize("tool", ["move_resource", "copy_resource"])
async def test_where_nothing_was_nothing_is_named(sandbox: Sandbox, tool: str) -> None:
    async with connected(serving(sandbox)) as session:
        done = await ask(session, tool, source_path=PLAN, destination_path="New.md", overwrite=True)
    assert done["created"] is True
    assert "trash_key" not in done


async def test_what_is_done_is_told_also_where_the_look_for_what_was_kept_fails(sandbox: Sandbox) -> None:
    service = serving(sandbox)

    async def failing(request: httpx2.Request) -> httpx2.Response:
        if "/versions/" in request.url.path or "/trashbin/" in request.url.path:
            return httpx2.Response(403)
        answer = await service.handle_async_request(request)
        return httpx2.Response(answer.status_code, headers=answer.headers, content=await answer.aread())

    async with connected(httpx2.MockTransport(failing)) as session:
        written = await ask(session, "write_file", path=PLAN, content="new", overwrite=True)
        moved = await ask(session, "move_resource", source_path=PLAN, destination_path="Readme.md", overwrite=True)
    assert not {"kept_version", "trash_key"} & {*written, *moved}
    assert facts(sandbox)["files/admin/Readme.md/content"] == "new"
