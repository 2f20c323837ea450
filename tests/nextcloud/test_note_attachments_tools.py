"""What is attached to notes, through MCP: as pictures, as text or by address, wherever the notes are kept."""

import base64
from typing import Any

import httpx2
import mcp_types as mcp
import pytest
from tests.nextcloud.calls import note_named
from tests.nextcloud.sessions import Session, connected, facts, serving, text_of

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

PICTURE = b"\x89PNG\r\n and so on"


async def attach(session: Session, note: int, name: str, data: bytes) -> dict[str, Any]:
    encoded = {"content": base64.b64encode(data).decode(), "content_encoding": "base64"}
    return await session.ask("nc_notes_add_attachment", note_id=note, filename=name, **encoded)


async def put_settings(session: Session, **settings: str) -> None:
    """Change the Notes app's settings, for which there is no tool."""
    user, secret = "admin", Sandbox.users["admin"]
    async with httpx2.AsyncClient(transport=session.service, auth=(user, secret)) as web:
        answer = await web.put("http://nextcloud/index.php/apps/notes/api/v1/settings", json=settings)
    assert answer.status_code == 200


async def test_attachments_are_answered_as_what_they_are(sandbox: Sandbox) -> None:
    """How files are read is shown in test_read_file; these are the same reader's, found by note and name."""
    files = {
        "notes ü.txt": "größer\n".encode(),
        "long.csv": ("ä;ö\n" * 50_000).encode(),
        "data.zip": b"PK\x03\x04\x00\x00\xff",
        "big.png": b"\x89PNG\r\n" + b"\0" * 3_600_000,
    }
    async with connected(serving(sandbox)) as session:
        note = await note_named(session, "Paint colours")
        shown: dict[str, mcp.CallToolResult] = {}
        for name, data in files.items():
            await attach(session, note["id"], name, data)
        for name in (*files, "swatch.png"):
            result = await session.call("nc_notes_get_attachment", note_id=note["id"], attachment_filename=name)
            assert not result.is_error, text_of(result)
            shown[name] = result
        rest = await session.ask(
            "nc_notes_get_attachment",
            note_id=note["id"],
            attachment_filename="long.csv",
            offset=shown["long.csv"].structured_content["next_offset"],
        )
        picture = shown["swatch.png"].content[0]
        assert isinstance(picture, mcp.ImageContent)
        assert base64.b64decode(picture.data).startswith(b"\x89PNG")
        assert shown["notes ü.txt"].structured_content["text"] == "größer\n"
        assert shown["long.csv"].structured_content["text"] == "ä;ö\n" * (50_000 // 6)
        assert rest["text"].startswith("ä;ö\n")
        for name in ("data.zip", "big.png"):
            link = shown[name].content[0]
            assert isinstance(link, mcp.ResourceLink)
            assert link.size == len(files[name])
            (whole,) = (await session.client.read_resource(link.uri)).contents
            assert isinstance(whole, mcp.BlobResourceContents)
            assert base64.b64decode(whole.blob) == files[name]
        address = f"nc://Notes/{note['id']}/attachments/notes%20%C3%BC.txt"
        (text,) = (await session.client.read_resource(address)).contents
        assert isinstance(text, mcp.TextResourceContents)
        assert text.text == "größer\n"


async def test_attachments_work_in_a_custom_folder_of_notes_and_move_with_the_note(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        await put_settings(session, notesPath="Papers/My notes", fileSuffix=".txt")
        where = {"title": "Here", "content": "text", "category": "Deep/Down #1"}
        note = await session.ask("nc_notes_create_note", **where)
        made = await attach(session, note["id"], "a b.png", PICTURE)
        assert made["path"] == f"Papers/My notes/Deep/Down #1/.attachments.{note['id']}/a b.png"
        assert made["markdown"] == f"![a b.png](.attachments.{note['id']}/a%20b.png)"
        moved = await session.ask("nc_notes_append_content", note_id=note["id"], content=made["markdown"])
        await session.ask("nc_notes_update_note", note_id=note["id"], etag=moved["etag"], category="")
        # As the note's text refers to it.
        name = f".attachments.{note['id']}/a%20b.png"
        result = await session.call("nc_notes_get_attachment", note_id=note["id"], attachment_filename=name)
        wrong = await session.refusal(
            "nc_notes_add_attachment", note_id=note["id"], filename="x", content="%", content_encoding="base64"
        )
        outside = await session.refusal("nc_notes_add_attachment", note_id=note["id"], filename="../x", content="x")
    picture = result.content[0]
    assert isinstance(picture, mcp.ImageContent)
    assert base64.b64decode(picture.data) == PICTURE
    assert "not base64" in wrong
    assert "without folders" in outside or "is not a name" in outside


async def test_a_deleted_note_takes_its_attachments_along_into_the_trash_bin(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        note = await note_named(session, "Paint colours")
        before = facts(sandbox)
        gone = await session.ask("nc_notes_delete_note", note_id=note["id"])
        assert gone["to_get_back"].endswith("what belongs to it.")
        after = facts(sandbox)
        again = await session.refusal("nc_notes_delete_note", note_id=note["id"])
    assert any("swatch.png" in key and key.startswith("files/") for key in before)
    assert not any("swatch.png" in key and key.startswith("files/") for key in after)
    assert any("swatch.png" in key and key.startswith("trash/") for key in after)
    assert facts(sandbox) == after
    assert again.startswith(f"There is no note {note['id']}.")
