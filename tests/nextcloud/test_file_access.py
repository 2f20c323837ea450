"""Whose files they are, files as resources, and what is there where an app is switched off."""

from typing import Any

import httpx2
import mcp_types as mcp
import pytest
from mcp.shared.exceptions import MCPError
from tests.nextcloud.calls import PLAN, ask, pages, refusal
from tests.nextcloud.sessions import Watched, connected, facts, serving

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

# What is admin's alone: not shared with bob, neither by itself nor in a folder.
SECRET = "Documents/letter.txt"


async def test_nobody_reaches_the_files_of_another_by_any_path_key_or_id(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        key = (await ask(session, "list_trash"))["items"][0]["key"]
        version = (await ask(session, "list_versions", path=PLAN))["items"][-1]["id"]
        ids = {
            one["path"]: one["url"].rpartition("/")[2]
            for one in (await ask(session, "list_directory", path="Documents"))["items"]
        }
    before = facts(sandbox)
    ways = [
        SECRET,
        f"/admin/{SECRET}",
        f"../admin/{SECRET}",
        f"..%2Fadmin%2F{SECRET}",
        ids[SECRET],
        f"admin/files/{SECRET}",
    ]
    calls: list[tuple[str, dict[str, Any]]] = [
        *((tool, {"path": way}) for way in ways for tool in ("read_file", "list_comments", "list_versions")),
        *(("delete_resource", {"path": way}) for way in ways),
        *(("restore_version", {"path": way, "kept_version": version}) for way in ways),
        *(("create_comment", {"path": way, "message": "hi"}) for way in ways),
        *(("tag_file", {"path": way, "tag": "urgent"}) for way in ways),
        *(("set_favorite", {"path": way}) for way in ways),
        *(("copy_resource", {"source_path": way, "destination_path": "mine.txt"}) for way in ways),
        *(("move_resource", {"source_path": way, "destination_path": "mine.txt"}) for way in ways),
        ("move_resource", {"source_path": "Diary.md", "destination_path": "../admin/Diary.md"}),
        ("write_file", {"path": f"../admin/{SECRET}", "content": "bob was here"}),
        ("search_files", {"scope": "../admin"}),
        ("list_directory", {"path": "../admin"}),
        ("restore_from_trash", {"trash_key": key}),
        ("delete_from_trash", {"trash_key": key}),
    ]  # fmt: skip
    async with connected(serving(sandbox), user="bob") as session:
        for tool, arguments in calls:
            await refusal(session, tool, **arguments)
        for way in ways:
            with pytest.raises(MCPError):
                await session.client.read_resource(f"nc://files/{way}")
        assert (await ask(session, "list_trash"))["items"] == []
        assert (await ask(session, "find_by_name", pattern="letter"))["items"] == []
        seen = await pages(session, "search_files", limit=1000)
        tagged = (await ask(session, "find_by_tag", tag="urgent"))["items"]
    assert facts(sandbox) == before
    assert "Diary.md" in {one["path"] for one in seen}
    # Only what admin shares with bob, under the names it has there.
    assert [one["path"] for one in tagged] == ["plan.md"]


async def test_files_are_resources_with_their_types_and_paths_are_completed(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        (template,) = [
            one
            for one in (await session.client.list_resource_templates()).resource_templates
            if one.uri_template.startswith("nc://files/")
        ]
        (text,) = (await session.client.read_resource("nc://files/Documents/plan.md")).contents
        (odd,) = (await session.client.read_resource("nc://files/Odd%20names/hash%23tag.txt")).contents
        (picture,) = (await session.client.read_resource("nc://files/Photos/sunset.png")).contents
        reference = mcp.ResourceTemplateReference(uri=template.uri_template)

        async def completed(typed: str) -> list[str]:
            answer = await session.client.complete(reference, {"name": "path", "value": typed})
            return answer.completion.values

        assert await completed("doc") == ["Documents/"]
        assert await completed("Documents/") == sorted(
            one["path"] + ("/" if one["kind"] == "folder" else "")
            for one in (await ask(session, "list_directory", path="Documents"))["items"]
        )
        assert await completed("Documents/PL") == [PLAN]
        assert await completed("Nowhere/x") == await completed("../x") == []
        with pytest.raises(MCPError, match="is a folder"):
            await session.client.read_resource("nc://files/Documents")
    assert isinstance(text, mcp.TextResourceContents)
    assert (text.text, text.mime_type) == ("# Plan\n\n1. Measure\n2. Cut\n", "text/markdown")
    assert isinstance(odd, mcp.TextResourceContents)
    assert odd.text == "The name of this file is hash#tag.txt\n"
    assert isinstance(picture, mcp.BlobResourceContents)
    assert picture.mime_type == "image/png"


async def test_tools_of_an_app_that_is_switched_off_are_not_listed_and_say_why(sandbox: Sandbox) -> None:
    class Without(httpx2.ASGITransport):
        """A Nextcloud whose administrator switched off the trash bin."""

        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            if "/trashbin/" in request.url.path:
                return httpx2.Response(404)
            answer = await super().handle_async_request(request)
            if request.url.path.endswith("/cloud/capabilities"):
                return httpx2.Response(200, content=(await answer.aread()).replace(b'"undelete":true,', b""))
            return answer

    async with connected(Without(sandbox.app)) as session:
        listed = {tool.name for tool in (await session.client.list_tools()).tools}
        said = await refusal(session, "list_trash")
    async with connected(serving(sandbox)) as session:
        everything = {tool.name for tool in (await session.client.list_tools()).tools}
    gone = {"list_trash", "restore_from_trash", "delete_from_trash"}
    assert everything - listed == {f"nc_webdav_{name}" for name in gone}
    assert "does not have the app files_trashbin" in said


async def test_the_quota_has_a_total_only_where_there_is_a_limit(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        assert (await ask(session, "get_quota")).keys() == {"used"}

    def limited(request: httpx2.Request) -> httpx2.Response:
        found = (
            "<d:current-user-principal><d:href>/remote.php/dav/principals/users/ada/</d:href></d:current-user-principal>"
            "<d:quota-used-bytes>40</d:quota-used-bytes><d:quota-available-bytes>60</d:quota-available-bytes>"
        )
        return httpx2.Response(
            207,
            text=f'<d:multistatus xmlns:d="DAV:"><d:response><d:href>/remote.php/dav/files/ada/</d:href><d:propstat>'
            f"<d:prop>{found}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>",
        )

    async with connected(Watched(limited)) as session:
        assert await ask(session, "get_quota") == {"used": 40, "available": 60, "total": 100}
