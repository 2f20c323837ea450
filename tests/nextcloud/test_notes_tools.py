"""Notes through MCP: what each call costs, what it answers, and that nothing anyone wrote is lost."""

from base64 import b64encode
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import httpx2
import mcp_types as mcp
import pytest
from mcp.shared.exceptions import MCPError
from tests.nextcloud.calls import FEW, arranged, note_named
from tests.nextcloud.sessions import TOOLS, Session, Watched, connected, facts, serving

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

REQUESTS = {
    "nc_notes_create_note": ["POST"],
    "nc_notes_update_note": ["GET", "PUT", "PROPFIND"],  # when the old text was written, and that it is kept
    "nc_notes_append_content": ["GET", "GET", "PUT", "GET"],
    "nc_notes_search_notes": ["GET"],
    "nc_notes_get_note": ["GET"],
    "nc_notes_list_notes": ["GET"],
    "nc_notes_list_categories": ["GET"],
    "nc_notes_set_favorite": ["PUT"],
    "nc_notes_delete_note": ["GET", "DELETE", "PROPFIND"],
    "nc_notes_get_attachment": ["GET", "GET"],
    "nc_notes_add_attachment": ["GET", "PUT"],
}


class Meddling(httpx2.AsyncBaseTransport):
    """Lets something happen just before each PUT of a note arrives, as long as there is something to happen."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.inner = Watched(httpx2.ASGITransport(sandbox.app))
        self.meanwhile: list[Callable[[], Awaitable[object]]] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.method == "PUT" and self.meanwhile:
            await self.meanwhile.pop(0)()
        return await self.inner.handle_async_request(request)


async def written(session: Session, title: str, content: str, category: str = "") -> dict[str, Any]:
    return await session.ask("nc_notes_create_note", title=title, content=content, category=category)


async def text_in(session: Session, note: int) -> str:
    return (await session.ask("nc_notes_get_note", note_id=note))["content"]


async def test_no_call_costs_more_requests_than_it_must(sandbox: Sandbox) -> None:
    sent: dict[str, list[str]] = {}
    service = serving(sandbox)
    async with connected(service) as session:
        # Who asks, and which apps there are, is asked once.
        await session.ask("nc_notes_get_attachment", **await arranged(session, "nc_notes_get_attachment"))
        for tool in TOOLS:
            if tool.startswith("nc_notes_"):
                sandbox.reset()
                arguments = await arranged(session, tool)
                service.arrived.clear()
                await session.ask(tool, **arguments)
                sent[tool] = [request.method for request in service.arrived]
    assert {tool: methods for tool, methods in sent.items() if len(methods) > FEW or tool in REQUESTS} == REQUESTS


async def test_an_old_text_is_kept_under_the_version_that_the_answer_names(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        note = (await session.ask("nc_notes_list_notes"))["items"][0]
        old = await session.ask("nc_notes_get_note", note_id=note["id"])
        done = await session.ask("nc_notes_update_note", note_id=note["id"], etag=old["etag"], content="Other")
        path = f"Notes/{old['title']}.md"
        await session.ask("nc_webdav_restore_version", path=path, kept_version=done["kept_version"])
        again = await session.ask("nc_notes_get_note", note_id=note["id"])
    assert again["content"] == old["content"] != "Other"


async def test_a_search_downloads_hits_and_not_notes(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    async with connected(service) as session:
        for number in range(30):
            await written(session, f"Long {number}", "filler " * 3000 + ("needle" if number == 7 else ""))
        service.arrived.clear()
        found = await session.ask("nc_notes_search_notes", query="NEEDLE long")
        (asked,) = service.arrived
        answer = await service.handle_async_request(asked)
        every = [
            hit["title"] for hit in (await session.ask("nc_notes_search_notes", query="filler", limit=25))["items"]
        ]
    assert [hit["title"] for hit in found["items"]] == ["Long 7"]
    assert len(await answer.aread()) < 1000
    assert len(every) == 25


async def test_pages_of_a_search_and_of_a_list_have_everything_once(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        for tool, more in (("nc_notes_list_notes", {}), ("nc_notes_search_notes", {"query": "e"})):
            whole = await session.ask(tool, limit=25, **more)
            ids: list[int] = []
            page: dict[str, Any] = {"next_cursor": None}
            while "next_cursor" in page:
                page = await session.ask(tool, limit=5, cursor=page["next_cursor"], **more)
                ids += [note["id"] for note in page["items"]]
            assert ids == [note["id"] for note in whole["items"]], tool
            assert len(ids) > 10, tool
            assert "next_cursor" not in whole, tool
        assert (await session.ask("nc_notes_list_notes", limit=5))["remaining"] == 7


async def test_a_note_comes_with_its_etag_and_the_address_where_people_open_it(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        listed = await note_named(session, "Shed")
        note = await session.ask("nc_notes_get_note", note_id=listed["id"])
        (hit,) = (await session.ask("nc_notes_search_notes", query="boards ordered"))["items"]
    assert note["url"] == listed["url"] == hit["url"] == f"http://nextcloud/index.php/apps/notes/note/{note['id']}"
    assert note["etag"] == listed["etag"]
    assert note["modified"].endswith("Z")
    assert note["content"].startswith("# Shed")
    assert "cut" not in note


async def test_a_long_note_is_read_in_parts_that_say_that_they_are_parts(sandbox: Sandbox) -> None:
    text = "".join(f"{number} 🌍 ö\n" for number in range(12_000))
    async with connected(serving(sandbox)) as session:
        note = (await written(session, "Long", text))["id"]
        part = await session.ask("nc_notes_get_note", note_id=note)
        assert part["cut"].startswith(f"Only characters 0 to 40000 of {len(text)}: never write this back")
        parts = [part["content"]]
        while "next_offset" in part:
            part = await session.ask("nc_notes_get_note", note_id=note, offset=part["next_offset"])
            parts.append(part["content"])
        assert "Only characters" in part["cut"]
        whole = await session.ask("nc_notes_get_note", note_id=note, limit=200_000)
        beyond = await session.refusal("nc_notes_get_note", note_id=note, offset=len(text) + 1)
    assert "".join(parts) == whole["content"] == text
    assert whole["length"] == len(text)
    assert "cut" not in whole
    assert f"The note has {len(text)} characters." in beyond


async def test_an_update_changes_what_is_given_and_an_empty_category_clears_it(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        note = await written(session, "Plan", "old", "A/B")
        same = await session.ask(
            "nc_notes_update_note", note_id=note["id"], etag=f'"{note["etag"]}"', content="new", category=None
        )
        assert (same["title"], same["category"]) == ("Plan", "A/B")
        moved = await session.ask("nc_notes_update_note", note_id=note["id"], etag=same["etag"], category="C")
        cleared = await session.ask("nc_notes_update_note", note_id=note["id"], etag=moved["etag"], category="")
        assert (moved["category"], cleared.get("category")) == ("C", None)
        nothing = await session.refusal("nc_notes_update_note", note_id=note["id"], etag=cleared["etag"])
        assert await text_in(session, note["id"]) == "new"
    assert "There is nothing to change." in nothing


async def test_a_stale_etag_writes_nothing_and_tells_the_model_to_read_again(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        note = await written(session, "Plan", "old")
        update = {"note_id": note["id"], "etag": note["etag"], "content": "mine"}
        now = await session.ask("nc_notes_update_note", **update)
        before = facts(sandbox)
        text = await session.refusal("nc_notes_update_note", **{**update, "content": "too late"})
    assert facts(sandbox) == before
    assert f"its etag is now {now['etag']}" in text
    assert text.endswith("Nothing was written. Read it again, then decide.")


async def test_an_append_loses_nothing_that_is_written_meanwhile(sandbox: Sandbox) -> None:
    service = Meddling(sandbox)
    async with connected(service) as session, connected(serving(sandbox)) as other:
        note = (await written(session, "Log", "one"))["id"]

        async def edit() -> None:
            current = await other.ask("nc_notes_get_note", note_id=note)
            text = f"{current['content']}, edited"
            await other.ask("nc_notes_update_note", note_id=note, etag=current["etag"], content=text)

        service.meanwhile = [edit, edit]
        service.inner.arrived.clear()
        await session.ask("nc_notes_append_content", note_id=note, content="two")
        assert await text_in(session, note) == "one, edited, edited\n\ntwo"
        once = ["GET", "PUT"]
        assert [request.method for request in service.inner.arrived] == ["GET", "PROPFIND", *once * 3, "GET", "GET"]
        async with anyio.create_task_group() as group:
            for word in ("three", "four", "five"):
                group.start_soon(lambda word=word: session.ask("nc_notes_append_content", note_id=note, content=word))
        text = await text_in(session, note)
    assert text.startswith("one, edited, edited\n\ntwo\n\n")
    assert set(text.split("\n\n")) >= {"two", "three", "four", "five"}


async def test_a_note_that_is_not_utf8_says_so_and_is_appended_to_as_it_is(sandbox: Sandbox) -> None:
    old = "Grüße aus Köln".encode("latin-1")
    async with connected(serving(sandbox)) as session:
        content = b64encode(old).decode()
        await session.ask("nc_webdav_write_file", path="Notes/latin.md", content=content, content_encoding="base64")
        note = (await note_named(session, "latin"))["id"]
        read = await session.ask("nc_notes_get_note", note_id=note)
        assert (read["content"], "'Notes/latin.md' is the file itself" in read["warning"]) == ("Gr??e aus K?ln", True)
        assert "nothing was written" in await session.refusal(
            "nc_notes_update_note", note_id=note, etag=read["etag"], content=f"{read['content']}!"
        )
        await session.ask("nc_notes_append_content", note_id=note, content="Bis bald")
        now = await session.ask("nc_webdav_read_file", path="Notes/latin.md", encoding="latin-1")
        resource = await session.client.read_resource(f"nc://Notes/{note}")
    assert now["text"] == "Grüße aus Köln\n\nBis bald"
    assert "not what the file holds" in resource.model_dump_json()


async def test_nobody_reads_or_changes_the_notes_of_another(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        calls = {tool: await arranged(session, tool) for tool in TOOLS if tool.startswith("nc_notes_")}
        assert sum("note_id" in arguments for arguments in calls.values()) > 5
        theirs = (await session.ask("nc_notes_list_notes"))["items"]
    before = facts(sandbox)
    async with connected(serving(sandbox), user="bob") as session:
        for tool, arguments in calls.items():
            if "note_id" in arguments:
                assert "There is no note" in await session.refusal(tool, **arguments), tool
        seen = (await session.ask("nc_notes_list_notes"))["items"]
        found = (await session.ask("nc_notes_search_notes", query="milk"))["items"]
        counted = (await session.ask("nc_notes_list_categories"))["items"]
        for note in theirs:
            for address in (f"nc://Notes/{note['id']}", f"nc://Notes/{note['id']}/attachments/swatch.png"):
                with pytest.raises(MCPError, match="There is no note"):
                    await session.client.read_resource(address)
    assert facts(sandbox) == before
    assert {note["title"] for note in seen} == {"Presents", "Salary"}
    assert found == []
    assert {one["name"] for one in counted} == {"", "Private"}


async def test_notes_are_resources_too(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        note = await note_named(session, "Porridge")
        (settings,) = (await session.client.read_resource("notes://settings")).contents
        (text,) = (await session.client.read_resource(f"nc://Notes/{note['id']}")).contents
        assert isinstance(settings, mcp.TextResourceContents)
        assert '"notes_path":"Notes"' in settings.text
        assert isinstance(text, mcp.TextResourceContents)
        assert "Ten minutes." in text.text
        with pytest.raises(MCPError, match="has no note 'abc'"):
            await session.client.read_resource("nc://Notes/abc")
        template = mcp.ResourceTemplateReference(uri="nc://Notes/{note_id}")
        for typed in ("porridge", str(note["id"])):
            completed = await session.client.complete(template, {"name": "note_id", "value": typed})
            assert str(note["id"]) in completed.completion.values, typed
